"""Splits by lines."""

from __future__ import annotations

from desktop_rag.embedding.model import TokenCounter
from desktop_rag.ingestion.splitters.hierarchical import HierarchicalDocumentSplitter
from desktop_rag.ingestion.splitters.java_split import java_pattern, java_split
from desktop_rag.ingestion.splitters.sentence import DocumentBySentenceSplitter
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter

_LINE_END = java_pattern(r"(?<!\s)\s*\R\s*")
"""The first condition changes no match: without it the time grows with the square of a
long row of spaces."""


class DocumentByLineSplitter(HierarchicalDocumentSplitter):
    """Joins lines; longer ones are split by sentences."""

    @property
    def delimiter(self) -> str:
        """A line break."""
        return "\n"

    def parts(self, text: str) -> list[str]:
        """Return the lines, blank ones left out."""
        return java_split(_LINE_END, text)

    def _default_sub_splitter(self, counter: TokenCounter | None) -> DocumentSplitter:
        return DocumentBySentenceSplitter(self._max_size, self._overlap, counter)
