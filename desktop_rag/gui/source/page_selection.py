"""Words of pages that are selected with the mouse, to be copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF


@dataclass(frozen=True, slots=True)
class Word:
    """A word on a page: its rectangle in points, and the number of its line."""

    text: str
    box: QRectF
    line: int


Position = tuple[int, int]
"""A page, and the index of a word of it."""


class PageSelection:
    """Holds the words of the pages that are on the screen, and what is selected of them."""

    def __init__(self) -> None:
        self.words: dict[int, Sequence[Word]] = {}
        self._anchor: Position | None = None
        self._head: Position | None = None

    def clear(self) -> None:
        """Select nothing."""
        self._anchor = self._head = None

    def begin(self, page: int, point: QPointF) -> None:
        """Begin at a place of a page (points)."""
        self._anchor = self._head = self._nearest(page, point, near=True)

    def extend(self, page: int, point: QPointF) -> None:
        """Select as far as a place of a page."""
        position = self._nearest(page, point, near=False)
        if self._anchor is None:
            self._anchor = position
        self._head = position or self._head

    def select_page(self, page: int) -> None:
        """Select all words of a page."""
        count = len(self.words.get(page, ()))
        self._anchor, self._head = ((page, 0), (page, count - 1)) if count else (None, None)

    def is_over(self, page: int, point: QPointF) -> bool:
        """Whether a place lies on a word."""
        return any(word.box.contains(point) for word in self.words.get(page, ()))

    def boxes(self, page: int) -> list[QRectF]:
        """Return what to paint on a page: one rectangle a line."""
        lines: dict[int, QRectF] = {}
        for word in self._selected(page):
            lines[word.line] = lines.get(word.line, QRectF()).united(word.box)
        return list(lines.values())

    @property
    def text(self) -> str:
        """The selected words, with the page's line ends."""
        if self._anchor is None or self._head is None:
            return ""
        first, last = sorted((self._anchor, self._head))
        pieces = []
        for page in range(first[0], last[0] + 1):
            line: int | None = None
            for word in self._selected(page):
                pieces.append("\n" if line is not None and word.line != line else " ")
                pieces.append(word.text)
                line = word.line
            pieces.append("\n")
        return "".join(pieces).strip().replace("\n ", "\n")

    def _selected(self, page: int) -> Sequence[Word]:
        if self._anchor is None or self._head is None:
            return ()
        first, last = sorted((self._anchor, self._head))
        words = self.words.get(page, ())
        if not first[0] <= page <= last[0]:
            return ()
        start = first[1] if page == first[0] else 0
        end = last[1] + 1 if page == last[0] else len(words)
        return words[start:end]

    def _nearest(self, page: int, point: QPointF, near: bool) -> Position | None:
        """Return the word at a place, or the nearest one; ``near``: only one close by."""
        words = self.words.get(page, ())
        if not words:
            return None
        index = min(range(len(words)), key=lambda number: _distance(words[number].box, point))
        if near and _distance(words[index].box, point) > _NEAR:
            return None
        return page, index


_NEAR = 20.0
"""Points; with lines counting more than what is beside."""


def _distance(box: QRectF, point: QPointF) -> float:
    across = max(box.left() - point.x(), 0.0, point.x() - box.right())
    down = max(box.top() - point.y(), 0.0, point.y() - box.bottom())
    return across + 4 * down
