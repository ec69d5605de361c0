"""Tables with ruled lines: which line of a page stands in which cell."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from desktop_rag.ingestion.parsers.pdf_lines import Line, Rule, needs_space, rows_of

_Cell = Sequence[Line]
"""The lines that stand in one cell."""

_NEAR = 3.0
"""Points: rules that are no further apart are one, or touch."""

_LONGEST_CELL = 30
"""Lines; a "cell" of more is a part of the page with a frame around it."""

_LEAST_LINES = 3
_MOST_RULES = 400
"""Of one direction, when those in line with each other are joined: more is a drawing."""


@dataclass(slots=True)
class _Ruled:
    """Rules that touch each other: (place, from, to) of the level and the upright ones."""

    level: list[Rule]
    upright: list[Rule]

    def places(self) -> tuple[list[float], list[float]]:
        """Return where the columns and the rows begin and end, open sides included."""
        xs = _distinct([*(x for x, _, _ in self.upright), *_ends(self.level)])
        ys = _distinct([*(y for y, _, _ in self.level), *_ends(self.upright)])
        return xs, ys

    def is_ruled(self, left: float, right: float, y: float) -> bool:
        """Whether a level rule lies at a height, over the middle of a column."""
        middle = (left + right) / 2
        return any(
            abs(place - y) <= _NEAR and low <= middle <= high for place, low, high in self.level
        )

    def place_of(self, line: Line, xs: Sequence[float], ys: Sequence[float]) -> tuple[int, int]:
        """Return the row and the column of the cell that a line stands in.

        A cell begins at the next rule to the left, and above, that is drawn there: cells that
        were merged have none between them.
        """
        x, y = (line.x0 + line.x1) / 2, line.middle
        left = [p for p, low, high in self.upright if p <= x and low - _NEAR <= y <= high + _NEAR]
        above = [p for p, low, high in self.level if p <= y and low - _NEAR <= x <= high + _NEAR]
        return (
            max(0, bisect_right(ys, max(above, default=ys[0]) + _NEAR) - 1),
            max(0, bisect_right(xs, max(left, default=xs[0]) + _NEAR) - 1),
        )


def with_tables(
    lines: Sequence[Line], level: Sequence[Rule], upright: Sequence[Rule]
) -> list[Line]:
    """Return a page's lines with each row of a ruled table as one, its cells apart by tabs.

    Args:
        lines: those of the page.
        level: level rules, as (y, x from, x to).
        upright: upright rules, as (x, y from, y to).
    """
    rest = list(lines)
    number = 0
    for ruled in _touching(_joined(level), _joined(upright)):
        xs, ys = ruled.places()
        if len(xs) < _LEAST_LINES or len(ys) < _LEAST_LINES:
            continue
        inside = [line for line in rest if _is_in(line, xs, ys)]
        rows = _rows(inside, ruled, xs, ys, number + 1)
        if rows:
            number += 1
            taken = set(map(id, inside))
            rest = [*(line for line in rest if id(line) not in taken), *rows]
    return rest


def _rows(
    lines: Iterable[Line], ruled: _Ruled, xs: Sequence[float], ys: Sequence[float], number: int
) -> list[Line]:
    """Return the rows of one table, none when it is not one."""
    cells: defaultdict[int, defaultdict[int, list[Line]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        row, column = ruled.place_of(line, xs, ys)
        cells[min(row, len(ys) - 2)][min(column, len(xs) - 2)].append(line)
    merged = _merged(cells, ruled, xs, ys)
    longest = max((len(cell) for row in cells.values() for cell in row.values()), default=0)
    if longest > _LONGEST_CELL or sum(len(row) > 1 for row in cells.values()) < 2:
        return []
    return [
        _row(part, merged[row], xs, number)
        for row, found in sorted(cells.items())
        for part in _unruled(found)
    ]


def _merged(
    cells: Mapping[int, Mapping[int, _Cell]],
    ruled: _Ruled,
    xs: Sequence[float],
    ys: Sequence[float],
) -> Mapping[int, Mapping[int, _Cell]]:
    """Return, for each row, the cells above that reach down into it: no rule ends them."""
    reach: defaultdict[int, dict[int, _Cell]] = defaultdict(dict)
    for row, column in product(range(1, len(ys) - 1), range(len(xs) - 1)):
        own = cells[row].get(column) if row in cells else None
        above = cells.get(row - 1, {}).get(column) or reach[row - 1].get(column)
        if above and not own and not ruled.is_ruled(xs[column], xs[column + 1], ys[row]):
            reach[row][column] = above
    return reach


def _row(
    cells: Mapping[int, _Cell], merged: Mapping[int, _Cell], xs: Sequence[float], number: int
) -> Line:
    """Return one row as a line that is as wide as the table."""
    lines = [line for cell in cells.values() for line in cell]
    said = {**merged, **cells}
    text = "\t".join(_text(said.get(column, ())) for column in range(len(xs) - 1)).rstrip()
    main = max(lines, key=lambda line: len(line.text))
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    bold = all(line.bold for line in lines)
    row = Line(text, xs[0], top, xs[-1], bottom, main.size, bold, main.mono)
    row.cells, row.table = max(2, len(said)), number
    return row


def _unruled(cells: Mapping[int, list[Line]]) -> list[Mapping[int, list[Line]]]:
    """Cut what is between two level rules into rows, where only the header is ruled off.

    The first cell then has a line for each row, and at least one other as many beside them.
    """
    keys = sorted(cells[min(cells)], key=lambda line: line.middle)
    beside = [sorted(cell, key=lambda line: line.middle) for n, cell in cells.items() if n]
    if len(keys) < _LEAST_LINES or not any(_is_level(keys, cell) for cell in beside):
        return [cells]
    tops = [line.y0 - 1 for line in keys]
    rows: list[dict[int, list[Line]]] = [{} for _ in keys]
    for column, cell in cells.items():
        for line in cell:
            row = rows[max(0, bisect_right(tops, line.y0) - 1)]
            row.setdefault(column, []).append(line)
    return list(rows)


def _is_level(keys: Sequence[Line], cell: Sequence[Line]) -> bool:
    return len(keys) == len(cell) and all(
        abs(one.middle - other.middle) < one.size / 3 for one, other in zip(keys, cell, strict=True)
    )


def _text(lines: Sequence[Line]) -> str:
    text = ""
    for line in (line for row in rows_of(lines) for line in row):
        text += (" " if needs_space(text, line.text) else "") + line.text
    return text


def _is_in(line: Line, xs: Sequence[float], ys: Sequence[float]) -> bool:
    x = (line.x0 + line.x1) / 2
    return xs[0] - _NEAR <= x <= xs[-1] + _NEAR and ys[0] - 1 <= line.middle <= ys[-1] + 1


def _joined(rules: Iterable[Rule]) -> list[Rule]:
    """Join rules that lie in one line and touch."""
    result: list[Rule] = []
    for place, low, high in sorted(rules, key=lambda rule: (round(rule[0] / _NEAR), rule[1])):
        if result and abs(result[-1][0] - place) <= _NEAR and low <= result[-1][2] + _NEAR:
            last = result[-1]
            result[-1] = last[0], last[1], max(last[2], high)
        else:
            result.append((place, low, high))
    return result if len(result) <= _MOST_RULES else []


def _touching(level: list[Rule], upright: list[Rule]) -> list[_Ruled]:
    """Return the rules that cross or meet, group by group, from top to bottom."""
    groups: list[_Ruled] = []
    left = list(upright)
    for rule in level:
        y, low, high = rule
        crossing = [v for v in left if _meet(v, y, low, high)]
        met = [g for g in groups if any(_meet(v, y, low, high) for v in g.upright)]
        if not crossing and not met:
            continue
        left = [v for v in left if v not in crossing]
        joined = _Ruled([rule], crossing)
        for group in met:
            joined.level += group.level
            joined.upright += group.upright
        groups = [*(group for group in groups if group not in met), joined]
    return sorted(groups, key=lambda group: min(y for y, _, _ in group.level))


def _meet(upright: Rule, y: float, low: float, high: float) -> bool:
    x, top, bottom = upright
    return top - _NEAR <= y <= bottom + _NEAR and low - _NEAR <= x <= high + _NEAR


def _ends(rules: Sequence[Rule]) -> tuple[float, ...]:
    if not rules:
        return ()
    return min(low for _, low, _ in rules), max(high for _, _, high in rules)


def _distinct(places: Iterable[float]) -> list[float]:
    result: list[float] = []
    for place in sorted(places):
        if not result or place - result[-1] > _NEAR:
            result.append(place)
    return result
