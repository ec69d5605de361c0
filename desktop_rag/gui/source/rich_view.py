"""A document of text set like a document, with the passage marked and scrolled to."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QTextEdit, QWidget

from desktop_rag.domain.structure import Look, Structure
from desktop_rag.gui import theme
from desktop_rag.gui.source.kinds import SLIDES
from desktop_rag.gui.source.pieces import SpanIndex
from desktop_rag.gui.source.text_search import Found, TextSearch
from desktop_rag.gui.source.typesetting import Typesetter
from desktop_rag.gui.source.zooming import next_zoom
from desktop_rag.gui.strings import name_for_readers

MOST_SET = 60_000
"""Code points that are set at once; the rest follows when one scrolls there."""

_SIZE = 14
_PRINTED_POINTS = 11.0
_CORNER = QPoint(24, 24)


class RichView(QTextEdit):
    """Read-only; only what lies around the passage is set, and more when it is scrolled to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textView")
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(22)
        self._text, self._kind = "", ""
        self._structure = Structure("", ())
        self._spans = SpanIndex(())
        self._ends: list[int] = []
        self._search = TextSearch("")
        self._setter = Typesetter(self.document(), "", self._spans, False)
        self._first = self._next = 0
        self._mark: tuple[int, int] | None = None
        self.zoom_factor = 1.0
        self.verticalScrollBar().valueChanged.connect(lambda _: self._set_more())
        self.verticalScrollBar().actionTriggered.connect(
            lambda _: QTimer.singleShot(0, self, self._set_earlier)
        )
        name_for_readers(self, "source.text_name")
        self.setToolTip("")

    @property
    def is_part(self) -> bool:
        """Whether only a part of a long document is shown."""
        return self._first > 0 or self._next < len(self._structure.blocks)

    def show_document(self, text: str, kind: str, structure: Structure) -> None:
        """Begin with another document."""
        self._text, self._kind, self._structure = text, kind, structure
        self._spans = SpanIndex(structure.spans)
        self._ends = [block.end for block in structure.blocks]
        self._search = TextSearch(self._searched())
        self._mark = None
        self.setExtraSelections([])
        self._set_around(0)

    def _searched(self) -> str:
        """Return the text with blanks for what is not shown, so that it is not found."""
        hidden = [span for span in self._structure.spans if span.look is Look.HIDDEN]
        if not hidden:
            return self._text
        letters = list(self._text)
        for span in hidden:
            letters[span.start : span.end] = "\0" * (span.end - span.start)
        return "".join(letters)

    def mark(self, start: int, end: int) -> None:
        """Mark ``[start, end)``, in code points of the document, and scroll to it."""
        self._reach(start)
        self._mark = (start, end)
        self.repaint_mark()
        QTimer.singleShot(0, self, self._scroll_to_mark)

    def repaint_mark(self) -> None:
        """Mark again in the theme's colours."""
        if self._mark is None:
            return
        selections = []
        for first, last in self._setter.places.ranges(*self._mark):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = self._cursor(first, last)
            look = QTextCharFormat()
            look.setBackground(theme.current.color("mark"))
            look.setForeground(theme.current.color("text"))
            selection.format = look
            selections.append(selection)
        self.setExtraSelections(selections)

    def restyle(self) -> None:
        """Set everything again in the theme's colours and sizes."""
        self.setStyleSheet(text_size(self.zoom_factor))
        if self._text:
            top = self._setter.places.offset(self.cursorForPosition(_CORNER).position())
            self._set_around(self._first and self._structure.blocks[self._first].start)
            self._reach(top)
            self.repaint_mark()

    def marked_text(self) -> str:
        """Return the words that are marked on the screen."""
        selections = self.extraSelections()  # they own the cursors
        texts = [selection.cursor.selectedText() for selection in selections]
        return "\n".join(texts).replace("\u2028", "\n")

    def find_words(self, words: str, backwards: bool = False, onward: bool = True) -> Found | None:
        """Select an occurrence; at the end of the document begin again."""
        cursor = self.textCursor()
        edge = cursor.selectionEnd() if onward and not backwards else cursor.selectionStart()
        found = self._search.find(words, self._setter.places.offset(edge), backwards)
        if found is not None:
            self._reach(found.start)
            ranges = self._setter.places.ranges(found.start, found.end)
            if ranges:
                self.setTextCursor(self._cursor(ranges[0][0], ranges[-1][1]))
                self.ensureCursorVisible()
        return found

    def zoom(self, steps: int) -> None:
        """Enlarge or reduce the text by a step; 0 for the usual size."""
        self.zoom_factor = next_zoom(self.zoom_factor, steps) if steps else 1.0
        self.setStyleSheet(text_size(self.zoom_factor))

    def whole_document(self) -> QTextDocument:
        """Return all of it, set to be printed: black on white whatever the theme is."""
        document = QTextDocument()
        font = theme.current.font(13)
        font.setPointSizeF(_PRINTED_POINTS)
        document.setDefaultFont(font)
        setter = Typesetter(document, self._text, self._spans, self._kind == "markdown", True)
        setter.add(self._structure.blocks, self._kind in SLIDES)
        return document

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def _set_around(self, offset: int) -> None:
        """Set the blocks from a little before ``offset`` on."""
        before = max(0, offset - MOST_SET // 3)
        self._first = self._next = min(
            bisect_right(self._ends, before), max(0, len(self._ends) - 1)
        )
        self.document().clear()
        markdown = self._kind == "markdown"
        self._setter = Typesetter(self.document(), self._text, self._spans, markdown)
        self._append()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _append(self) -> None:
        blocks = self._structure.blocks
        first, size = self._next, 0
        while self._next < len(blocks) and size < MOST_SET:
            size += blocks[self._next].end - blocks[self._next].start
            self._next += 1
        self._setter.add(blocks[first : self._next], self._kind in SLIDES)

    def _reach(self, offset: int) -> None:
        """Set the part with a place, if it is not set."""
        blocks = self._structure.blocks
        if not blocks:
            return
        last = blocks[self._next - 1].end if self._next else 0
        if not blocks[self._first].start <= offset <= last and self.is_part:
            self._set_around(offset)

    def _set_more(self) -> None:
        """Set more when the end is in sight."""
        bar = self.verticalScrollBar()
        near = bar.maximum() - bar.value() < 2 * self.viewport().height()
        if near and self._next < len(self._structure.blocks) and bar.maximum():
            self._append()
            self.repaint_mark()

    def _set_earlier(self) -> None:
        """Where one scrolls to the top of the part that is set, set what is before it."""
        if self._first == 0 or self.verticalScrollBar().value():
            return
        top = self._structure.blocks[self._first].start
        self._set_around(top)
        self.repaint_mark()
        ranges = self._setter.places.ranges(top, top + 1)
        if ranges:
            self.setTextCursor(self._cursor(ranges[0][0], ranges[0][0]))
            self.ensureCursorVisible()

    def _cursor(self, first: int, last: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _scroll_to_mark(self) -> None:
        ranges = self._setter.places.ranges(*self._mark) if self._mark is not None else []
        if ranges:
            cursor = self._cursor(ranges[0][0], ranges[0][0])
            self.setTextCursor(cursor)
            upper = self.cursorRect(cursor).top() - self.viewport().height() // 3
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + upper)


def text_size(zoom: float) -> str:
    """Return the style of a text at a scale; it wins over the theme's own size."""
    return f"#textView {{ font-size: {theme.current.points(_SIZE * zoom):.2f}pt; }}"
