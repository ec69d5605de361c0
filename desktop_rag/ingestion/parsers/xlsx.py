"""Excel workbooks (xlsx, xlsm)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.drawing_text import drawn_paragraphs
from desktop_rag.ingestion.parsers.number_formats import BUILTIN, Writer, general, number_writer
from desktop_rag.ingestion.parsers.office_package import OfficePackage, attribute, child
from desktop_rag.ingestion.parsers.problems import damaged
from desktop_rag.ingestion.parsers.workbook import WorkbookText
from desktop_rag.ingestion.parsers.xlsx_sheet import SheetReader, merged_areas, rich_text
from desktop_rag.ingestion.parsers.xml_safe import (
    BrokenXml,
    Element,
    forget,
    stream_xml,
)

_WORKBOOK = "xl/workbook.xml"
_TRUE = frozenset({"1", "true", "on"})


class XlsxParser:
    """Reads workbooks: the values that Excel has saved, as they are shown."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a workbook; see ``Parser``."""
        package = OfficePackage(source, name)
        with package.archive:
            return _Workbook(package).parsed()


class _Workbook:
    """One workbook being read."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        main = package.main_part(_WORKBOOK)
        self._root = package.xml(main)
        self._parts = package.relations(main)
        self._text = WorkbookText()

    def parsed(self) -> ParsedDocument:
        """Read all sheets."""
        name = self._package.name
        sheets = list(self._sheets())
        if not sheets:
            raise damaged(name)
        reader = SheetReader(self._strings(), self._writers(), name)
        for sheet, path in sheets:
            self._text.add(sheet, self._rows(reader, path), self._notes(path))
        title, metadata = self._package.properties()
        return self._text.finish("xlsx", name, title, metadata)

    def _sheets(self) -> Iterator[tuple[str, str]]:
        """Yield (name, path) of the sheets in their order; without a list, as they lie."""
        listed = None if self._root is None else child(self._root, "sheets")
        for sheet in () if listed is None else listed:
            kind, path = self._parts.get(_relation(sheet), ("", ""))
            if kind == "worksheet" and self._package.find(path):
                yield attribute(sheet, "name"), path
        if listed is None:
            paths = [n for n in self._package.archive.names if n.startswith("xl/worksheets/sheet")]
            yield from (("", path) for path in sorted(paths, key=lambda p: (len(p), p)))

    def _rows(self, reader: SheetReader, path: str) -> Iterator[list[str]]:
        part = self._package.find(path) or path
        areas = merged_areas(self._package.archive, part)
        with self._package.archive.open(part) as stream:
            yield from reader.rows(stream, areas)

    def _notes(self, path: str) -> Iterator[str]:
        """Yield what stands beside the cells of a sheet: comments and text boxes."""
        for kind, target in self._package.relations(path).values():
            if kind == "comments":
                yield from _comments(self._package.xml(target))
            elif kind == "drawing":
                root = self._package.xml(target)
                yield from () if root is None else drawn_paragraphs(root)

    def _strings(self) -> list[str]:
        path = self._path("sharedStrings")
        part = self._package.find(path)
        strings: list[str] = []
        if part is None:
            return strings
        try:
            with self._package.archive.open(part) as stream:
                for _, item in stream_xml(stream, self._package.name, ("{*}si",)):
                    strings.append(rich_text(item))
                    forget(item)
        except (BrokenPart, BrokenXml):
            strings.append("")  # what is missing is left blank
        return strings

    def _writers(self) -> list[Writer]:
        root = self._package.xml(self._path("styles"))
        if root is None:
            return []
        formats = child(root, "numFmts")
        codes = dict(BUILTIN)
        for item in () if formats is None else formats:
            number = attribute(item, "numFmtId")
            if number.isdigit():
                codes[int(number)] = attribute(item, "formatCode")
        styles = child(root, "cellXfs")
        return [
            self._writer(codes, attribute(style, "numFmtId"))
            for style in (() if styles is None else styles)
        ]

    def _writer(self, codes: dict[int, str], number: str) -> Writer:
        code = codes.get(int(number), "") if number.isdigit() else ""
        return number_writer(code, self._counts_from_1904()) if code else general

    def _counts_from_1904(self) -> bool:
        properties = None if self._root is None else child(self._root, "workbookPr")
        return properties is not None and attribute(properties, "date1904").lower() in _TRUE

    def _path(self, kind: str) -> str:
        return next((p for k, p in self._parts.values() if k == kind), f"xl/{kind}.xml")


def _relation(sheet: Element) -> str:
    """Return a sheet's relation: its attribute "id" that belongs to a namespace."""
    return next((str(v) for k, v in sheet.items() if k.endswith("}id")), "")


def _comments(root: Element | None) -> Iterator[str]:
    if root is None:
        return
    listed, notes = child(root, "authors"), child(root, "commentList")
    authors = [author.text or "" for author in (() if listed is None else listed)]
    for note in () if notes is None else notes:
        text = child(note, "text")
        words = "" if text is None else rich_text(text).strip()
        number = attribute(note, "authorId")
        author = authors[int(number)] if number.isdigit() and int(number) < len(authors) else ""
        if words:
            said = words if not author or words.startswith(author) else f"{author}: {words}"
            yield f"{attribute(note, 'ref')} – {said}"
