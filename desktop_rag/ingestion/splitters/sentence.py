"""Splits by sentences."""

from __future__ import annotations

from desktop_rag.embedding.model import TokenCounter
from desktop_rag.foundation.language import language_of
from desktop_rag.ingestion.splitters.hierarchical import HierarchicalDocumentSplitter
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter
from desktop_rag.ingestion.splitters.word import DocumentByWordSplitter
from desktop_rag.text.sentences import sentences


class DocumentBySentenceSplitter(HierarchicalDocumentSplitter):
    """Joins sentences, in the language of the text; longer ones are split by words."""

    @property
    def delimiter(self) -> str:
        """A space."""
        return " "

    def parts(self, text: str) -> list[str]:
        """Return the sentences; a text without any is one."""
        spans = sentences(text, language_of(text))
        return [text[start:end] for start, end in spans] or [text]

    def _default_sub_splitter(self, counter: TokenCounter | None) -> DocumentSplitter:
        return DocumentByWordSplitter(self._max_size, self._overlap, counter)
