"""What retrieval needs of a store: passages by text, and three ways to find texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from desktop_rag.domain.content import Content, ContentKey, ContentValue
from desktop_rag.domain.filter import Filter
from desktop_rag.embedding.model import EmbeddingModel, Vector
from desktop_rag.store.records import StoredSegment

TextHit = tuple[int, float]
"""A text's number in the store, and its score."""


class PassageStore(Protocol):
    """Finds texts, and tells in which passages they stand; thread-safe."""

    def vector_count(self, space: str) -> int:
        """Return how many vectors a space has."""
        ...

    def vector_search(
        self, space: str, vector: Vector, k: int, condition: Filter | None = None
    ) -> list[TextHit]:
        """Return the nearest texts by cosine, best first."""
        ...

    def keyword_search(
        self, terms: Sequence[str], k: int, condition: Filter | None = None
    ) -> list[TextHit]:
        """Return the best texts by BM25, best first."""
        ...

    def name_search(
        self, terms: Sequence[str], k: int, condition: Filter | None = None
    ) -> list[TextHit]:
        """Return the best files by name, title and headings: (file number, score)."""
        ...

    def segments_of_texts(
        self, text_ids: Sequence[int], condition: Filter | None = None
    ) -> Mapping[int, Sequence[StoredSegment]]:
        """Return the passages in which texts stand, only those that match."""
        ...


class Spaces(Protocol):
    """The embedding models, each with a space of its own in the store."""

    @property
    def names(self) -> Sequence[str]:
        """The models' names, in a fixed order."""
        ...

    def get(self, name: str) -> EmbeddingModel:
        """Return the model of a name."""
        ...


def contents_of(
    store: PassageStore,
    hits: Sequence[tuple[int, Mapping[ContentKey, ContentValue]]],
    condition: Filter | None,
) -> list[Content]:
    """Return one content a text, in the order of ``hits``, with the notes given.

    A text that stands in several documents is one content, of the passage that was
    stored first; the other documents are noted under ``ALSO_IN``. Texts without a
    passage that matches are left out.
    """
    passages = store.segments_of_texts([text_id for text_id, _ in hits], condition)
    contents = []
    for text_id, notes in hits:
        found = sorted(passages.get(text_id, ()), key=lambda passage: passage.segment_id)
        if found:
            contents.append(_content(found, notes))
    return contents


def _content(
    passages: Sequence[StoredSegment], notes: Mapping[ContentKey, ContentValue]
) -> Content:
    first = passages[0]
    others = dict.fromkeys(p.document_id for p in passages if p.document_id != first.document_id)
    noted = dict(notes)
    if others:
        noted[ContentKey.ALSO_IN] = " ".join(map(str, others))
    return Content(first.segment, MappingProxyType(noted))
