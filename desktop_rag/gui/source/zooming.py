"""How large pages and texts are shown."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.document import LineBox

ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)

_READABLE = 0.75
"""Of the natural size: a marked passage is not shown smaller by itself, if it fits so."""

_BESIDE_PASSAGE = 12
"""Pixels left free on both sides of a passage that fills the width."""

_LEAST = 0.15
_PIXELS_PER_POINT = 96 / 72


def next_zoom(now: float, steps: int) -> float:
    """Return the next larger or smaller one of the usual scales."""
    if steps > 0:
        return next((zoom for zoom in ZOOMS if zoom > now + 0.02), ZOOMS[-1])
    return next((zoom for zoom in reversed(ZOOMS) if zoom < now - 0.02), ZOOMS[0])


class PageZoom:
    """The scale that was chosen, or one that fits: a page's width, a passage's lines."""

    def __init__(self) -> None:
        self._chosen: float | None = None
        self._whole_width = False

    def choose(self, zoom: float | None) -> None:
        """Keep a scale (1 is the natural size); None fits the width from now on."""
        self._chosen, self._whole_width = zoom, zoom is None

    def scale(self, room: int, width: float, passage: Sequence[LineBox]) -> float:
        """Return the scale for so many pixels and a page so many points wide."""
        if self._chosen is not None:
            return self._chosen
        fitting = (room - 2) / max(1.0, width) / _PIXELS_PER_POINT
        if passage and not self._whole_width:
            lines = max(line.x1 for line in passage) - min(line.x0 for line in passage)
            of_lines = (room - 2 * _BESIDE_PASSAGE) / max(1.0, lines) / _PIXELS_PER_POINT
            fitting = max(fitting, min(_READABLE, of_lines))
        return max(_LEAST, fitting)
