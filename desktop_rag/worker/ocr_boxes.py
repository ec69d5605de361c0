"""From the map of a detection model to the rectangles that lines of text stand in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Map = npt.NDArray[np.float32]
"""Shape (height, width): how likely each pixel belongs to the heart of a line, 0..1."""

Points = npt.NDArray[np.float64]
"""Shape (n, 2): x and y in pixels of the map."""

_LIKELY = 0.3
_SURE = 0.5
_GROWTH = 1.6
"""Of the DB detection models (PP-OCR's own settings): a pixel is text above the first, a
region is a line when its mean is above the second. The model sees lines thinner than they
are; each side goes out by growth × area / perimeter."""

_LEAST_SIDE = 3.0
_MOST_BOXES = 1000


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A line's place: middle, size and the direction of its width, which may be askew.

    ``angle`` is within ±45 degrees (in radians): ``width`` runs to the right.
    """

    x: float
    y: float
    width: float
    height: float
    angle: float

    def corners(self) -> Points:
        """Return top left, top right, bottom right, bottom left."""
        along = np.array([np.cos(self.angle), np.sin(self.angle)]) * self.width / 2
        down = np.array([-np.sin(self.angle), np.cos(self.angle)]) * self.height / 2
        middle = np.array([self.x, self.y])
        return np.array(
            [
                middle - along - down,
                middle + along - down,
                middle + along + down,
                middle - along + down,
            ]
        )


def line_rectangles(likely: Map) -> list[Rectangle]:
    """Return the lines' rectangles in pixels of the map, at most 1000."""
    found: list[Rectangle] = []
    for rows, starts, ends in _regions(_thickened(likely > _LIKELY)):
        rectangle = _smallest(_hull(rows, starts, ends))
        if min(rectangle.width, rectangle.height) < _LEAST_SIDE:
            continue
        values = [likely[y, x0:x1] for y, x0, x1 in zip(rows, starts, ends, strict=True)]
        if float(np.concatenate(values).mean()) < _SURE:
            continue
        found.append(_grown(rectangle))
        if len(found) == _MOST_BOXES:
            break
    return found


def _thickened(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the mask with each pixel spread to its right and below: gaps of one close."""
    thick = mask.copy()
    thick[:, 1:] |= mask[:, :-1]
    thick[1:] |= thick[:-1].copy()
    return thick


Region = tuple[list[int], list[int], list[int]]
"""The runs of a region: row, first column, column behind the last."""


def _regions(mask: npt.NDArray[np.bool_]) -> Iterator[Region]:
    """Yield the connected regions of a mask as runs of pixels."""
    rows, starts, ends = _runs(mask)
    parents = list(range(len(rows)))
    for upper, lower in _touching(rows, starts, ends):
        first, second = _root(parents, upper), _root(parents, lower)
        parents[max(first, second)] = min(first, second)
    regions: defaultdict[int, Region] = defaultdict(lambda: ([], [], []))
    for number in range(len(rows)):
        region = regions[_root(parents, number)]
        region[0].append(rows[number])
        region[1].append(starts[number])
        region[2].append(ends[number])
    yield from regions.values()


def _runs(mask: npt.NDArray[np.bool_]) -> Region:
    height, width = mask.shape
    framed = np.zeros((height, width + 2), dtype=np.int8)
    framed[:, 1:-1] = mask
    steps = np.diff(framed, axis=1)
    rows, starts = np.nonzero(steps == 1)
    ends = np.nonzero(steps == -1)[1]
    return rows.tolist(), starts.tolist(), ends.tolist()


def _touching(rows: list[int], starts: list[int], ends: list[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs of runs in neighbouring rows that touch, corners included."""
    upper = 0
    for lower, row in enumerate(rows):
        while rows[upper] < row - 1:
            upper += 1
        while rows[upper] == row - 1 and ends[upper] < starts[lower]:
            upper += 1
        at = upper
        while rows[at] == row - 1 and starts[at] <= ends[lower]:
            yield at, lower
            at += 1


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def _hull(rows: list[int], starts: list[int], ends: list[int]) -> Points:
    """Return the corners of the convex hull of a region's pixels."""
    corners = {
        (float(x), float(y + below))
        for y, x0, x1 in zip(rows, starts, ends, strict=True)
        for x in (x0, x1)
        for below in (0, 1)
    }
    ordered = sorted(corners)
    return np.array([*_chain(ordered)[:-1], *_chain(ordered[::-1])[:-1]])


def _chain(ordered: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return one side of a convex hull (Andrew's monotone chain)."""
    chain: list[tuple[float, float]] = []
    for x, y in ordered:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _smallest(hull: Points) -> Rectangle:
    """Return the rectangle of the least area around a hull: one side lies on one of its."""
    edges = np.roll(hull, -1, axis=0) - hull
    angles = np.unique(_within_quarter(np.arctan2(edges[:, 1], edges[:, 0])))
    cosines, sines = np.cos(angles), np.sin(angles)
    along = np.outer(cosines, hull[:, 0]) + np.outer(sines, hull[:, 1])
    across = np.outer(cosines, hull[:, 1]) - np.outer(sines, hull[:, 0])
    widths, heights = np.ptp(along, axis=1), np.ptp(across, axis=1)
    best = int(np.argmin(widths * heights))
    u = (along[best].max() + along[best].min()) / 2
    v = (across[best].max() + across[best].min()) / 2
    return Rectangle(
        x=float(u * cosines[best] - v * sines[best]),
        y=float(u * sines[best] + v * cosines[best]),
        width=float(widths[best]),
        height=float(heights[best]),
        angle=float(angles[best]),
    )


def _within_quarter(angles: Points) -> Points:
    """Return angles turned by right angles until they lie within ±45 degrees."""
    quarter: Points = np.round((angles + np.pi / 4) % (np.pi / 2) - np.pi / 4, 6)
    return quarter


def _grown(box: Rectangle) -> Rectangle:
    out = box.width * box.height * _GROWTH / (2 * (box.width + box.height))
    return Rectangle(box.x, box.y, box.width + 2 * out, box.height + 2 * out, box.angle)
