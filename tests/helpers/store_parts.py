"""Documents for the store, made of nothing but words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from desktop_rag.domain.document import Coverage, LineBox
from desktop_rag.domain.files import FileStat, FileStatus
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.prepared import PreparedDocument, PreparedParent, PreparedSegment
from desktop_rag.embedding.model import Vector
from desktop_rag.store.knowledge_store import KnowledgeStore

DIMENSION = 16
SPACES = {"en": DIMENSION, "zh": DIMENSION}
STAT = FileStat(100, 1_700_000_000_000_000_000, 1_700_000_000_000_000_001, 42)


def text_hash(text: str, space: str = "en") -> str:
    return hashlib.blake2b(f"{space}\n{text}".encode(), digest_size=16).hexdigest()


def vector_for(text: str, dimension: int = DIMENSION) -> Vector:
    """A unit vector that depends on the text alone."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    vector = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    return vector / np.linalg.norm(vector)


def simple_analyse(text: str) -> list[str]:
    """Stands in for the analysis of keywords: lower-case words."""
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def prepared(
    *passages: str,
    title: str = "",
    kind: str = "text",
    space: str = "en",
    metadata: Mapping[str, str | int | float] | None = None,
    headings: Sequence[str] = (),
    paged: bool = False,
) -> PreparedDocument:
    """A document of these passages; with pages, each is alone on its own."""
    segments = []
    at = 0
    for number, passage in enumerate(passages):
        page = number + 1 if paged else None
        end = at + len(passage)
        segments.append(
            PreparedSegment(
                start=at,
                end=end,
                parent=0,
                text=passage,
                text_hash=text_hash(passage, space),
                space=space,
                terms=" ".join(simple_analyse(passage)),
                tokens=len(passage.split()),
                language="zh" if space == "zh" else "en",
                page=page,
                heading_path=tuple(headings[:1]),
                lines=(LineBox(at, end, page, 1.5, 2.25, 99.125, 12.0),) if page else (),
            )
        )
        at = end + 2
    text = "\n\n".join(passages)
    return PreparedDocument(
        kind=kind,
        text=text,
        title=title,
        language="zh" if space == "zh" else "en",
        metadata=Metadata(metadata or {}),
        coverage=Coverage(read=len(passages) if paged else 1),
        parents=(PreparedParent(0, len(text), 1 if paged else None, tuple(headings[:1])),),
        segments=tuple(segments),
        pages=len(passages) if paged else None,
        headings=tuple(headings),
    )


def vectors_of(document: PreparedDocument) -> dict[str, Vector]:
    return {segment.text_hash: vector_for(segment.text) for segment in document.segments}


def put(store: KnowledgeStore, source_id: int, relpath: str) -> int:
    return store.put_files(source_id, [(relpath, STAT, FileStatus.WAITING)])[0]


def commit(store: KnowledgeStore, file_id: int, document: PreparedDocument, key: str = "") -> int:
    """Commit with all vectors; the key is the content's unless given. Returns the document."""
    content = key or text_hash(f"{document.kind}{document.title}{document.text}")
    result = store.commit_document(
        file_id, STAT, content, f"{content}:auto:1", document, vectors_of(document)
    )
    return result.document_id


def add_file(store: KnowledgeStore, source_id: int, relpath: str, *passages: str) -> int:
    """Make a file of these passages that can be found; return the file's id."""
    return add_files(store, source_id, {relpath: passages})[0]


def add_files(
    store: KnowledgeStore, source_id: int, files: Mapping[str, Sequence[str]]
) -> list[int]:
    """Make files of these passages, by relative path; return their ids."""
    ids = [put(store, source_id, relpath) for relpath in files]
    for file_id, passages in zip(ids, files.values(), strict=True):
        commit(store, file_id, prepared(*passages))
    store.flush()
    return ids


def found_texts(store: KnowledgeStore, hits: Sequence[tuple[int, float]]) -> list[str]:
    """The text of each hit's first passage, in order."""
    segments = store.segments_of_texts([text_id for text_id, _ in hits])
    return [found[0].segment.text for found in segments.values()]
