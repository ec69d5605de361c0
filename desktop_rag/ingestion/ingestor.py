"""Documents into an embedding store: transform, split, transform, embed, add."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.document import Document
from desktop_rag.domain.segment import TextSegment
from desktop_rag.embedding.model import EmbeddingModel, TokenCounter
from desktop_rag.ingestion.splitters.splitter import INDEX, DocumentSplitter
from desktop_rag.ingestion.transformers.protocols import (
    DocumentTransformer,
    TextSegmentTransformer,
    transform_document,
    transform_segment,
)
from desktop_rag.store.embedding_store import EmbeddingStore

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IngestionResult:
    """What an ingestion did.

    ``ids`` are those under which segments were added, in order; ``tokens`` is what the
    model read (None without a counter); ``failed`` has the positions of documents that
    raised an error, ``dropped`` those that a transformer took out.
    """

    ids: tuple[str, ...]
    tokens: int | None
    failed: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()


class EmbeddingStoreIngestor:
    """Ingests documents into any embedding store (langchain4j-facts 2).

    All segments are embedded in one call and added in one. Different from LangChain4j on
    purpose: ids are hashes of text and metadata, so that ingesting again replaces; a
    document that fails costs itself alone; nothing to embed is not an error.

    Args:
        model: embeds the segments.
        store: takes them.
        splitter: None keeps documents whole, with ``index`` "0" unless they have one.
        document_transformers: applied in order to each document; None as result drops it.
        segment_transformers: the same for each segment.
        counter: counts the tokens that the model reads.
    """

    def __init__(
        self,
        model: EmbeddingModel,
        store: EmbeddingStore,
        splitter: DocumentSplitter | None = None,
        document_transformers: Sequence[DocumentTransformer] = (),
        segment_transformers: Sequence[TextSegmentTransformer] = (),
        counter: TokenCounter | None = None,
    ) -> None:
        self._model = model
        self._store = store
        self._splitter = splitter
        self._document_transformers = tuple(document_transformers)
        self._segment_transformers = tuple(segment_transformers)
        self._counter = counter

    def ingest(self, documents: Iterable[Document]) -> IngestionResult:
        """Ingest documents; errors of the model and of the store are raised."""
        segments: list[TextSegment] = []
        failed: list[int] = []
        dropped: list[int] = []
        for position, document in enumerate(documents):
            try:
                own = self._segments(document)
            except Exception:  # one document never costs the others
                _log.exception("document %d was not ingested", position)
                failed.append(position)
                continue
            if own is None:
                dropped.append(position)
            else:
                segments.extend(own)
        distinct = {_identity(segment): segment for segment in segments}
        ids, kept = tuple(distinct), list(distinct.values())
        if kept:
            vectors = self._model.embed([segment.text for segment in kept])
            self._store.add_all(ids, vectors, kept)
        return IngestionResult(ids, self._tokens(kept), tuple(failed), tuple(dropped))

    def _segments(self, document: Document) -> list[TextSegment] | None:
        """Return a document's segments, None when it was dropped."""
        transformed = transform_document(document, self._document_transformers)
        if transformed is None:
            return None
        split = self._splitter.split(transformed) if self._splitter else [_whole(transformed)]
        changed = (transform_segment(segment, self._segment_transformers) for segment in split)
        return [segment for segment in changed if segment is not None]

    def _tokens(self, segments: Sequence[TextSegment]) -> int | None:
        if self._counter is None:
            return None
        return sum(self._counter.count(segment.text) for segment in segments)


def _whole(document: Document) -> TextSegment:
    metadata = document.metadata
    if INDEX not in metadata:
        metadata = metadata.with_value(INDEX, "0")
    return TextSegment(document.text, metadata)


def _identity(segment: TextSegment) -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(segment.text.encode("utf-8", "surrogatepass"))
    for key, value in sorted(segment.metadata.items()):
        digest.update(f"\0{key}\0{type(value).__name__}\0{value}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
