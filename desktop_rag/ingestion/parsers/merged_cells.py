"""Merged cells: what stands in one cell counts for all that it covers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

_MOST = 20_000
_WIDEST = 100
_TALLEST = 2000
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")

Area = tuple[int, int, int, int]
"""First row, first column, last row, last column; all from 0 and inclusive."""


def cell_place(reference: str) -> tuple[int, int] | None:
    """Return (row, column), from 0, of a reference such as "B7", None for what is none."""
    match = _REFERENCE.fullmatch(reference)
    return None if match is None else (int(match[2]) - 1, column_number(match[1]))


def column_number(letters: str) -> int:
    """Return the number, from 0, of a column named by letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


class MergedCells:
    """Repeats merged cells in the rows of one sheet, which come in order.

    Areas that are far larger than a table's cells ever are (whole columns) stay as they
    are, and so do all but the first 20,000.
    """

    def __init__(self, areas: Iterable[Area]) -> None:
        self._beginning: dict[int, list[Area]] = defaultdict(list)
        for _, area in zip(range(_MOST), areas, strict=False):
            if area[3] - area[1] < _WIDEST and area[2] - area[0] < _TALLEST:
                self._beginning[area[0]].append(area)
        self._lasting: list[tuple[Area, str]] = []

    def fill(self, row: int, cells: list[str]) -> list[str]:
        """Return the cells of a row (its number from 0) with the covered ones filled."""
        begun = self._beginning.pop(row, ())
        if not begun and not self._lasting:
            return cells
        self._lasting = [item for item in self._lasting if item[0][2] >= row]
        for area, value in self._lasting:
            _put(cells, area, value)
        for area in begun:
            value = cells[area[1]] if area[1] < len(cells) else ""
            if value:
                _put(cells, area, value)
                self._lasting.append((area, value))
        return cells


def areas_of(references: Iterable[str]) -> Iterator[Area]:
    """Yield the areas of references such as "A1:C1"."""
    for reference in references:
        first, _, last = reference.partition(":")
        begin, end = cell_place(first), cell_place(last)
        if begin is not None and end is not None:
            yield *begin, *end


def _put(cells: list[str], area: Area, value: str) -> None:
    _, first, _, last = area
    cells.extend([""] * (last + 1 - len(cells)))
    for column in range(first, last + 1):
        if not cells[column]:
            cells[column] = value
