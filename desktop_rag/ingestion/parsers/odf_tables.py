"""Rows of OpenDocument tables, in texts, sheets and slides alike."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.ingestion.parsers.odf_package import all_words
from desktop_rag.ingestion.parsers.office_package import attribute
from desktop_rag.ingestion.parsers.xml_safe import Element, local_name

_MOST_COLUMNS = 1024
_MOST_REPEATS = 1000
"""Of a row that is said to stand there so often; sheets fill themselves up to the last row
with one row that repeats a million times."""

_GROUPS = frozenset({"table-header-rows", "table-rows", "table-row-group"})


def table_rows(table: Element) -> tuple[list[list[str]], int]:
    """Return the rows of a table, and how many of them are its header."""
    rows: list[list[str]] = []
    header_rows = 0
    for row, is_header in _rows(table, is_header=False):
        cells = row_cells(row)
        if any(cells):
            header_rows += is_header and header_rows == len(rows)
            rows.append(cells)
    return rows, header_rows or int(len(rows) > 1)


def row_cells(row: Element) -> list[str]:
    """Return the cells of a row; one that covers several columns counts for each."""
    cells: list[str] = []
    blanks, covering = 0, ""
    for cell in row:
        name = local_name(cell)
        if name not in ("table-cell", "covered-table-cell"):
            continue
        if name == "table-cell":
            words = _words(cell)
            covering = words if _number(cell, "number-columns-spanned") > 1 else ""
        else:
            words = covering
        times = _number(cell, "number-columns-repeated")
        if not words:
            blanks += times
        elif len(cells) + blanks < _MOST_COLUMNS:
            cells.extend([""] * blanks)
            cells.extend([words] * min(times, _MOST_COLUMNS - len(cells)))
            blanks = 0
    return cells


def repeats(row: Element) -> int:
    """Return how often a row stands there."""
    return min(_number(row, "number-rows-repeated"), _MOST_REPEATS)


def _rows(element: Element, *, is_header: bool) -> Iterator[tuple[Element, bool]]:
    for item in element:
        name = local_name(item)
        if name == "table-row":
            yield item, is_header
        elif name in _GROUPS:
            yield from _rows(item, is_header=is_header or name == "table-header-rows")


def _words(cell: Element) -> str:
    words = " ".join(all_words(cell).split())
    if words:
        return words
    value = attribute(cell, "value") or attribute(cell, "date-value")
    value = value or attribute(cell, "string-value")
    return value or attribute(cell, "formula").removeprefix("of:")


def _number(element: Element, name: str) -> int:
    value = attribute(element, name, "1")
    return max(1, int(value)) if value.isdigit() else 1
