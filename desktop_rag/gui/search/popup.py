"""The list of results under the search field."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import QAbstractListModel, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextDocument
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.files import FileRecord
from desktop_rag.gui import icons, theme
from desktop_rag.gui.labels import named
from desktop_rag.gui.library.model import _NOWHERE, ROW, Index
from desktop_rag.gui.search.controller import Found
from desktop_rag.gui.strings import name_for_readers, tr
from desktop_rag.gui.words import file_name, file_state, place, readable

_SNIPPET = 180
_PADDING = 8
_NARROWEST_MATCH = 2


class _Results(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[object] = []
        self.words = ""

    def show_found(self, found: Found) -> None:
        self.beginResetModel()
        self.rows = [*found.files, *found.passages]
        self.words = found.words
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            name, where, text = _parts(row)
            return ", ".join(filter(None, (name, where, text)))
        return None


def _parts(row: object) -> tuple[str, str, str]:
    """Return name, place and words of a row."""
    if isinstance(row, FileRecord):
        return file_name(row.path), file_state(row).word, readable(row.relpath)
    path, page, heading, text = (getattr(row, key) for key in ("path", "page", "heading", "text"))
    return file_name(path), place(page, heading), text


def snippet(text: str, words: str) -> str:
    """Return the part of a passage around the first word found, as rich text."""
    text = " ".join(text.split())
    wanted = [word for word in words.split() if len(word) >= _NARROWEST_MATCH or not word.isascii()]
    pattern = re.compile("|".join(map(re.escape, wanted)) or r"(?!)", re.IGNORECASE)
    first = pattern.search(text)
    start = max(0, first.start() - _SNIPPET // 3) if first else 0
    shown = ("…" if start else "") + text[start : start + _SNIPPET]
    pieces, last = [], 0
    for found in pattern.finditer(shown):
        pieces += [escape(shown[last : found.start()]), f"<b>{escape(found[0])}</b>"]
        last = found.end()
    return "".join([*pieces, escape(shown[last:])])


class _ResultDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        name, where, text = _parts(row)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver
        if option.state & chosen:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.current.color("tint" if selected else "chip"))
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 8, 8)
        area = option.rect.adjusted(_PADDING + 2, _PADDING, -_PADDING, -_PADDING)
        is_file = isinstance(row, FileRecord)
        color = theme.current.color("soft").name()
        box = QRect(area.left(), area.top() + 2, 14, 14)
        icons.icon("file" if is_file else "search", color, 14).paint(painter, box)
        area.adjust(22, 0, 0, 0)
        head = self._paint_head(painter, area, name, where)
        words = getattr(index.model(), "words", "")
        self._paint_words(painter, area.adjusted(0, head + 2, 0, 0), snippet(text, words))
        painter.restore()

    def _paint_head(self, painter: QPainter, area: QRect, name: str, where: str) -> int:
        bold, small = theme.current.font(13, bold=True), theme.current.font(12)
        metrics, few = QFontMetrics(bold), QFontMetrics(small)
        most = area.width() * 3 // 5
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, most)
        painter.setFont(bold)
        painter.setPen(theme.current.color("text"))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft), shown)
        used = metrics.horizontalAdvance(shown) + 10
        painter.setFont(small)
        painter.setPen(theme.current.color("soft"))
        right = area.adjusted(used, 1, 0, 0)
        rest = few.elidedText(where, Qt.TextElideMode.ElideRight, right.width())
        painter.drawText(right, int(Qt.AlignmentFlag.AlignLeft), rest)
        return metrics.height()

    def _paint_words(self, painter: QPainter, area: QRect, html: str) -> None:
        document = QTextDocument()
        document.setDefaultFont(theme.current.font(12))
        document.setDocumentMargin(0)
        document.setTextWidth(area.width())
        color = theme.current.color("soft").name()
        document.setHtml(f'<span style="color:{color}">{html}</span>')
        painter.translate(area.topLeft())
        painter.setClipRect(0, 0, area.width(), area.height())
        document.drawContents(painter)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        _, _, text = _parts(index.data(ROW))
        few = QFontMetrics(theme.current.font(12))
        room = option.rect.width() - 3 * _PADDING - 24
        lines = 1 if few.horizontalAdvance(" ".join(text.split())) < room else 2
        head = QFontMetrics(theme.current.font(13, bold=True)).height()
        line = few.lineSpacing()
        return QSize(option.rect.width(), head + lines * line + 2 * _PADDING + 4)


class SearchPopup(QFrame):
    """Lies over the window; the field keeps the focus and steers it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self.setObjectName("popup")
        self.list = named(QListView(), "resultList")
        self._model = _Results(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_ResultDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        name_for_readers(self.list, "search.results_name")
        self.list.setToolTip("")
        self.message = named(QLabel(), "soft")
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.list)
        layout.addWidget(self.message)
        self.hide()

    @property
    def shown_words(self) -> str:
        """Return the words whose results are shown, "" while none are."""
        return self._model.words if self.isVisible() else ""

    def show_found(self, found: Found, place: QRect) -> None:
        """Show results below ``place``, in the parent's coordinates."""
        self._model.show_found(found)
        some = bool(self._model.rows)
        self.list.setVisible(some)
        self.message.setVisible(not some)
        self.message.setText(tr("search.nothing", words=found.words))
        if some:
            self.list.setCurrentIndex(self._model.index(0))
        heights = sum(self.list.sizeHintForRow(row) for row in range(len(self._model.rows)))
        height = heights + 16 if some else 72
        room = self._window.height() - place.bottom() - 24
        self.setGeometry(place.left(), place.bottom() + 6, place.width(), min(height, room, 560))
        self.show()
        self.raise_()

    def move_choice(self, by: int) -> None:
        """Choose the next or the previous row."""
        row = self.list.currentIndex().row() + by
        row = min(max(0, row), len(self._model.rows) - 1)
        self.list.setCurrentIndex(self._model.index(row))

    def choice(self) -> object:
        """Return the chosen row's file or passage; None if there is none."""
        index = self.list.currentIndex()
        return index.data(ROW) if index.isValid() else None
