"""Where to cut a row of units into pieces of about one size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from zlib import crc32

NOISE = 0.15
"""How much a boundary's own words may speak for or against it.

Without it the best cuts of a long uniform text would all move when something is inserted
at its beginning. With it, some boundaries are preferred wherever the counting started.
"""

_ANCHOR_REACH = 1.5
"""A boundary is always cut that is the cheapest within so many target sizes to both sides.
Between two such anchors, on average four pieces apart, pieces depend on nothing outside."""

_NOISE_CHARACTERS = 32
_MOST_UNITS = 64
"""A piece has at most so many units; it bounds the work on texts of very short lines."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A unit's size, and what it costs to cut before it: 0 is free, below 0 is welcome."""

    size: int
    cost: float


def noise_of(words: str) -> float:
    """Return 0 to ``NOISE``, depending on the first words after a boundary alone."""
    head = words[:_NOISE_CHARACTERS].encode("utf-8", "surrogatepass")
    return NOISE * (crc32(head) / 0xFFFFFFFF)


def cut(units: Sequence[Sized], target: int, longest: int) -> list[tuple[int, int]]:
    """Return the pieces (first, behind last) with the least total cost.

    A piece of size s costs ((s - target) / target)², and every cut costs what its unit
    says. No piece is longer than ``longest``, unless it is a single unit that is.
    """
    bounds = [0, *_anchors(units, target), len(units)]
    return [
        (low + first, low + last)
        for low, high in pairwise(bounds)
        for first, last in _cheapest_cuts(units[low:high], target, longest)
    ]


def _anchors(units: Sequence[Sized], target: int) -> Iterator[int]:
    """Yield the units that begin a piece whatever stands further away than the reach.

    None is less than ``target`` away from either end.
    """
    reach = int(_ANCHOR_REACH * target)
    before, total = 0, sum(unit.size for unit in units)
    for index, unit in enumerate(units):
        if (
            target <= before <= total - target
            and _is_least(units, range(index - 1, 0, -1), unit.cost + 1e-9, reach)
            and _is_least(units, range(index + 1, len(units)), unit.cost, reach - unit.size)
        ):
            yield index
        before += unit.size


def _is_least(units: Sequence[Sized], others: range, cost: float, reach: int) -> bool:
    """Whether no boundary in ``others`` costs less, as far as ``reach`` goes."""
    for index in others[:_MOST_UNITS]:
        reach -= units[index].size
        if reach < 0:
            return True
        if units[index].cost < cost:
            return False
    return True


def _cheapest_cuts(units: Sequence[Sized], target: int, longest: int) -> list[tuple[int, int]]:
    count = len(units)
    totals = [0, *accumulate(unit.size for unit in units)]
    best = [0.0] * (count + 1)
    previous = [0] * (count + 1)
    for end in range(1, count + 1):
        best[end], previous[end] = _cheapest(units, totals, best, end, target, longest)
    pieces: list[tuple[int, int]] = []
    end = count
    while end > 0:
        pieces.append((previous[end], end))
        end = previous[end]
    pieces.reverse()
    return pieces


def _cheapest(
    units: Sequence[Sized],
    totals: Sequence[int],
    best: Sequence[float],
    end: int,
    target: int,
    longest: int,
) -> tuple[float, int]:
    """Return the least cost of cutting the units before ``end``, and the last cut's place."""
    lowest, place = float("inf"), end - 1
    for start in range(end - 1, max(-1, end - 1 - _MOST_UNITS), -1):
        size = totals[end] - totals[start]
        if size > longest and start < end - 1:
            break
        deviation = (size - target) / target
        cost = best[start] + deviation * deviation + (units[start].cost if start else 0.0)
        if cost < lowest:
            lowest, place = cost, start
    return lowest, place
