"""OpenDocument presentations (odp)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.docx import CUT_OFF
from desktop_rag.ingestion.parsers.drawing_text import Place, reading_order
from desktop_rag.ingestion.parsers.odf_package import (
    OdfPackage,
    all_words,
    inner_paragraphs,
    odf_words,
)
from desktop_rag.ingestion.parsers.odf_tables import table_rows
from desktop_rag.ingestion.parsers.office_package import attribute
from desktop_rag.ingestion.parsers.pptx import NOTES_LABEL
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, Element, forget, local_name

_REPEATED = frozenset({"header", "footer", "date-time", "page-number", "page"})
_LISTED = frozenset({"outline"})
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt)")
_CENTIMETRES = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72}
_BAND = 1.27
"""Centimetres: boxes whose tops differ by less stand in one row, and are read left first."""

_MOST_NESTING = 30


class OdpParser:
    """Reads presentations slide by slide: title, boxes by position, tables, notes."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a presentation; see ``Parser``."""
        package = OdfPackage(source, name)
        with package.archive:
            slides = _Slides()
            whole = slides.read(package)
            if not len(slides.assembly):
                raise no_text(name, "Its slides have no words.") if whole else damaged(name)
            title, metadata = package.properties()
        missing = () if whole else (UnreadableUnit(slides.number + 1, CUT_OFF),)
        return slides.assembly.finish(
            "odp",
            title=title or slides.title,
            metadata=metadata,
            coverage=Coverage(slides.number - slides.empty, 0, slides.empty, missing),
            pages=slides.number + len(missing),
        )


class _Slides:
    """Appends slides."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self.number = 0
        self.empty = 0
        self.title = ""

    def read(self, package: OdfPackage) -> bool:
        """Append all slides; returns whether they could be read to the end."""
        try:
            for _, page in package.stream(("{*}page",)):
                self.number += 1
                before = len(self.assembly)
                self._shapes(page, 0)
                self._notes(page)
                self.empty += len(self.assembly) == before
                forget(page)
        except (BrokenPart, BrokenXml):
            return False
        return True

    def _shapes(self, group: Element, depth: int) -> None:
        if depth > _MOST_NESTING:
            return
        placed = [(_place(shape), shape) for shape in _drawn(group)]
        for shape in reading_order(placed, _BAND):
            name, kind = local_name(shape), attribute(shape, "class")
            if name == "g":
                self._shapes(shape, depth + 1)
            elif kind == "title":
                self._heading(shape)
            elif kind not in _REPEATED:
                self._box(shape, listed=kind in _LISTED)

    def _heading(self, shape: Element) -> None:
        words = " ".join(all_words(shape).split())
        self.assembly.add(BlockKind.HEADING, words, level=1, page=self.number)
        self.title = self.title or words

    def _box(self, shape: Element, *, listed: bool) -> None:
        tables = [item for item in shape if local_name(item) == "table"]
        for table in tables:
            rows, header_rows = table_rows(table)
            self.assembly.table(rows, header_rows, page=self.number)
        kind = BlockKind.LIST_ITEM if listed else BlockKind.PARAGRAPH
        for paragraph in () if tables else inner_paragraphs(shape):
            words = odf_words(paragraph)
            self.assembly.add(kind, words.text, page=self.number)
            for box in words.boxes:
                self.assembly.add(kind, all_words(box), page=self.number)

    def _notes(self, page: Element) -> None:
        for notes in page:
            if local_name(notes) != "notes":
                continue
            for shape in _drawn(notes):
                words = all_words(shape)
                if words and attribute(shape, "class") not in _REPEATED:
                    self.assembly.add(BlockKind.NOTE, NOTES_LABEL + words, page=self.number)


def _drawn(group: Element) -> Iterator[Element]:
    return (
        shape for shape in group if local_name(shape) not in ("notes", "forms", "event-listeners")
    )


def _place(shape: Element) -> Place | None:
    """Return where a shape stands, None for a title; a group stands where its highest does."""
    if attribute(shape, "class") == "title":
        return None
    if local_name(shape) == "g":
        places = (place for place in map(_place, shape) if place is not None)
        return min(places, default=(0.0, 0.0))
    return _length(attribute(shape, "y")), _length(attribute(shape, "x"))


def _length(value: str) -> float:
    match = _LENGTH.fullmatch(value)
    return float(match[1]) * _CENTIMETRES[match[2]] if match else 0.0
