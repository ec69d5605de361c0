"""Draws the library's rows: a name, elided in the middle, and a state in words."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.domain.files import FileRecord, SourceState
from desktop_rag.gui import icons, theme
from desktop_rag.gui.library.model import EXPANDED, ROW, Index
from desktop_rag.gui.library.tree import Group
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import State, file_name, file_state, readable

ROW_HEIGHT = 33
_INDENT = 22
_MARGIN = 6
_ICON = 14
_MOST_OF_STATE = 0.6
"""Of the row's width; a longer reason is cut at its end, the tooltip has all of it."""

_KIND_ICONS = {"pdf": "pdf", "md": "markdown", "markdown": "markdown"}


class LibraryDelegate(QStyledItemDelegate):
    """Paints a row of the library."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the ground, the icon, the name, and the state."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option)
        row = index.data(ROW)
        area = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        if isinstance(row, Group):
            self._paint_source(painter, area, row, bool(index.data(EXPANDED)))
        elif isinstance(row, FileRecord):
            self._paint_file(painter, area, row)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the one height of all rows."""
        return QSize(option.rect.width(), theme.current.pixels(ROW_HEIGHT))

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        ground = QRectF(option.rect).adjusted(0.5, 3, -0.5, -3)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.current.color("tint" if selected else "chip"))
            painter.drawRoundedRect(ground, 6, 6)
        if option.state & QStyle.StateFlag.State_HasFocus and option.state & (
            QStyle.StateFlag.State_KeyboardFocusChange
        ):
            painter.setPen(QPen(theme.current.color("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground, 6, 6)

    def _paint_source(self, painter: QPainter, area: QRect, group: Group, expanded: bool) -> None:
        self._paint_icon(painter, area.left(), area, "down" if expanded else "next")
        gone = group.source.state is SourceState.UNAVAILABLE
        state = State(f"{group.total:,}", "soft")
        if gone:
            state = State(tr("state.unavailable"), "warn")
        elif group.problems and not expanded:
            state = State(tr("library.source_problems", n=group.problems), "bad")
        left = area.adjusted(theme.current.pixels(_ICON) + 6, 0, 0, 0)
        self._paint_words(painter, left, readable(group.name), state, bold=True)

    def _paint_file(self, painter: QPainter, area: QRect, record: FileRecord) -> None:
        kind = record.path.rpartition(".")[2].lower()
        x = area.left() + _INDENT - 6
        self._paint_icon(painter, x, area, _KIND_ICONS.get(kind, "file"))
        left = area.adjusted(_INDENT + theme.current.pixels(_ICON), 0, 0, 0)
        name = readable(record.relpath) if record.relpath else file_name(record.path)
        self._paint_words(painter, left, name, file_state(record))

    def _paint_icon(self, painter: QPainter, x: int, area: QRect, name: str) -> None:
        color = theme.current.color("soft").name()
        size = theme.current.pixels(_ICON)
        box = QRect(x, area.center().y() - size // 2, size, size)
        icons.icon(name, color, size).paint(painter, box)

    def _paint_words(
        self, painter: QPainter, area: QRect, name: str, state: State, bold: bool = False
    ) -> None:
        name_font, state_font = theme.current.font(13, bold), theme.current.font(12)
        small = QFontMetrics(state_font)
        most = int(area.width() * _MOST_OF_STATE)
        word = small.elidedText(state.word, Qt.TextElideMode.ElideRight, most)
        state_width = small.horizontalAdvance(word)
        painter.setFont(state_font)
        painter.setPen(theme.current.color(state.token))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, right, word)
        room = area.adjusted(0, 0, -state_width - 8, 0)
        shown = QFontMetrics(name_font).elidedText(name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.setFont(name_font)
        painter.setPen(theme.current.color("text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
