"""Splits by words."""

from __future__ import annotations

from desktop_rag.embedding.model import TokenCounter
from desktop_rag.ingestion.splitters.character import DocumentByCharacterSplitter
from desktop_rag.ingestion.splitters.hierarchical import HierarchicalDocumentSplitter
from desktop_rag.ingestion.splitters.java_split import java_pattern, java_split
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter

_SPACE = java_pattern(r"\s+")


class DocumentByWordSplitter(HierarchicalDocumentSplitter):
    """Joins words, which ASCII white space separates; longer ones are split by characters."""

    @property
    def delimiter(self) -> str:
        """A space."""
        return " "

    def parts(self, text: str) -> list[str]:
        """Return the words."""
        return java_split(_SPACE, text)

    @property
    def _overlap_gives_way(self) -> bool:
        return True

    def _default_sub_splitter(self, counter: TokenCounter | None) -> DocumentSplitter:
        return DocumentByCharacterSplitter(self._max_size, self._overlap, counter)
