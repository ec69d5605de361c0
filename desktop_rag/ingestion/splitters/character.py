"""Splits by characters."""

from __future__ import annotations

from desktop_rag.ingestion.splitters.hierarchical import HierarchicalDocumentSplitter


class DocumentByCharacterSplitter(HierarchicalDocumentSplitter):
    """Joins characters (code points); there is no sub-splitter but a given one."""

    @property
    def delimiter(self) -> str:
        """Nothing."""
        return ""

    def parts(self, text: str) -> list[str]:
        """Return the characters."""
        return list(text)
