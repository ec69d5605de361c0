"""Which pictures of pages there are, and which one is wanted next."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage

_WHOLE_PIXELS = 5_000_000
"""A page is drawn whole up to so many pixels; at a larger scale, its visible part on top."""

_KEPT = 10
_KEPT_PARTS = 3
_MARGIN = 0.25
"""Of the visible part, drawn around it, so that a little scrolling needs no new picture."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page, or a part of it, as drawn by the viewer.

    ``size`` is the whole page's in points, ``corner`` where the picture begins on it, and
    ``scale`` its pixels a point.
    """

    image: QImage
    size: QSizeF
    corner: QPointF = field(default_factory=QPointF)
    scale: float = 1.0

    @property
    def area(self) -> QRectF:
        """What part of the page it shows, in points."""
        size = QSizeF(self.image.width(), self.image.height()) / self.scale
        return QRectF(self.corner, size)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture to ask for: of a whole page, or of its part in ``clip`` (points)."""

    page: int
    scale: float
    clip: QRectF | None = None


class PagePictures:
    """Pictures of whole pages, and at great scales one of the visible part of each."""

    def __init__(self) -> None:
        self._whole: OrderedDict[int, tuple[float, PagePicture]] = OrderedDict()
        self._parts: dict[int, tuple[float, PagePicture]] = {}

    def clear(self) -> None:
        """Forget all."""
        self._whole.clear()
        self._parts.clear()

    def whole(self, page: int) -> PagePicture | None:
        """Return the picture of a page, perhaps at another scale than is wanted now."""
        known = self._whole.get(page)
        return known[1] if known is not None else None

    def part(self, page: int, scale: float) -> PagePicture | None:
        """Return the picture of a part of a page, if it is one at this scale."""
        known = self._parts.get(page)
        return known[1] if known is not None and known[0] == scale else None

    def keep(self, wanted: Wanted, picture: PagePicture) -> None:
        """Take in a picture that was asked for."""
        if wanted.clip is not None:
            self._parts.pop(wanted.page, None)
            self._parts[wanted.page] = (wanted.scale, picture)
            while len(self._parts) > _KEPT_PARTS:
                del self._parts[next(iter(self._parts))]
            return
        self._whole[wanted.page] = (wanted.scale, picture)
        self._whole.move_to_end(wanted.page)
        while len(self._whole) > _KEPT:
            self._whole.popitem(last=False)

    def next_wanted(
        self, visible: Sequence[tuple[int, QSizeF, QRectF]], beside: Sequence[int], scale: float
    ) -> Wanted | None:
        """Return what is missing most at a scale (device pixels a point), None for nothing.

        Args:
            visible: pages on the screen, each with its size and visible part in points.
            beside: pages that may be wanted soon.
            scale: pixels a point.
        """
        for page, size, _part in visible:
            self._touch(page)
            if self._lacks_whole(page, _whole_scale(size, scale)):
                return Wanted(page, _whole_scale(size, scale))
        for page, size, part in visible:
            if scale > _whole_scale(size, scale) and self._lacks_part(page, part, scale):
                return Wanted(page, scale, _grown(part, size))
        size = visible[0][1] if visible else QSizeF()
        missing = (page for page in beside if page not in self._whole)
        page = next(missing, 0) if visible else 0
        return Wanted(page, _whole_scale(size, scale)) if page else None

    def _touch(self, page: int) -> None:
        if page in self._whole:
            self._whole.move_to_end(page)

    def _lacks_whole(self, page: int, scale: float) -> bool:
        known = self._whole.get(page)
        return known is None or known[0] != scale

    def _lacks_part(self, page: int, part: QRectF, scale: float) -> bool:
        known = self.part(page, scale)
        return known is None or not known.area.adjusted(-1, -1, 1, 1).contains(part)


def _whole_scale(size: QSizeF, scale: float) -> float:
    area = max(1.0, size.width() * size.height())
    return round(min(scale, math.sqrt(_WHOLE_PIXELS / area)), 3)


def _grown(part: QRectF, size: QSizeF) -> QRectF:
    across, down = part.width() * _MARGIN, part.height() * _MARGIN
    grown = part.adjusted(-across, -down, across, down)
    return grown.intersected(QRectF(QPointF(0, 0), size))
