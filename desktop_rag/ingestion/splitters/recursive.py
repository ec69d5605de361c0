"""Splits by paragraphs, and what is too long by ever smaller parts."""

from __future__ import annotations

from desktop_rag.embedding.model import TokenCounter
from desktop_rag.ingestion.splitters.line import DocumentByLineSplitter
from desktop_rag.ingestion.splitters.paragraph import DocumentByParagraphSplitter
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter


def recursive(max_size: int, overlap: int, counter: TokenCounter | None = None) -> DocumentSplitter:
    """Return a splitter by paragraphs, then lines, sentences, words and characters.

    ``recursive(300, 30, counter)`` is what LangChain4j's easy RAG uses.

    Args:
        max_size: the most that a segment has, in tokens or characters.
        overlap: the most that neighbouring segments share; 0 for nothing.
        counter: counts tokens; None counts characters.

    Raises:
        ValueError: a size is out of its range (see ``HierarchicalDocumentSplitter``).
    """
    lines = DocumentByLineSplitter(max_size, overlap, counter)
    return DocumentByParagraphSplitter(max_size, overlap, counter, lines)
