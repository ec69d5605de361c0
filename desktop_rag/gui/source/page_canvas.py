"""Pages as pictures, one below the other: placing, scrolling, zooming, asking for pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop_rag.domain.document import LineBox
from desktop_rag.gui.source.page_layout import PageLayout, united
from desktop_rag.gui.source.page_painter import Marks, paint_marks, paint_page
from desktop_rag.gui.source.page_pictures import PagePicture, PagePictures, Wanted
from desktop_rag.gui.source.zooming import PageZoom, next_zoom

PIXELS_PER_POINT = 96 / 72
"""At 100 %: a screen of 96 device-independent pixels an inch."""

_RENDER_AFTER_MS = 40
_SCROLL_STEP = 40

RequestPage = Callable[[Wanted, Callable[[PagePicture], None]], None]
"""Asks for a picture; it arrives later, unless another document was asked for meanwhile."""


class PageCanvas(QAbstractScrollArea):
    """Shows all pages, or one at a time.

    ``page_changed`` and ``zoom_changed`` (in percent) tell what is shown; ``drawn`` that a
    page is on the screen, so that its words may be wanted. One picture is asked for at a time.
    """

    page_changed = Signal(int)
    zoom_changed = Signal(int)
    drawn = Signal(int)

    def __init__(self, request: RequestPage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageView")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._request = request
        self.pictures = PagePictures()
        self.layout_ = PageLayout()
        self._zooming = PageZoom()
        self._passage: Sequence[LineBox] = ()
        self._asked: Wanted | None = None
        self._target: tuple[int, Sequence[QRectF]] | None = None
        self.page = 0
        self._timer = QTimer(self, singleShot=True, interval=_RENDER_AFTER_MS)
        self._timer.timeout.connect(self._fetch)
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.setSingleStep(_SCROLL_STEP)
            bar.actionTriggered.connect(lambda _: self._let_go())

    @property
    def pages(self) -> int:
        """How many there are."""
        return self.layout_.pages

    @property
    def continuous(self) -> bool:
        """Whether all pages are shown, one below the other."""
        return not self.layout_.only

    def set_continuous(self, on: bool) -> None:
        """Show all pages, or one at a time."""
        self.layout_.only = 0 if on else max(1, self.page)
        self._arrange()
        self._scroll_to(self.page)

    def show_document(self, pages: int) -> None:
        """Begin with another document."""
        self.layout_ = PageLayout(pages, only=self.layout_.only and 1)
        self.page = 0
        self.pictures.clear()
        self._passage, self._asked, self._target = (), None, None
        self._arrange()

    def set_sizes(self, first: int, sizes: Sequence[QSizeF]) -> None:
        """Take in the sizes of pages from ``first`` on; what is in view stays in view."""
        page, above = self.page, self._above_page()
        self.layout_.sizes.update(enumerate(sizes, first))
        self._keep_in_view(page, above)

    def go_to_page(self, page: int) -> None:
        """Show a page from its top."""
        if 1 <= page <= self.pages:
            self._go_to(page, ())

    @property
    def scale(self) -> float:
        """Device-independent pixels a point."""
        lines = [line for line in self._passage if line.page == self.page]
        widest = self.layout_.widest / self.layout_.scale
        return self._zooming.scale(self.viewport().width(), widest, lines) * PIXELS_PER_POINT

    def zoom(self, steps: int) -> None:
        """Enlarge or reduce by a step; 0 fits the width again."""
        middle = QPoint(self.viewport().width() // 2, self.viewport().height() // 3)
        self._zoom_at(steps, middle)

    def _zoom_at(self, steps: int, point: QPoint) -> None:
        """Zoom so that what is at ``point`` of the viewport stays there."""
        page = self.layout_.page_at(point.y() + self.verticalScrollBar().value())
        place = self.layout_.to_page(page, self._on_canvas(QPointF(point)))
        now = self.scale / PIXELS_PER_POINT
        self._let_go()
        self._zooming.choose(next_zoom(now, steps) if steps else None)
        self._arrange()
        moved = self.layout_.to_screen(page, QRectF(place, QSizeF(0, 0))).topLeft()
        self.verticalScrollBar().setValue(round(moved.y()) - point.y())
        self.horizontalScrollBar().setValue(round(moved.x()) - point.x())

    def visible_pages(self) -> list[int]:
        """Return the pages on the screen."""
        top = self.verticalScrollBar().value()
        return self.layout_.visible(top, top + self.viewport().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is on the screen."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        offset = self._offset()
        ratio = self.devicePixelRatioF()
        for page in self.visible_pages():
            rect = self.layout_.rect(page).translated(-offset)
            wanted = round(self.layout_.scale * ratio, 3)
            pictures = (self.pictures.whole(page), self.pictures.part(page, wanted))
            paint_page(painter, rect, self.layout_.scale, pictures)
            corner = QPointF(rect.topLeft())
            paint_marks(painter, corner, self.layout_.scale, self.marks(page))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the width again; the page that is shown stays in view."""
        super().resizeEvent(event)
        self._keep_in_view(self.page, self._above_page())

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        """Show another part."""
        self.viewport().update()
        self._note_page()
        self._timer.start()

    def _keep_in_view(self, page: int, above: float) -> None:
        """Place the pages anew: what was gone to stays in view until one scrolls oneself."""
        self._arrange()
        if self._target is not None:
            self._scroll_to(*self._target)
        elif page:
            top = self.layout_.rect(page).top() + round(above * self.layout_.scale)
            self.verticalScrollBar().setValue(top)

    def _let_go(self) -> None:
        self._target = None

    def _offset(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _on_canvas(self, position: QPointF) -> QPointF:
        return position + QPointF(self._offset())

    def _above_page(self) -> float:
        """How far the upper edge is below the top of the page that is shown, in points."""
        if not self.page:
            return 0.0
        below = self.verticalScrollBar().value() - self.layout_.rect(self.page).top()
        return below / self.layout_.scale

    def _arrange(self) -> None:
        """Place the pages for the scale and the width, and set the scroll bars' ranges."""
        layout, view = self.layout_, self.viewport()
        layout.scale, layout.width = self.scale, view.width()
        layout.arrange()
        self.verticalScrollBar().setPageStep(view.height())
        self.verticalScrollBar().setRange(0, max(0, layout.height - view.height()))
        self.horizontalScrollBar().setPageStep(view.width())
        self.horizontalScrollBar().setRange(0, max(0, layout.widest - view.width()))
        if self.pages:
            self.zoom_changed.emit(round(layout.scale / PIXELS_PER_POINT * 100))
        view.update()
        self._timer.start()

    def _go_to(self, page: int, boxes: Sequence[QRectF]) -> None:
        if not self.continuous:
            self.layout_.only = page
        self._target = (page, boxes)
        self._set_page(page)
        self._arrange()
        self._scroll_to(page, boxes)

    def _scroll_to(self, page: int, boxes: Sequence[QRectF] = ()) -> None:
        """Show the first of ``boxes`` in the upper part, or the page from its top."""
        if not page:
            return
        layout, view = self.layout_, self.viewport()
        top, whole = layout.rect(page).top(), united(boxes)
        if boxes:
            place = layout.to_screen(page, whole)
            top = round(layout.to_screen(page, boxes[0]).top() - view.height() / 3)
            self.horizontalScrollBar().setValue(round(place.center().x() - view.width() / 2))
        self.verticalScrollBar().setValue(top)
        self._set_page(page)

    def _note_page(self) -> None:
        """Tell which page is shown: the one in the upper third."""
        if self.continuous and self.pages and self.page:
            third = self.verticalScrollBar().value() + self.viewport().height() // 3
            self._set_page(self.layout_.page_at(third))

    def _set_page(self, page: int) -> None:
        if page != self.page:
            self.page = page
            self.page_changed.emit(page)

    def _fetch(self) -> None:
        """Ask for the picture that is missing most, unless one is on its way."""
        if not self.page or self._asked is not None:
            return
        layout, offset = self.layout_, self._offset()
        area = QRectF(QPointF(offset), QSizeF(self.viewport().size()))
        visible = []
        for page in self.visible_pages():
            part = area.intersected(QRectF(layout.rect(page)))
            corner = layout.to_page(page, part.topLeft())
            visible.append((page, layout.size(page), QRectF(corner, part.size() / layout.scale)))
        last = visible[-1][0] if visible else self.page
        beside = [page for page in (last + 1, self.page - 1) if 1 <= page <= self.pages]
        scale = round(layout.scale * self.devicePixelRatioF(), 3)
        wanted = self.pictures.next_wanted(visible, beside, scale)
        if wanted is not None:
            self._asked = wanted
            self._request(wanted, lambda picture: self._take(wanted, picture))

    def _take(self, wanted: Wanted, picture: PagePicture) -> None:
        if wanted is not self._asked:
            return
        self._asked = None
        self.pictures.keep(wanted, picture)
        if self.layout_.sizes.get(wanted.page) != picture.size:
            self.set_sizes(wanted.page, [picture.size])
        self.viewport().update()
        self.drawn.emit(wanted.page)
        self._fetch()

    def marks(self, page: int) -> Marks:
        """Return what is to be painted on a page."""
        raise NotImplementedError
