"""The library as a flat table of one column: a row a source, its files below it.

Rows are worked out from the groups on demand: nothing is kept per row, and a change of
state repaints one row, so a hundred thousand files cost no more than a hundred.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QUrl,
)

from desktop_rag.domain.files import FileRecord, SourceState
from desktop_rag.foundation.paths import file_at
from desktop_rag.gui.library.tree import Group, Tree
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import file_name, file_state, page_reason, problem_message, readable

ROW = Qt.ItemDataRole.UserRole + 1
"""The role that gives a row's ``Group`` or ``FileRecord``."""

EXPANDED = Qt.ItemDataRole.UserRole + 2
"""The role that tells whether a source's files are shown."""

Index = QModelIndex | QPersistentModelIndex
Row = Group | FileRecord
_NOWHERE = QModelIndex()


class LibraryModel(QAbstractTableModel):
    """Sources and files for a ``QTableView``."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree = Tree()
        self._folded: set[int] = set()
        self._starts: list[int] = [0]

    @property
    def tree(self) -> Tree:
        """What is shown."""
        return self._tree

    def show_tree(self, tree: Tree) -> None:
        """Replace everything."""
        self.beginResetModel()
        self._tree = tree
        self._measure()
        self.endResetModel()

    def update_files(self, records: Iterable[FileRecord]) -> None:
        """Give shown files their new state."""
        for record in records:
            place = self._tree.places.get(record.id)
            if place is not None:
                group, position = place
                self._tree.groups[group].files[position] = record
                row = self._starts[group] + 1 + position
                if self._expanded(group):
                    index = self.index(row, 0)
                    self.dataChanged.emit(index, index)

    def repaint_all(self) -> None:
        """Say every word again, after the language has changed."""
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0))

    def row(self, index: Index) -> Row:
        """Return what stands in a row."""
        group = bisect_right(self._starts, index.row()) - 1
        offset = index.row() - self._starts[group]
        shown = self._tree.groups[group]
        return shown if offset == 0 else shown.files[offset - 1]

    def index_of(self, file_id: int) -> QModelIndex:
        """Return where a file is shown; an invalid index if it is not."""
        place = self._tree.places.get(file_id)
        if place is None or not self._expanded(place[0]):
            return QModelIndex()
        return self.index(self._starts[place[0]] + 1 + place[1], 0)

    def fold(self, index: Index, folded: bool | None = None) -> None:
        """Hide or show the files of the source in a row; None does the other."""
        row = self.row(index)
        if not isinstance(row, Group):
            return
        is_folded = row.source.id in self._folded
        wanted = not is_folded if folded is None else folded
        if wanted == is_folded:
            return
        first, last = index.row() + 1, index.row() + len(row.files)
        if not row.files:
            self._set_folded(row, wanted)
        elif wanted:
            self.beginRemoveRows(_NOWHERE, first, last)
            self._set_folded(row, wanted)
            self.endRemoveRows()
        else:
            self.beginInsertRows(_NOWHERE, first, last)
            self._set_folded(row, wanted)
            self.endInsertRows()
        head = self.index(first - 1, 0)
        self.dataChanged.emit(head, head)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else self._starts[-1]

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return 1."""
        return 0 if parent.isValid() else 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let every row be dragged out."""
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else usual

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return files and folders as other applications take them.

        Of a file inside another, the one that lies on the disk is dragged.
        """
        rows = [self.row(index) for index in indexes]
        paths = [row.source.path if isinstance(row, Group) else row.path for row in rows]
        data = QMimeData()
        data.setUrls([QUrl(file_at(path).as_uri()) for path in paths])
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        """Return that files are copied: a drag never takes one from the user's folder."""
        return Qt.DropAction.CopyAction

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a row's name, its words for screen readers, its tooltip, or the row."""
        if not index.isValid():
            return None
        row = self.row(index)
        if role == ROW:
            return row
        if role == EXPANDED:
            return isinstance(row, Group) and row.source.id not in self._folded
        if role == Qt.ItemDataRole.DisplayRole:
            return _name(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(row)
        return _tooltip(row) if role == Qt.ItemDataRole.ToolTipRole else None

    def _expanded(self, group: int) -> bool:
        return self._tree.groups[group].source.id not in self._folded

    def _set_folded(self, group: Group, folded: bool) -> None:
        (self._folded.add if folded else self._folded.discard)(group.source.id)
        self._measure()

    def _measure(self) -> None:
        self._starts = [0, *accumulate(self._heights(self._tree.groups))]

    def _heights(self, groups: Sequence[Group]) -> Iterable[int]:
        for group in groups:
            yield 1 if group.source.id in self._folded else 1 + len(group.files)


def _name(row: Row) -> str:
    return readable(row.name) if isinstance(row, Group) else file_name(row.path)


def _spoken(row: Row) -> str:
    if isinstance(row, Group):
        return tr("library.source_spoken", name=readable(row.name), n=row.total)
    return f"{file_name(row.path)}, {file_state(row).word}"


def _tooltip(row: Row) -> str:
    if isinstance(row, Group):
        gone = row.source.state is SourceState.UNAVAILABLE
        path = readable(row.source.path)
        return f"{path}\n{tr('library.source_gone')}" if gone else path
    lines = [readable(row.path)]
    if row.problem is not None:
        lines.append(problem_message(row))
    lines += [
        tr("library.page_reason", page=unit.page, reason=page_reason(unit.reason))
        for unit in row.coverage.unreadable[:8]
    ]
    return "\n".join(lines)
