"""The protocol of a parser."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from desktop_rag.domain.document import ParsedDocument


class Parser(Protocol):
    """Turns one file into its canonical text and structure."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a whole document.

        Args:
            source: the file, or its content.
            name: the file's name, for messages alone; nothing of the result comes from it.

        Raises:
            KnownError: the user can do something about it (password, damage, no text).
            OSError: the file could not be read.
        """
        ...


def content_of(source: Path | bytes) -> bytes:
    """Return the bytes of a parser's source."""
    return source if isinstance(source, bytes) else source.read_bytes()
