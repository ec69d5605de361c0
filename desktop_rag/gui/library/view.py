"""The list of the library pane, with its keys and its context menu."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.gui import theme
from desktop_rag.gui.library.delegate import ROW_HEIGHT, LibraryDelegate
from desktop_rag.gui.library.model import LibraryModel
from desktop_rag.gui.library.tree import Group
from desktop_rag.gui.strings import name_for_readers, tr

OPEN_OUTSIDE, SHOW_IN_FOLDER, RETRY, READ_FIRST, ASK_ONLY, REMOVE, DETAILS, RULES, TAKE_BACK = (
    "open_outside", "show_in_folder", "retry", "read_first", "ask_only", "remove",
    "details", "rules", "take_back",
)  # fmt: skip


class LibraryView(QTableView):
    """A table of one column, since Qt lays out a table's rows without visiting them.

    ``opened`` asks to see a file in the source pane, ``wanted`` for a verb of the
    context menu on a ``FileRecord`` or a ``Group``.
    """

    opened = Signal(object)
    wanted = Signal(str, object)

    def __init__(self, model: LibraryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setItemDelegate(LibraryDelegate(self))
        self.setObjectName("libraryView")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.clicked.connect(self._on_click)
        self.doubleClicked.connect(self._on_double_click)
        self.fit_rows()
        name_for_readers(self, "library.list_name")
        self.setToolTip("")

    def fit_rows(self) -> None:
        """Give the rows the height of the text's size."""
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(theme.current.pixels(ROW_HEIGHT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, Left and Right fold a source, Delete removes, Menu offers verbs."""
        index, key = self.currentIndex(), event.key()
        if not index.isValid():
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._on_click(index)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._model.fold(index, key == Qt.Key.Key_Left)
        elif key == Qt.Key.Key_Delete:
            self.wanted.emit(REMOVE, self._model.row(index))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the row."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            corner = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            self.menu_of(index).popup(corner + QPoint(24, 0) if by_key else event.globalPos())

    def menu_of(self, index: QModelIndex) -> QMenu:
        """Return the context menu of a row."""
        row = self._model.row(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if isinstance(row, FileRecord):
            menu.addAction(tr("menu.open"), lambda: self.opened.emit(row))
        for verb in verbs_of(row):
            menu.addAction(tr(f"menu.{verb}"), partial(self.wanted.emit, verb, row))
        menu.addSeparator()
        ignore = isinstance(row, FileRecord) and bool(row.relpath)
        word = tr("menu.ignore") if ignore else tr("menu.remove")
        if not (isinstance(row, FileRecord) and row.status is FileStatus.IGNORED):
            menu.addAction(word, lambda: self.wanted.emit(REMOVE, row))
        return menu

    def _on_click(self, index: QModelIndex) -> None:
        row = self._model.row(index)
        if isinstance(row, Group):
            self._model.fold(index)
        else:
            self.opened.emit(row)

    def _on_double_click(self, index: QModelIndex) -> None:
        row = self._model.row(index)
        if isinstance(row, FileRecord):
            self.wanted.emit(OPEN_OUTSIDE, row)


def verbs_of(row: FileRecord | Group) -> list[str]:
    """Return what can be done with a row, but for opening it here and removing it."""
    if isinstance(row, Group):
        unread = any(record.status is FileStatus.WAITING for record in row.files)
        rules = [RULES] if row.source.is_folder else []
        return [SHOW_IN_FOLDER, *([READ_FIRST] if unread else []), ASK_ONLY, *rules]
    verbs = [OPEN_OUTSIDE, SHOW_IN_FOLDER]
    if row.status is FileStatus.FAILED or row.missing:
        verbs.append(RETRY)
    if row.status is FileStatus.WAITING:
        verbs.append(READ_FIRST)
    if row.status is FileStatus.READY:
        verbs.append(ASK_ONLY)
    if row.status is FileStatus.IGNORED:
        verbs.append(TAKE_BACK)
    return [*verbs, DETAILS]
