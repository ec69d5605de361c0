"""Splits by a pattern."""

from __future__ import annotations

from desktop_rag.embedding.model import TokenCounter
from desktop_rag.ingestion.splitters.hierarchical import HierarchicalDocumentSplitter
from desktop_rag.ingestion.splitters.java_split import java_pattern, java_split
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter


class DocumentByRegexSplitter(HierarchicalDocumentSplitter):
    r"""Joins what a pattern separates; there is no sub-splitter but a given one.

    Args:
        regex: a pattern as in Python, in which ``\s``, ``\w``, ``\d`` and ``\b`` are ASCII and
            ``\R`` is a line break, as in Java.
        delimiter: what joins the parts again.
        max_size: see ``HierarchicalDocumentSplitter``, as all that follow.
        overlap: the most that neighbouring segments share.
        counter: counts tokens; None counts characters.
        sub_splitter: for parts that are too long; without one they are an error.

    Raises:
        ValueError: ``regex`` is not a pattern, or a size is out of its range.
    """

    def __init__(
        self,
        regex: str,
        delimiter: str,
        max_size: int,
        overlap: int,
        counter: TokenCounter | None = None,
        sub_splitter: DocumentSplitter | None = None,
    ) -> None:
        super().__init__(max_size, overlap, counter, sub_splitter)
        self._pattern = java_pattern(regex)
        self._delimiter = delimiter

    @property
    def delimiter(self) -> str:
        """The given one."""
        return self._delimiter

    def parts(self, text: str) -> list[str]:
        """Return what is between the matches."""
        return java_split(self._pattern, text)
