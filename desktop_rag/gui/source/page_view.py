"""The pages of a document: marked and found words, selecting, keys and the wheel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.domain.document import LineBox
from desktop_rag.gui.source.page_canvas import PageCanvas, RequestPage
from desktop_rag.gui.source.page_painter import Marks
from desktop_rag.gui.source.page_selection import PageSelection, Word
from desktop_rag.gui.strings import name_for_readers


class PageView(PageCanvas):
    """Pages with the passage that they were opened at."""

    def __init__(self, request: RequestPage, parent: QWidget | None = None) -> None:
        self.selection = PageSelection()
        self._marked: dict[int, list[QRectF]] = {}
        self.found: tuple[int, list[QRectF]] = (0, [])
        self.all_found: dict[int, list[QRectF]] = {}
        self.recognised: dict[int, list[QRectF]] = {}
        super().__init__(request, parent)
        self.viewport().setMouseTracking(True)
        name_for_readers(self, "source.page_name")
        self.setToolTip("")

    def show_document(self, pages: int) -> None:
        """Begin with another document."""
        self.selection = PageSelection()
        self._marked, self.all_found, self.found, self.recognised = {}, {}, (0, []), {}
        super().show_document(pages)

    def show_page(self, page: int, lines: Sequence[LineBox] = ()) -> None:
        """Show a page (1-based) with these lines marked, scrolled to the first of them."""
        page = min(max(1, page), max(1, self.pages))
        self._passage = lines
        self._marked = {}
        for line in lines:
            self._marked.setdefault(line.page, []).append(_box(line))
        self._go_to(page, self._marked.get(page, ()))

    def mark(self, page: int, boxes: Sequence[QRectF]) -> None:
        """Mark rectangles (PDF points) on a page in place of the lines."""
        self._marked[page] = list(boxes)
        self.viewport().update()

    def boxes(self, page: int) -> list[QRectF]:
        """Return the marked rectangles of a page, in points."""
        return self._marked.get(page, [])

    def show_found(self, page: int, boxes: Sequence[QRectF]) -> None:
        """Frame what was found, and scroll to it."""
        self.found = (page, list(boxes))
        if boxes:
            self._go_to(page, boxes)
        self.viewport().update()

    def order(self, backwards: bool) -> list[int]:
        """Return all pages in the order to look through them, from the one shown."""
        step = -1 if backwards else 1
        return [(self.page - 1 + step * n) % self.pages + 1 for n in range(self.pages)]

    def turn(self, by: int) -> None:
        """Go some pages on or back."""
        self.go_to_page(self.page + by)

    def marks(self, page: int) -> Marks:
        """Return what is to be painted on a page."""
        at, current = self.found
        return Marks(
            passage=self._marked.get(page, ()),
            found=self.all_found.get(page, ()),
            current=current if at == page else (),
            selected=self.selection.boxes(page),
            recognised=self.recognised.get(page, ()),
        )

    def set_words(self, page: int, words: Sequence[Word]) -> None:
        """Take in the words of a page, which can be selected from now on."""
        self.selection.words[page] = words

    def copy(self) -> None:
        """Put the selected words on the clipboard."""
        if self.selection.text:
            QGuiApplication.clipboard().setText(self.selection.text)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; where pages are shown one at a time, turn them at the edges."""
        bar, delta = self.verticalScrollBar(), event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_at(1 if delta > 0 else -1, event.position().toPoint())
        elif not self.continuous and delta < 0 and bar.value() == bar.maximum():
            self.turn(1)
        elif not self.continuous and delta > 0 and bar.value() == 0 and self.page > 1:
            self.turn(-1)
            bar.setValue(bar.maximum())
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll by the screen, go to the first and the last page, copy."""
        bar, key = self.verticalScrollBar(), event.key()
        forwards = key in (Qt.Key.Key_PageDown, Qt.Key.Key_Space)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selection.select_page(self.page)
            self.viewport().update()
        elif key == Qt.Key.Key_Home:
            self.go_to_page(1)
        elif key == Qt.Key.Key_End:
            self.go_to_page(self.pages)
        elif forwards and not self.continuous and bar.value() == bar.maximum():
            self.turn(1)
        elif key == Qt.Key.Key_PageUp and not self.continuous and bar.value() == 0:
            self.turn(-1)
        elif key == Qt.Key.Key_Space:
            bar.setValue(bar.value() + bar.pageStep())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to select words."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.selection.clear()
            self.selection.begin(*self._place(event.position()))
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select as far as the pointer; over words it says that they can be."""
        page, point = self._place(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.selection.extend(page, point)
            self.viewport().update()
        over = self.selection.is_over(page, point)
        shape = Qt.CursorShape.IBeamCursor if over else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def _place(self, position: QPointF) -> tuple[int, QPointF]:
        point = self._on_canvas(position)
        page = self.layout_.page_at(round(point.y()))
        return page, self.layout_.to_page(page, point)


def _box(line: LineBox) -> QRectF:
    return QRectF(line.x0, line.y0, line.x1 - line.x0, line.y1 - line.y0)
