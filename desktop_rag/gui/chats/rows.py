"""Chats as rows: title, day, and the words that were found."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextDocument
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.gui import theme
from desktop_rag.gui.library.model import _NOWHERE, Index
from desktop_rag.gui.search.popup import snippet
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rag.store.records import ChatMatch

CHAT = Qt.ItemDataRole.UserRole + 1
_PADDING = 8


class ChatRows(QAbstractListModel):
    """The chats that were found, and for which words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.matches: list[ChatMatch] = []
        self.words = ""

    def show_matches(self, matches: Sequence[ChatMatch], words: str) -> None:
        """Show these."""
        self.beginResetModel()
        self.matches, self.words = list(matches), words
        self.endResetModel()

    def numbers(self) -> list[int]:
        """Return the chats' numbers in their order."""
        return [match.chat.id for match in self.matches]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return how many there are."""
        return 0 if parent.isValid() else len(self.matches)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a chat, or what a screen reader says of it."""
        if not index.isValid():
            return None
        match = self.matches[index.row()]
        if role == CHAT:
            return match
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            questions = tr("chats.questions", n=(match.chat.messages + 1) // 2)
            return ", ".join(filter(None, [match.chat.title, questions, match.text]))
        return None


class ChatDelegate(QStyledItemDelegate):
    """Paints title and day in one line, the words found in the next."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a chat."""
        match, words = index.data(CHAT), getattr(index.model(), "words", "")
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        flags = QStyle.StateFlag
        if option.state & (flags.State_Selected | flags.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            selected = bool(option.state & flags.State_Selected)
            painter.setBrush(theme.current.color("tint" if selected else "chip"))
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 8, 8)
        area = option.rect.adjusted(_PADDING + 2, _PADDING, -_PADDING - 2, -_PADDING)
        bold, small = theme.current.font(13, bold=True), theme.current.font(12)
        when = day(datetime.fromtimestamp(match.chat.changed_at))
        told = f"{tr('chats.questions', n=(match.chat.messages + 1) // 2)} · {when}"
        painter.setFont(small)
        painter.setPen(theme.current.color("soft"))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight), told)
        room = area.width() - QFontMetrics(small).horizontalAdvance(told) - 16
        metrics = QFontMetrics(bold)
        painter.setFont(bold)
        painter.setPen(theme.current.color("text"))
        title = metrics.elidedText(match.chat.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft), title)
        if match.text:
            self._paint_words(painter, area.adjusted(0, metrics.height() + 3, 0, 0), match, words)
        painter.restore()

    @staticmethod
    def _paint_words(painter: QPainter, area: object, match: ChatMatch, words: str) -> None:
        document = QTextDocument()
        document.setDefaultFont(theme.current.font(12))
        document.setDocumentMargin(0)
        color = theme.current.color("soft").name()
        document.setHtml(f'<span style="color:{color}">{snippet(match.text, words)}</span>')
        painter.translate(area.topLeft())  # type: ignore[attr-defined]
        painter.setClipRect(0, 0, area.width(), area.height())  # type: ignore[attr-defined]
        document.drawContents(painter)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room for one line or two."""
        height = QFontMetrics(theme.current.font(13, bold=True)).height()
        if index.data(CHAT).text:
            height += QFontMetrics(theme.current.font(12)).lineSpacing() + 3
        return QSize(option.rect.width(), height + 2 * _PADDING)
