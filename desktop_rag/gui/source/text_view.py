"""Plain text and code with the numbers of their lines, the passage marked and scrolled to."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop_rag.gui import theme
from desktop_rag.gui.source.offsets import displayable, from_utf16, to_utf16
from desktop_rag.gui.source.rich_view import text_size
from desktop_rag.gui.source.text_search import Found, TextSearch
from desktop_rag.gui.source.zooming import next_zoom
from desktop_rag.gui.strings import name_for_readers

MOST_SHOWN = 200_000
"""Code points laid out at once; longer documents are shown around the passage."""

_LONGEST_LINE = 2_000
"""Code points back from which a part begins with a whole line, if it can."""


class LineNumbers(QWidget):
    """Stands beside a text and paints the numbers of the lines that are on the screen."""

    def __init__(self, text: TextView) -> None:
        super().__init__(text)
        self._view = text

    def sizeHint(self) -> QSize:
        """Return the width of the largest number."""
        return QSize(self._view.numbers_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the numbers."""
        self._view.paint_numbers(QPainter(self), event.rect())


class TextView(QPlainTextEdit):
    """A read-only text of which a passage can be marked; long ones are shown in part."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textView")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(22)
        self._text = ""
        self._search = TextSearch("")
        self._code = False
        self._first_line = 1
        self.zoom_factor = 1.0
        self._numbers = LineNumbers(self)
        self.updateRequest.connect(lambda _rect, _dy: self._numbers.update())
        self.verticalScrollBar().actionTriggered.connect(
            lambda _: QTimer.singleShot(0, self, self._follow)
        )
        self._first = 0
        self._shown = ""
        self._mark: tuple[int, int] | None = None
        name_for_readers(self, "source.text_name")
        self.setToolTip("")

    @property
    def is_part(self) -> bool:
        """Whether only a part of a long document is shown."""
        return len(self._shown) < len(self._text)

    def show_text(self, text: str, code: bool = False) -> None:
        """Begin with another document; ``code`` is set in letters of one width."""
        self._text = displayable(text)
        self._search = TextSearch(self._text)
        self._code = code
        self._dress()
        self._mark = None
        self._show_around(0)
        self.setExtraSelections([])
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def mark(self, start: int, end: int) -> None:
        """Mark ``[start, end)``, in code points of the document, and scroll to it."""
        if not self._first <= start <= end <= self._first + len(self._shown):
            self._show_around(start)
        self._mark = (start, end)
        self.repaint_mark()
        QTimer.singleShot(0, self, self._scroll_to_mark)

    def repaint_mark(self) -> None:
        """Mark again in the theme's colours."""
        if self._mark is None:
            return
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._cursor(*self._mark)
        look = QTextCharFormat()
        look.setBackground(theme.current.color("mark"))
        look.setForeground(theme.current.color("text"))
        selection.format = look
        self.setExtraSelections([selection])

    def marked_text(self) -> str:
        """Return the words that are marked on the screen."""
        selections = self.extraSelections()
        if not selections:
            return ""
        cursor: QTextCursor = selections[0].cursor
        return cursor.selectedText().replace("\u2029", "\n")

    def find_words(self, words: str, backwards: bool = False, onward: bool = True) -> Found | None:
        """Select an occurrence; at the end of the document begin again.

        Without ``onward`` the one that is selected counts, as while one types.
        """
        cursor = self.textCursor()
        edge = cursor.selectionEnd() if onward and not backwards else cursor.selectionStart()
        at = self._first + from_utf16(self._shown, edge)
        found = self._search.find(words, at, backwards)
        if found is None:
            return None
        if not self._first <= found.start <= found.end <= self._first + len(self._shown):
            self._show_around(found.start)
            self.repaint_mark()
        self.setTextCursor(self._cursor(found.start, found.end))
        self.centerCursor()
        return found

    def zoom(self, steps: int) -> None:
        """Enlarge or reduce the text by a step; 0 for the usual size."""
        self.zoom_factor = next_zoom(self.zoom_factor, steps) if steps else 1.0
        self._dress()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def restyle(self) -> None:
        """Take the theme's colours and sizes."""
        self._dress()
        self.repaint_mark()

    def _dress(self) -> None:
        families = ", ".join(f'"{name}"' for name in theme.fixed_families())
        family = f"#textView {{ font-family: {families}; }}" if self._code else ""
        self.setStyleSheet(text_size(self.zoom_factor) + family)
        self._place_numbers()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the numbers beside the text."""
        super().resizeEvent(event)
        self._place_numbers()

    def _place_numbers(self) -> None:
        width = self.numbers_width()
        self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), width, inside.height()))

    def numbers_width(self) -> int:
        """Return the room that the numbers take, in pixels."""
        digits = len(str(self._first_line + self.blockCount()))
        return self.fontMetrics().horizontalAdvance("0") * max(2, digits) + 14

    def paint_numbers(self, painter: QPainter, area: QRect) -> None:
        """Paint the numbers of the lines between two heights."""
        painter.setFont(self.font())
        painter.setPen(theme.current.color("soft"))
        block, width = self.firstVisibleBlock(), self._numbers.width() - 8
        line = self.fontMetrics().height()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > area.bottom():
                return
            number = str(self._first_line + block.blockNumber())
            top = round(box.top())
            painter.drawText(0, top, width, line, int(Qt.AlignmentFlag.AlignRight), number)
            block = block.next()

    def _show_around(self, offset: int) -> None:
        first = max(0, min(offset - MOST_SHOWN // 3, len(self._text) - MOST_SHOWN))
        first = self._text.rfind("\n", max(0, first - _LONGEST_LINE), first) + 1 or first
        self._first = first
        self._first_line = self._text.count("\n", 0, first) + 1
        self._shown = self._text[first : first + MOST_SHOWN]
        self.setPlainText(self._shown)
        self._place_numbers()

    def _follow(self) -> None:
        """Where one scrolls to an end of the part that is shown, show what is next to it."""
        bar, last = self.verticalScrollBar(), self._first + len(self._shown)
        at_end = bar.value() == bar.maximum() and last < len(self._text)
        if at_end or (bar.value() == 0 and self._first > 0):
            edge = last if at_end else self._first
            self._show_around(edge)
            self.repaint_mark()
            self.setTextCursor(self._cursor(edge, edge))
            self.centerCursor()

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._units(start))
        cursor.setPosition(self._units(end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _units(self, offset: int) -> int:
        inside = min(max(0, offset - self._first), len(self._shown))
        return to_utf16(self._shown, inside)

    def _scroll_to_mark(self) -> None:
        if self._mark is not None:
            self.setTextCursor(self._cursor(self._mark[0], self._mark[0]))
            self.centerCursor()
