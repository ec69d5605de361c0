"""The rows of one Excel sheet, read from front to back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from desktop_rag.ingestion.parsers.archive import Archive
from desktop_rag.ingestion.parsers.merged_cells import Area, MergedCells, areas_of, cell_place
from desktop_rag.ingestion.parsers.number_formats import Writer, general
from desktop_rag.ingestion.parsers.xml_safe import Element, Readable, forget, local_name, stream_xml

_MERGED = re.compile(rb'mergeCell\s[^>]*?ref\s*=\s*["\']([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})')
_PIECE = 1 << 20
_LONGEST_MARK = 256
_MOST_COLUMNS = 16_384
_TRUE = {"1": "TRUE", "0": "FALSE"}


class SheetReader:
    """Turns the XML of sheets into rows of words.

    Args:
        strings: the workbook's shared strings.
        writers: the number formats by style number.
        name: the file's name, for messages.
    """

    def __init__(self, strings: Sequence[str], writers: Sequence[Writer], name: str) -> None:
        self._strings = strings
        self._writers = writers
        self._name = name
        self._formulas: dict[str, str] = {}
        self._by_type: dict[str, Callable[[str, int], str]] = {
            "s": self._shared,
            "str": _as_it_is,
            "inlineStr": _as_it_is,
            "e": _as_it_is,
            "d": _as_it_is,
            "b": lambda value, _: _TRUE.get(value, value),
        }

    def rows(self, stream: Readable, areas: Iterator[Area]) -> Iterator[list[str]]:
        """Yield the rows of a sheet, merged cells repeated.

        Raises:
            BrokenPart: the part breaks off.
            BrokenXml: it is not well-formed from here on.
        """
        merged = MergedCells(areas)
        self._formulas.clear()
        number = -1
        for _, row in stream_xml(stream, self._name, ("{*}row",)):
            said = row.get("r", "")
            number = int(said) - 1 if said.isdigit() else number + 1
            cells = merged.fill(number, self._cells(row))
            forget(row)
            yield cells

    def _cells(self, row: Element) -> list[str]:
        cells: list[str] = []
        for cell in row:
            reference = cell.get("r")
            place = cell_place(reference) if reference else None
            column = len(cells) if place is None else place[1]
            if column >= _MOST_COLUMNS or column < len(cells):
                continue
            words = self._words(cell)
            if words:
                cells.extend([""] * (column - len(cells)))
                cells.append(words)
        return cells

    def _words(self, cell: Element) -> str:
        kind = cell.get("t") or "n"
        formula = ""
        for item in cell:
            name = local_name(item)
            if name == "v" and item.text:
                return self._value(kind, item.text, cell.get("s"))
            if name == "is":
                return rich_text(item)
            if name == "f":
                formula = self._formula(item)
        return f"={formula}" if formula else ""

    def _value(self, kind: str, value: str, style: str | None) -> str:
        number = int(style) if style and style.isdigit() else 0
        make = self._by_type.get(kind)
        return self._number(value, number) if make is None else make(value, number)

    def _shared(self, value: str, _: int) -> str:
        place = int(value) if value.strip().isdigit() else -1
        return self._strings[place] if 0 <= place < len(self._strings) else ""

    def _number(self, value: str, style: int) -> str:
        try:
            number = float(value)
            write = self._writers[style] if style < len(self._writers) else general
            return write(number)
        except (ValueError, OverflowError):
            return value

    def _formula(self, item: Element) -> str:
        """Return a formula; cells that share one name its text in the first of them alone."""
        shared = item.get("si")
        if item.text and shared:
            self._formulas[shared] = item.text
        return item.text or self._formulas.get(shared or "", "")


def rich_text(element: Element) -> str:
    """Return the words of a string item; how they are spoken is left out."""
    pieces: list[str] = []
    for item in element:
        name = local_name(item)
        if name == "t":
            pieces.append(item.text or "")
        elif name == "r":
            pieces.append(rich_text(item))
    return "".join(pieces)


def merged_areas(archive: Archive, part: str) -> Iterator[Area]:
    """Yield the merged areas of a sheet, which it names behind its rows.

    They are looked for in the bytes: reading all rows twice as XML would take too long.
    """
    found: dict[str, None] = {}
    rest = b""
    with archive.open(part) as stream:
        while piece := stream.read(_PIECE):
            rest += piece
            for match in _MERGED.finditer(rest):
                found.setdefault(match[1].decode("ascii"))
            rest = rest[-_LONGEST_MARK:]
    yield from areas_of(found)


def _as_it_is(value: str, _: int) -> str:
    return value
