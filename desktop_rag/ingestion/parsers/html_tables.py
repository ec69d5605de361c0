"""Tables of web pages: rows of cells, or a frame that a page is laid out with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_LONGEST_CELL = 1200
"""Code points; a table with a longer cell lays out a page."""

_WIDEST_SPAN = 30
"""A cell's text stands in as many columns and rows at most; pages may say thousands."""

_LAYOUT_ROLES = frozenset({"presentation", "none"})


def is_table_of_data(table: LexborNode) -> bool:
    """Whether a table holds rows and columns of facts, rather than a page's layout."""
    if table.attributes.get("role") in _LAYOUT_ROLES:
        return False
    if any(inner.mem_id != table.mem_id for inner in table.css("table")):
        return False
    rows = list(_row_nodes(table))
    if max((sum(1 for _ in _cells(row)) for row in rows), default=0) < 2:
        return False
    return all(
        len(cell.text_content or "") <= _LONGEST_CELL for row in rows for cell in _cells(row)
    )


def rows_of(table: LexborNode) -> Iterator[list[LexborNode]]:
    """Yield the cells of each row; one that spans several columns or rows is in each."""
    below: dict[int, tuple[LexborNode, int]] = {}
    for row in _row_nodes(table):
        cells: list[LexborNode] = []
        waiting = below
        below = {}
        for node in _cells(row):
            _fill(cells, waiting, below)
            for _ in range(_span(node, "colspan")):
                if _span(node, "rowspan") > 1:
                    below[len(cells)] = (node, _span(node, "rowspan") - 1)
                cells.append(node)
        _fill(cells, waiting, below)
        yield cells


def header_rows_of(table: LexborNode) -> int:
    """Return how many rows at the top name the columns."""
    rows = list(_row_nodes(table))
    count = 0
    for row in rows[:3]:
        parent = row.parent
        in_head = parent is not None and parent.tag == "thead"
        if not in_head and any(cell.tag != "th" for cell in _cells(row)):
            break
        count += 1
    return count if count < len(rows) else 0


def _fill(
    cells: list[LexborNode],
    waiting: dict[int, tuple[LexborNode, int]],
    below: dict[int, tuple[LexborNode, int]],
) -> None:
    """Append the cells that reach down from the rows above, at the columns they stand in."""
    while len(cells) in waiting:
        node, left = waiting.pop(len(cells))
        if left > 1:
            below[len(cells)] = (node, left - 1)
        cells.append(node)


def _row_nodes(table: LexborNode) -> Iterator[LexborNode]:
    for child in table.iter():
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child.iter() if row.tag == "tr")


def _cells(row: LexborNode) -> Iterator[LexborNode]:
    return (cell for cell in row.iter() if cell.tag in ("td", "th"))


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return max(1, min(_WIDEST_SPAN, int(value))) if value.isdecimal() else 1
