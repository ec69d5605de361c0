"""Tables of Word documents: rows of cells, with the header over all of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop_rag.ingestion.parsers.docx_text import Words, paragraphs_of, words_of
from desktop_rag.ingestion.parsers.office_package import attribute, child
from desktop_rag.ingestion.parsers.xml_safe import Element, local_name

_INNER_CELLS = ", "
_INNER_ROWS = "; "
_WIDEST_SPAN = 100
_MOST_NESTING = 20


@dataclass(slots=True)
class TableRows:
    """A table as rows of words; ``anchored`` is what hangs on its paragraphs."""

    rows: list[list[str]] = field(default_factory=list)
    header_rows: int = 0
    anchored: Words = field(default_factory=Words)


def rows_of(table: Element) -> TableRows:
    """Read a table; what is nested in a cell becomes words of the cell."""
    found = TableRows()
    for row in _members(table, "tr"):
        properties = child(row, "trPr")
        if properties is not None and child(properties, "del") is not None:
            continue
        marked = properties is not None and child(properties, "tblHeader") is not None
        is_header = marked and found.header_rows == len(found.rows)
        cells = list(_cells(row, found.anchored, repeat=is_header or not found.rows))
        if any(cells):
            found.rows.append(cells)
            found.header_rows += is_header
    if not found.header_rows and len(found.rows) > 1:
        found.header_rows = 1
    return found


def sole_cells(table: Element) -> list[Element] | None:
    """Return the cells of a table of one column, which only frames its text, else None."""
    cells: list[Element] = []
    for row in _members(table, "tr"):
        inside = list(_members(row, "tc"))
        if len(inside) != 1:
            return None
        cells.extend(inside)
    return cells


def _cells(row: Element, anchored: Words, *, repeat: bool, depth: int = 0) -> Iterator[str]:
    for cell in _members(row, "tc"):
        words = _cell_words(cell, anchored, depth)
        yield words
        for _ in range(_span(cell) - 1):
            yield words if repeat else ""


def _span(cell: Element) -> int:
    span = child(cell, "tcPr", "gridSpan")
    value = "" if span is None else attribute(span, "val")
    return min(int(value), _WIDEST_SPAN) if value.isdigit() else 1


def _cell_words(cell: Element, anchored: Words, depth: int) -> str:
    pieces: list[str] = []
    for element in paragraphs_of(cell):
        if local_name(element) == "p":
            words = words_of(element)
            pieces.append(words.text)
            anchored.notes.extend(words.notes)
            anchored.boxes.extend(words.boxes)
        elif depth < _MOST_NESTING:
            pieces.append(_inner_table(element, anchored, depth + 1))
    return " ".join(" ".join(pieces).split())


def _inner_table(table: Element, anchored: Words, depth: int) -> str:
    rows = (
        _INNER_CELLS.join(filter(None, _cells(row, anchored, repeat=False, depth=depth)))
        for row in _members(table, "tr")
    )
    return _INNER_ROWS.join(filter(None, rows))


def _members(element: Element, name: str) -> Iterator[Element]:
    """Yield the rows or cells of a table, also those inside of content controls."""
    for item in element:
        kind = local_name(item)
        if kind == name:
            yield item
        elif kind in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            yield from _members(item, name)
