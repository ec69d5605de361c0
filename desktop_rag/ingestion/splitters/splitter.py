"""The protocol of a splitter."""

from __future__ import annotations

from typing import Protocol

from desktop_rag.domain.document import Document
from desktop_rag.domain.segment import TextSegment

INDEX = "index"
"""The key of a segment's number within its document."""


class DocumentSplitter(Protocol):
    """Cuts a document into segments."""

    def split(self, document: Document) -> list[TextSegment]:
        """Return the segments in order, each with the document's metadata and ``index``.

        ``index`` counts from "0" and is a string (langchain4j-facts 1).
        """
        ...
