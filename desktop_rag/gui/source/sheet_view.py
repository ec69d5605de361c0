"""Workbooks and tables of text: one tab a sheet, the passage's row marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QTabBar, QTableView, QVBoxLayout, QWidget

from desktop_rag.domain.document import Block
from desktop_rag.gui import theme
from desktop_rag.gui.source.sheet_model import Sheet, SheetModel, sheets_of
from desktop_rag.gui.source.text_search import Found, TextSearch
from desktop_rag.gui.source.zooming import next_zoom
from desktop_rag.gui.strings import name_for_readers
from desktop_rag.gui.words import readable

_WIDEST, _NARROWEST = 320, 48
_ROW_HEIGHT = 26


class SheetTable(QTableView):
    """The cells; what is selected is copied with tabs between them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sheetTable")
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        name_for_readers(self, "source.sheet_name")
        self.setToolTip("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Put the selected cells on the clipboard."""
        rows: dict[int, list[str]] = {}
        for index in sorted(self.selectionModel().selectedIndexes()):
            rows.setdefault(index.row(), []).append(str(index.data()))
        if rows:
            text = "\n".join("\t".join(cells) for cells in rows.values())
            QGuiApplication.clipboard().setText(text)


class SheetView(QWidget):
    """Tabs and the table of the sheet that is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sheetView")
        self.model = SheetModel(self)
        self.table = SheetTable()
        self.table.setModel(self.model)
        self.tabs = QTabBar(expanding=False, documentMode=True, usesScrollButtons=True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        name_for_readers(self.tabs, "source.sheets_name")
        self._text = ""
        self._sheets: Sequence[Sheet] = ()
        self._search = TextSearch("")
        self._at = 0
        self.zoom_factor = 1.0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.tabs)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        self.tabs.currentChanged.connect(self._show_sheet)

    def show_document(self, text: str, blocks: Sequence[Block]) -> None:
        """Begin with another document."""
        self._text, self._sheets = text, sheets_of(text, blocks)
        self._search, self._at = TextSearch(text), 0
        self.model.mark(0, 0)
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for sheet in self._sheets:
            self.tabs.addTab(readable(sheet.name).replace("&", "&&"))
        self.tabs.blockSignals(False)
        self.tabs.setVisible(len(self._sheets) > 1 or bool(self._sheets and self._sheets[0].name))
        self._show_sheet(0)

    def mark(self, start: int, end: int) -> None:
        """Mark the rows of ``[start, end)``, in code points, and scroll to the first."""
        self._go_to(start)
        self.model.mark(start, end)
        QTimer.singleShot(0, self, self._scroll_to_mark)

    def marked_text(self) -> str:
        """Return the words of the marked rows."""
        rows = self.model.sheet.rows
        return "\n".join(self._text[rows[n].start : rows[n].end] for n in self.model.marked_rows())

    def find_words(self, words: str, backwards: bool = False, onward: bool = True) -> Found | None:
        """Go to the cell with an occurrence; at the end of the last sheet begin again."""
        at = self._at + 1 if onward and not backwards else self._at
        found = self._search.find(words, at, backwards)
        if found is not None:
            self._at = found.start
            self._go_to(found.start)
            row = self.model.row_at(found.start)
            if row >= 0:
                index = self.model.index(row, self.model.column_at(row, found.start))
                select = QItemSelectionModel.SelectionFlag.ClearAndSelect
                self.table.selectionModel().setCurrentIndex(index, select)
                self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        return found

    def zoom(self, steps: int) -> None:
        """Enlarge or reduce the cells by a step; 0 for the usual size."""
        self.zoom_factor = next_zoom(self.zoom_factor, steps) if steps else 1.0
        self.restyle()

    def restyle(self) -> None:
        """Take the theme's sizes."""
        points = theme.current.points(13 * self.zoom_factor)
        self.table.setStyleSheet(f"#sheetTable {{ font-size: {points:.2f}pt; }}")
        height = theme.current.pixels(round(_ROW_HEIGHT * self.zoom_factor))
        self.table.verticalHeader().setDefaultSectionSize(height)
        self._fit_columns()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def _show_sheet(self, number: int) -> None:
        if 0 <= number < len(self._sheets):
            self.model.show_sheet(self._text, self._sheets[number])
            self.table.clearSpans()
            for row, each in enumerate(self._sheets[number].rows[:_MOST_SPANS]):
                if each.alone and self.model.columnCount() > 1:
                    self.table.setSpan(row, 0, 1, self.model.columnCount())
            self.restyle()

    def _fit_columns(self) -> None:
        scale = self.zoom_factor
        self.table.resizeColumnsToContents()
        for column in range(self.model.columnCount()):
            width = self.table.columnWidth(column)
            least, most = theme.current.pixels(_NARROWEST), theme.current.pixels(_WIDEST)
            self.table.setColumnWidth(column, round(min(max(width, least), most * scale)))

    def _go_to(self, offset: int) -> None:
        """Show the sheet that holds a place of the text."""
        for number, sheet in enumerate(self._sheets):
            if sheet.rows and sheet.rows[0].start <= offset < sheet.rows[-1].end:
                self.tabs.setCurrentIndex(number)

    def _scroll_to_mark(self) -> None:
        rows = self.model.marked_rows()
        if rows:
            index = self.model.index(rows[0], 0)
            self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)


_MOST_SPANS = 200
"""Titles stand above a table; a note in every row needs no room of its own."""
