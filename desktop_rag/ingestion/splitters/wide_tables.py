"""Headers of tables that are too wide to be repeated as they are."""

from __future__ import annotations

import re

Span = tuple[int, int]

_CELL_END = re.compile(r"[|\t]")
"""What stands between cells in the canonical text: a bar, in PDF a tab."""


def columns_of(text: str, header: Span, start: int, end: int) -> Span | None:
    """Return the part of a header that names the cells from ``start`` to ``end``.

    Args:
        text: the canonical text.
        header: the range of the header in it.
        start: where a piece of the table begins.
        end: where it ends.

    Returns:
        A range within ``header``'s first row; None when the piece is more than a part of one
        row, or the row has more cells than the header.
    """
    if "\n" in text[start:end]:
        return None
    row = text.rfind("\n", 0, start) + 1
    first = len(_CELL_END.findall(text, row, start))
    last = first + len(_CELL_END.findall(text[start:end].rstrip(" |\t")))
    header_end = text.find("\n", *header)
    cells = _cells(text, header[0], header_end if header_end >= 0 else header[1])
    if last >= len(cells):
        return None
    return cells[first][0], cells[last][1]


def _cells(text: str, start: int, end: int) -> list[Span]:
    cells: list[Span] = []
    for mark in _CELL_END.finditer(text, start, end):
        cells.append((start, mark.start()))
        start = mark.end()
    return [*cells, (start, end)]
