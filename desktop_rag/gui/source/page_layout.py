"""Where the pages of a document stand, one below the other: numbers alone, no widgets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF

GAP = 12
"""Device-independent pixels between two pages."""

A4 = QSizeF(595, 842)


@dataclass(slots=True)
class PageLayout:
    """Pages in a column, or one alone; all measures are device-independent pixels.

    ``sizes`` are in PDF points; a page whose size is not known yet is taken to be as large
    as the first. ``only``: the page that is shown alone (from 1), 0 for all of them.
    """

    pages: int = 0
    scale: float = 1.0
    width: int = 0
    only: int = 0
    sizes: dict[int, QSizeF] = field(default_factory=dict)
    _tops: list[int] = field(default_factory=list)

    def arrange(self) -> None:
        """Compute the places again after anything has changed."""
        self._tops = [0]
        for page in range(1, self.pages + 1):
            height = round(self.size(page).height() * self.scale)
            hidden = bool(self.only) and page != self.only
            self._tops.append(self._tops[-1] + (0 if hidden else height + GAP))

    def size(self, page: int) -> QSizeF:
        """Return a page's size in points."""
        return self.sizes.get(page) or self.sizes.get(1) or A4

    @property
    def height(self) -> int:
        """The height of all that is shown."""
        return max(0, self._tops[-1] - GAP) if self._tops else 0

    @property
    def widest(self) -> int:
        """The width of the widest page that is shown."""
        if self.only:
            return round(self.size(self.only).width() * self.scale)
        known = [size.width() for size in self.sizes.values()] or [A4.width()]
        return round(max(known) * self.scale)

    def rect(self, page: int) -> QRect:
        """Return where a page stands; narrower ones are in the middle."""
        size = self.size(page) * self.scale
        room = max(self.width, self.widest)
        left = (room - round(size.width())) // 2
        return QRect(left, self._tops[page - 1], round(size.width()), round(size.height()))

    def page_at(self, y: int) -> int:
        """Return the page at a height; the gap below a page is its own."""
        if self.only:
            return self.only
        found = bisect_right(self._tops, max(0, y), 0, max(1, self.pages))
        return min(max(1, found), max(1, self.pages))

    def visible(self, top: int, bottom: int) -> list[int]:
        """Return the pages of which something lies between two heights."""
        if not self.pages:
            return []
        return list(range(self.page_at(top), self.page_at(max(top, bottom - 1)) + 1))

    def to_screen(self, page: int, box: QRectF) -> QRectF:
        """Return where a rectangle of a page (points) stands."""
        corner = QPointF(self.rect(page).topLeft())
        return QRectF(corner + box.topLeft() * self.scale, box.size() * self.scale)

    def to_page(self, page: int, point: QPointF) -> QPointF:
        """Return a place on a page in points."""
        return (point - QPointF(self.rect(page).topLeft())) / self.scale


def united(boxes: Sequence[QRectF]) -> QRectF:
    """Return the smallest rectangle around some, an empty one for none."""
    whole = QRectF()
    for box in boxes:
        whole = whole.united(box)
    return whole
