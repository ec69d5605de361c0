"""The two slots of ingestion in which documents and segments may be changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from desktop_rag.domain.document import Document
from desktop_rag.domain.segment import TextSegment


class DocumentTransformer(Protocol):
    """Changes a document before it is split (cleaning, metadata)."""

    def transform(self, document: Document) -> Document | None:
        """Return the document to go on with, or None to drop it."""
        ...


class TextSegmentTransformer(Protocol):
    """Changes a segment before it is embedded."""

    def transform(self, segment: TextSegment) -> TextSegment | None:
        """Return the segment to go on with, or None to drop it."""
        ...


def transform_document(
    document: Document, transformers: Iterable[DocumentTransformer]
) -> Document | None:
    """Apply transformers one after the other, until one drops the document."""
    result: Document | None = document
    for transformer in transformers:
        if result is None:
            return None
        result = transformer.transform(result)
    return result


def transform_segment(
    segment: TextSegment, transformers: Iterable[TextSegmentTransformer]
) -> TextSegment | None:
    """Apply transformers one after the other, until one drops the segment."""
    result: TextSegment | None = segment
    for transformer in transformers:
        if result is None:
            return None
        result = transformer.transform(result)
    return result
