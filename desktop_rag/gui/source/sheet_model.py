"""The rows of a sheet as a table, cut into cells when they are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from desktop_rag.domain.document import Block, BlockKind
from desktop_rag.gui import theme
from desktop_rag.gui.source.pieces import cells_of, rows_of

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_SAMPLE = 400
"""Rows that are looked at for the number of columns, evenly over a sheet."""

_CACHED_ROWS = 4_000


@dataclass(frozen=True, slots=True)
class Row:
    """A row: ``[start, end)`` of the document's text.

    ``header``: it names the columns; ``alone``: it is a title or a note, in one cell.
    """

    start: int
    end: int
    header: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its name, "" where there is but one, and its rows."""

    name: str
    rows: tuple[Row, ...]
    columns: int


def sheets_of(text: str, blocks: Sequence[Block]) -> list[Sheet]:
    """Return the sheets of a document; all of its text is one table where it has no blocks."""
    if not blocks:
        blocks = (Block(BlockKind.TABLE, 0, len(text)),)
    sheets: list[tuple[str, list[Row]]] = []
    page: int | None = None
    for block in blocks:
        is_name = block.kind is BlockKind.HEADING and block.page != page
        if not sheets or is_name:
            sheets.append((text[block.start : block.end] if is_name else "", []))
            page = block.page
        if not is_name:
            sheets[-1][1].extend(_rows(text, block))
    return [Sheet(name, tuple(rows), _columns(text, rows)) for name, rows in sheets]


def _rows(text: str, block: Block) -> list[Row]:
    if block.kind is not BlockKind.TABLE:
        return [Row(block.start, block.end, alone=True)]
    head = block.header
    return [
        Row(start, end, header=head is not None and head[0] <= start < head[1])
        for start, end in rows_of(text, block.start, block.end, markdown=False)
    ]


def _columns(text: str, rows: Sequence[Row]) -> int:
    step = max(1, len(rows) // _SAMPLE)
    counted = [*rows[:_SAMPLE], *rows[::step]]
    return max((text.count(" | ", r.start, r.end) + 1 for r in counted if not r.alone), default=1)


class SheetModel(QAbstractTableModel):
    """Shows one sheet; ``marked`` is the passage, in code points of the document."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.sheet = Sheet("", (), 1)
        self._marked = (0, 0)
        self._found = -1

    def show_sheet(self, text: str, sheet: Sheet) -> None:
        """Begin with another sheet."""
        self.beginResetModel()
        self._text, self.sheet, self._found = text, sheet, -1
        self._cells = lru_cache(maxsize=_CACHED_ROWS)(self._cut)
        self.endResetModel()

    def mark(self, start: int, end: int) -> None:
        """Mark the rows of a passage."""
        self._marked = (start, end)
        self._repaint()

    def row_at(self, offset: int) -> int:
        """Return the row that holds a place of the text, -1 if none does."""
        rows = self.sheet.rows
        return next((n for n, row in enumerate(rows) if row.start <= offset < row.end), -1)

    def marked_rows(self) -> list[int]:
        """Return the rows that are marked."""
        return [n for n, row in enumerate(self.sheet.rows) if self._is_marked(row)]

    def _is_marked(self, row: Row) -> bool:
        return row.start < self._marked[1] and row.end > self._marked[0]

    def column_at(self, row: int, offset: int) -> int:
        """Return the column of a row that holds a place of the text."""
        cells = self._cells(row)
        return next((n for n, (_, end) in enumerate(cells) if offset < end), len(cells) - 1)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.sheet.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else self.sheet.columns

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell's words, or how they look."""
        row = self.sheet.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            cells = self._cells(index.row())
            if index.column() >= len(cells):
                return ""
            return self._text[slice(*cells[index.column()])]
        if role == Qt.ItemDataRole.BackgroundRole and self._is_marked(row):
            return theme.current.color("mark")
        if role == Qt.ItemDataRole.FontRole and row.header:
            font = QFont(theme.current.font(13))
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None

    def _cut(self, number: int) -> list[tuple[int, int]]:
        row = self.sheet.rows[number]
        if row.alone:
            return [(row.start, row.end)]
        return cells_of(self._text, row.start, row.end, markdown=False)

    def _repaint(self) -> None:
        if self.sheet.rows:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
