"""PDF pages as pictures, sharp at the screen's resolution, with marked lines."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_rag.domain.document import LineBox
from desktop_rag.gui import theme
from desktop_rag.gui.strings import name_for_readers, tr

PIXELS_PER_POINT = 96 / 72
"""At 100 %: a screen of 96 device-independent pixels an inch."""

_ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_READABLE = 0.75
"""Of the natural size: a marked passage is not shown smaller by itself, if it fits so."""

_BESIDE_PASSAGE = 12
"""Pixels left free on both sides of a passage that fills the width."""

_A4 = QSizeF(595, 842)
_RENDER_AFTER_MS = 60
_CACHED_PAGES = 8
_MARGIN = 2


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as drawn by the viewer: its picture, and its size in points."""

    image: QImage
    size: QSizeF


RequestPage = Callable[[int, float, Callable[[PagePicture], None]], None]
"""Asks for a page at so many pixels a point; the picture arrives later."""


class _Canvas(QWidget):
    """The page and its marks."""

    def __init__(self) -> None:
        super().__init__()
        self.picture: PagePicture | None = None
        self.scale = PIXELS_PER_POINT
        self.boxes: list[QRectF] = []

    def fit(self, size: QSizeF, scale: float) -> None:
        self.scale = scale
        self.setFixedSize((size * scale).toSize())
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        if self.picture is not None:
            painter.drawImage(QRectF(self.rect()), self.picture.image)
        else:
            painter.setPen(QColor(theme.LIGHT.soft))
            upper = self.rect().adjusted(0, 24, 0, 0)
            painter.drawText(upper, int(Qt.AlignmentFlag.AlignHCenter), tr("source.drawing"))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.LIGHT.mark))
        for box in self.boxes:
            painter.drawRect(self._on_screen(box))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.current.color("line"), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _on_screen(self, box: QRectF) -> QRectF:
        corner, size = box.topLeft() * self.scale, box.size() * self.scale
        return QRectF(corner, size).adjusted(-_MARGIN, -1, _MARGIN, 1)


