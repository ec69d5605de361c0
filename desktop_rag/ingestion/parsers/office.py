"""Office files whose kind only a look inside tells, and those of before 2007."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.docx import DocxParser
from desktop_rag.ingestion.parsers.formats import HEAD_BYTES, description_of
from desktop_rag.ingestion.parsers.libreoffice import converted
from desktop_rag.ingestion.parsers.office_package import OfficePackage
from desktop_rag.ingestion.parsers.ole import EXCEL, POWERPOINT, WORD, kind_of_ole
from desktop_rag.ingestion.parsers.parser import Parser, content_of
from desktop_rag.ingestion.parsers.pptx import PptxParser
from desktop_rag.ingestion.parsers.problems import damaged, not_read_yet
from desktop_rag.ingestion.parsers.xls import XlsParser
from desktop_rag.ingestion.parsers.xlsx import XlsxParser

_FOLDERS: tuple[tuple[str, Callable[[], Parser]], ...] = (
    ("word/", DocxParser),
    ("xl/", XlsxParser),
    ("ppt/", PptxParser),
)
_BINARY_WORKBOOK = "xl/workbook.bin"


class OfficeParser:
    """Reads Word, Excel and PowerPoint files by the parts that they have."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read an Office file; see ``Parser``."""
        package = OfficePackage(source, name)
        with package.archive:
            names = [part.lstrip("/").lower() for part in package.archive.names]
            is_whole = not package.archive.salvaged
        if _BINARY_WORKBOOK in names:
            raise not_read_yet(name, "a binary Excel workbook")
        for folder, parser in _FOLDERS:
            if any(part.startswith(folder) for part in names):
                return parser().parse(source, name)
        raise not_read_yet(name, description_of(b"", name)) if is_whole else damaged(name)


class OldOfficeParser:
    """Reads Office files of before 2007; for Word and PowerPoint LibreOffice is needed."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read an old Office file; see ``Parser``."""
        content = content_of(source)
        kind = kind_of_ole(content, name)
        if kind == EXCEL:
            return XlsParser().parse(content, name)
        if kind == WORD:
            made = DocxParser().parse(converted(content, name, WORD, "docx"), name)
        elif kind == POWERPOINT:
            made = PptxParser().parse(converted(content, name, POWERPOINT, "pptx"), name)
        else:
            raise not_read_yet(name, description_of(content[:HEAD_BYTES], name))
        return replace(made, kind=kind)
