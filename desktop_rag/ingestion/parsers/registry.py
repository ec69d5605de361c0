"""Chooses the parser of a file and runs it."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.formats import (
    HEAD_BYTES,
    Format,
    description_of,
    format_of,
)
from desktop_rag.ingestion.parsers.markdown import MarkdownParser
from desktop_rag.ingestion.parsers.parser import Parser
from desktop_rag.ingestion.parsers.pdf import PdfParser
from desktop_rag.ingestion.parsers.problems import not_read_yet
from desktop_rag.ingestion.parsers.text import TextParser

_PARSERS: dict[Format, Parser] = {
    Format.TEXT: TextParser(),
    Format.MARKDOWN: MarkdownParser(),
    Format.PDF: PdfParser(),
}


def parse_file(path: Path) -> ParsedDocument:
    """Parse a file by what is in it.

    Raises:
        KnownError: the format has no parser, or its parser cannot read this file.
        OSError: the file could not be opened.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    return parser_for(head, path.name).parse(path, path.name)


def parse_bytes(content: bytes, name: str) -> ParsedDocument:
    """Parse content that is in memory; raises ``KnownError`` as ``parse_file`` does."""
    return parser_for(content[:HEAD_BYTES], name).parse(content, name)


def parser_for(head: bytes, name: str) -> Parser:
    """Return the parser for a file that begins with ``head``.

    Raises:
        KnownError: there is none; the message names the format in plain words.
    """
    parser = _PARSERS.get(format_of(head, name))
    if parser is None:
        raise not_read_yet(name, description_of(head, name))
    return parser
