"""Looking at what a parser gave."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.parts import Part, visiting
from desktop_rag.ingestion.parsers.recognition import TextlessDocument
from desktop_rag.ingestion.parsers.registry import parse_bytes


def parsed(content: str | bytes, name: str) -> ParsedDocument:
    """Parse content as the registry would parse a file of this name."""
    return parse_bytes(content.encode() if isinstance(content, str) else content, name)


def inside(content: bytes, name: str) -> dict[str, ParsedDocument | TextlessDocument | KnownError]:
    """Return what lies in a container: each part's document, or why it was not read."""
    visitor = _Collector()
    with visiting(visitor):
        parsed(content, name)
    return visitor.found


def words_inside(content: bytes, name: str) -> dict[str, str]:
    """Return the text of each part of a container, the title of the problem of one without."""
    return {
        part: found.document.text if isinstance(found, ParsedDocument) else found.title
        for part, found in inside(content, name).items()
    }


class _Collector:
    def __init__(self) -> None:
        self.found: dict[str, ParsedDocument | TextlessDocument | KnownError] = {}

    def wants(self, name: str, content: bytes) -> bool:
        return True

    def take(self, part: Part) -> None:
        assert part.name not in self.found
        self.found[part.name] = part.outcome


def pieces(document: ParsedDocument) -> list[tuple[str, str]]:
    """Return (kind, text) of every block."""
    text = document.document.text
    return [(block.kind.value, text[block.start : block.end]) for block in document.blocks]


def texts(document: ParsedDocument, kind: str) -> list[str]:
    """Return the texts of the blocks of one kind."""
    return [text for own, text in pieces(document) if own == kind]


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    """Return (level, text) of the headings."""
    text = document.document.text
    return [(b.level, text[b.start : b.end]) for b in document.blocks if b.level]


def reasons(document: ParsedDocument) -> list[str]:
    """Return why parts were not read."""
    return [unit.reason for unit in document.coverage.unreadable]


def zipped(files: Mapping[str, str | bytes], stored: str = "") -> bytes:
    """Return a zip file of ``files``; the one named ``stored`` is not compressed."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            method = zipfile.ZIP_STORED if name == stored else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, method)
    return target.getvalue()
