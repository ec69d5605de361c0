"""The list of what was not read, each with the reason and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.files import FileRecord
from desktop_rag.gui import theme
from desktop_rag.gui.labels import named
from desktop_rag.gui.library.model import _NOWHERE, ROW, Index
from desktop_rag.gui.strings import name_for_readers, say, tr
from desktop_rag.gui.words import file_name, file_state, page_reason, problem_message, readable

_PADDING = 10
_WRAPPED = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignLeft)


def advice(record: FileRecord) -> str:
    """Return why a file, or which pages of it, were not read, and what to do."""
    if record.problem is not None:
        return problem_message(record)
    return "\n".join(
        tr("library.page_reason", page=unit.page, reason=page_reason(unit.reason))
        for unit in record.missing
    )


class _Problems(QAbstractListModel):
    def __init__(self, records: Sequence[FileRecord], parent: QWidget) -> None:
        super().__init__(parent)
        self.records = list(records)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.records)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        record = self.records[index.row()]
        if role == ROW:
            return record
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{file_name(record.path)}: {file_state(record).word}. {advice(record)}"
        return readable(record.path) if role == Qt.ItemDataRole.ToolTipRole else None


class _ProblemDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        record = index.data(ROW)
        if not isinstance(record, FileRecord):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.current.color("tint"))
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 8, 8)
        area = option.rect.adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        name, state = theme.current.font(13, bold=True), theme.current.font(12)
        word = file_state(record)
        painter.setFont(state)
        painter.setPen(theme.current.color(word.token))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight), word.word)
        room = area.width() - QFontMetrics(state).horizontalAdvance(word.word) - 12
        metrics = QFontMetrics(name)
        painter.setFont(name)
        painter.setPen(theme.current.color("text"))
        shown = metrics.elidedText(file_name(record.path), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft), shown)
        painter.setFont(state)
        painter.setPen(theme.current.color("soft"))
        painter.drawText(area.adjusted(0, metrics.height() + 4, 0, 0), _WRAPPED, advice(record))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        record = index.data(ROW)
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QListView) else option.rect.width()
        width = max(120, width - 2 * _PADDING)
        text = advice(record) if isinstance(record, FileRecord) else ""
        words = QFontMetrics(theme.current.font(12)).boundingRect(
            QRect(0, 0, width, 10_000), _WRAPPED, text
        )
        head = QFontMetrics(theme.current.font(13, bold=True)).height()
        return QSize(width, head + 4 + words.height() + 2 * _PADDING)


class ProblemsDialog(QDialog):
    """Lists files with a problem; ``wanted`` asks for a verb on some of them."""

    retry_wanted = Signal(list)
    show_wanted = Signal(object)

    def __init__(self, records: Sequence[FileRecord], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.resize(640, 460)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        say(self, "problems.title", "setWindowTitle")
        heading = named(QLabel(), "heading")
        say(heading, "problems.heading", n=len(records))
        self.list = named(QListView(), "problemList")
        self.list.setModel(_Problems(records, self))
        self.list.setItemDelegate(_ProblemDelegate(self.list))
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setLayoutMode(QListView.LayoutMode.Batched)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        name_for_readers(self.list, "problems.title")
        self.list.setToolTip("")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(self.list, 1)
        layout.addLayout(self._buttons())

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        retry, folder, close = QPushButton(), QPushButton(), named(QPushButton(), "primary")
        say(retry, "problems.retry")
        say(folder, "menu.show_in_folder")
        say(close, "dialog.close")
        retry.clicked.connect(self._retry)
        folder.clicked.connect(self._show_first)
        close.clicked.connect(self.accept)
        row.addWidget(retry)
        row.addWidget(folder)
        row.addStretch()
        row.addWidget(close)
        return row

    def _chosen(self) -> list[FileRecord]:
        indexes = self.list.selectionModel().selectedIndexes()
        chosen = [index.data(ROW) for index in indexes]
        return chosen or list(self.list.model().records)  # type: ignore[attr-defined]

    def _retry(self) -> None:
        self.retry_wanted.emit(self._chosen())
        self.accept()

    def _show_first(self) -> None:
        self.show_wanted.emit(self._chosen()[0])