class PageView(QScrollArea):
    """Shows one page at a time; the wheel at an edge turns it.

    ``page_changed`` and ``zoom_changed`` (in percent) tell what is shown.
    """

    page_changed = Signal(int)
    zoom_changed = Signal(int)

    def __init__(self, request: RequestPage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageView")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._request = request
        self._canvas = _Canvas()
        self.setWidget(self._canvas)
        self._cache: OrderedDict[tuple[int, float], PagePicture] = OrderedDict()
        self._passage: Sequence[LineBox] = ()
        self._lines: Sequence[LineBox] = ()
        self._zoom: float | None = None
        self._whole_width = False
        self._size = _A4
        self._scroll_to_mark = False
        self.page = 0
        self.pages = 0
        self._timer = QTimer(self, singleShot=True, interval=_RENDER_AFTER_MS)
        self._timer.timeout.connect(self._fetch)
        name_for_readers(self, "source.page_name")
        self.setToolTip("")

    def show_document(self, pages: int) -> None:
        """Begin with another document."""
        self.page, self.pages = 0, pages
        self._cache.clear()
        self._canvas.picture = None
        self._passage = self._lines = ()
        self._size = _A4

    def show_page(self, page: int, lines: Sequence[LineBox] = ()) -> None:
        """Show a page (1-based) with these lines marked, scrolled to the first of them."""
        page = min(max(1, page), max(1, self.pages))
        turned = page != self.page
        self.page, self._passage = page, lines
        self._lines = [line for line in lines if line.page == page]
        self._canvas.boxes = [_box(line) for line in self._lines]
        self._scroll_to_mark = True
        if turned:
            self._canvas.picture = None
            self.page_changed.emit(page)
        self._resize_canvas()
        self._fetch()

    def mark(self, page: int, boxes: Sequence[QRectF], scroll: bool = False) -> None:
        """Mark rectangles (PDF points) on a page in place of the lines; scroll if wanted."""
        if scroll and page != self.page:
            self.show_page(page)
        if page == self.page:
            self._canvas.boxes = list(boxes)
            self._scroll_to_mark = self._scroll_to_mark or scroll
            self._resize_canvas()

    def order(self, backwards: bool, onward: bool) -> list[int]:
        """Return all pages in the order to look through them, from the one shown."""
        step = -1 if backwards else 1
        first = self.page + (step if onward else 0)
        return [(first - 1 + step * n) % self.pages + 1 for n in range(self.pages)]

    def turn(self, by: int) -> None:
        """Go some pages on or back; marks of a passage stay with their page."""
        page = self.page + by
        if 1 <= page <= self.pages:
            self.show_page(page, self._passage)

    @property
    def scale(self) -> float:
        """Device-independent pixels a point."""
        if self._zoom is not None:
            return self._zoom * PIXELS_PER_POINT
        fitting = (self.viewport().width() - 2) / self._size.width()
        if self._lines and not self._whole_width:
            fitting = max(fitting, min(_READABLE * PIXELS_PER_POINT, self._passage_scale()))
        return max(0.2, fitting)

    def _passage_scale(self) -> float:
        """The scale at which the marked lines fill the width: none of them is cut."""
        width = max(line.x1 for line in self._lines) - min(line.x0 for line in self._lines)
        return (self.viewport().width() - 2 * _BESIDE_PASSAGE) / max(1.0, width)

    def zoom(self, steps: int) -> None:
        """Enlarge or reduce by a step; 0 fits the width again."""
        now = self.scale / PIXELS_PER_POINT
        larger = [zoom for zoom in _ZOOMS if zoom > now + 0.02]
        smaller = [zoom for zoom in _ZOOMS if zoom < now - 0.02]
        if steps > 0:
            self._zoom = larger[0] if larger else _ZOOMS[-1]
        elif steps < 0:
            self._zoom = smaller[-1] if smaller else _ZOOMS[0]
        else:
            self._zoom, self._whole_width = None, True
        self._resize_canvas()
        self._timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the width again."""
        super().resizeEvent(event)
        if self.page:
            self._resize_canvas()
            self._timer.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; at the upper or lower edge, turn the page."""
        bar, delta = self.verticalScrollBar(), event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if delta > 0 else -1)
        elif delta < 0 and bar.value() == bar.maximum() and self.page < self.pages:
            self.turn(1)
            bar.setValue(0)
        elif delta > 0 and bar.value() == 0 and self.page > 1:
            self.turn(-1)
            bar.setValue(bar.maximum())
        else:
            super().wheelEvent(event)

    def _fetch(self) -> None:
        if not self.page:
            return
        page, scale = self.page, round(self.scale * self.devicePixelRatioF(), 3)
        known = self._cache.get((page, scale))
        if known is not None:
            self._cache.move_to_end((page, scale))
            self._show(page, scale, known)
        else:
            self._request(page, scale, lambda picture: self._show(page, scale, picture))

    def _show(self, page: int, scale: float, picture: PagePicture) -> None:
        self._cache[page, scale] = picture
        while len(self._cache) > _CACHED_PAGES:
            self._cache.popitem(last=False)
        if page != self.page:
            return
        self._canvas.picture = picture
        if picture.size != self._size:
            self._size = picture.size
            if self._zoom is None:
                self._timer.start()
        self._resize_canvas()

    def _resize_canvas(self) -> None:
        self._canvas.fit(self._size, self.scale)
        self.zoom_changed.emit(round(self.scale / PIXELS_PER_POINT * 100))
        if self._scroll_to_mark and self._canvas.picture is not None:
            self._scroll_to_mark = False
            QTimer.singleShot(0, self, self._scroll)

    def _scroll(self) -> None:
        """Show the first marked line in the upper part; the bars' ranges are right by now."""
        boxes, scale = self._canvas.boxes, self.scale
        top = min((box.top() for box in boxes), default=0.0)
        left = min((box.left() for box in boxes), default=0.0)
        right = max((box.right() for box in boxes), default=0.0)
        spare = max(24.0, self.viewport().width() - (right - left) * scale) / 2
        self.verticalScrollBar().setValue(round(top * scale - self.viewport().height() / 3))
        self.horizontalScrollBar().setValue(round(left * scale - spare))


def _box(line: LineBox) -> QRectF:
    return QRectF(line.x0, line.y0, line.x1 - line.x0, line.y1 - line.y0)
