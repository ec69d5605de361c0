"""Splits by paragraphs."""

from __future__ import annotations

from desktop_rag.embedding.model import TokenCounter
from desktop_rag.ingestion.splitters.hierarchical import HierarchicalDocumentSplitter
from desktop_rag.ingestion.splitters.java_split import java_pattern, java_split
from desktop_rag.ingestion.splitters.sentence import DocumentBySentenceSplitter
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter

_BLANK_LINE = java_pattern(r"(?<!\s)\s*(?>\R)\s*(?>\R)\s*")
"""The first condition changes no match: without it the time grows with the square of a
long row of spaces."""


class DocumentByParagraphSplitter(HierarchicalDocumentSplitter):
    """Joins paragraphs, which blank lines separate; longer ones are split by sentences."""

    @property
    def delimiter(self) -> str:
        """A blank line."""
        return "\n\n"

    def parts(self, text: str) -> list[str]:
        """Return the paragraphs."""
        return java_split(_BLANK_LINE, text)

    def _default_sub_splitter(self, counter: TokenCounter | None) -> DocumentSplitter:
        return DocumentBySentenceSplitter(self._max_size, self._overlap, counter)
