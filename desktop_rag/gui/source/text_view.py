"""Text documents set like documents, with the passage marked and scrolled to."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import (
    QFont,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop_rag.gui import theme
from desktop_rag.gui.source.offsets import displayable, from_utf16, to_utf16
from desktop_rag.gui.strings import name_for_readers

MOST_SHOWN = 200_000
"""Code points laid out at once; longer documents are shown around the passage."""

_HEADING = re.compile(r"(#{1,6})\s+\S")
_STANDING_OUT = (19, 17, 15, 14, 13, 13)
"""Sizes of Markdown's six headings, in pixels at 96 dpi."""


class MarkdownHighlighter(QSyntaxHighlighter):
    """Sets headings larger; the text keeps every character, so offsets hold."""

    active = False

    def highlightBlock(self, text: str) -> None:
        """Format one paragraph."""
        found = _HEADING.match(text) if self.active else None
        if found is None:
            return
        heading = QTextCharFormat()
        heading.setFontPointSize(theme.current.points(_STANDING_OUT[len(found[1]) - 1]))
        heading.setFontWeight(QFont.Weight.DemiBold)
        self.setFormat(0, to_utf16(text, len(text)), heading)


class TextView(QPlainTextEdit):
    """A read-only text of which a passage can be marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textView")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(22)
        self._highlighter = MarkdownHighlighter(self.document())
        self._text = ""
        self._first = 0
        self._shown = ""
        self._mark: tuple[int, int] | None = None
        name_for_readers(self, "source.text_name")
        self.setToolTip("")

    @property
    def is_part(self) -> bool:
        """Whether only a part of a long document is shown."""
        return len(self._shown) < len(self._text)

    def show_text(self, text: str, markdown: bool) -> None:
        """Begin with another document."""
        self._highlighter.active = markdown
        self._text = displayable(text)
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

    def find_words(self, words: str, backwards: bool = False, onward: bool = True) -> bool:
        """Select an occurrence; at the end of the document begin again.

        Without ``onward`` the one that is selected counts, as while one types.
        """
        cursor = self.textCursor()
        position = self._first + from_utf16(self._shown, cursor.selectionStart())
        after = self._first + from_utf16(self._shown, cursor.selectionEnd())
        after = after if onward else position
        folded, wanted = self._text.lower(), words.lower()
        if len(folded) != len(self._text):
            folded, wanted = self._text, words
        if backwards:
            found = folded.rfind(wanted, 0, position)
            found = folded.rfind(wanted) if found < 0 else found
        else:
            found = folded.find(wanted, after)
            found = folded.find(wanted) if found < 0 else found
        if found < 0:
            return False
        if not self._first <= found <= self._first + len(self._shown) - len(wanted):
            self._show_around(found)
            self.repaint_mark()
        self.setTextCursor(self._cursor(found, found + len(wanted)))
        self.centerCursor()
        return True

    def _show_around(self, offset: int) -> None:
        first = max(0, min(offset - MOST_SHOWN // 3, len(self._text) - MOST_SHOWN))
        self._first = first
        self._shown = self._text[first : first + MOST_SHOWN]
        self.setPlainText(self._shown)

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
