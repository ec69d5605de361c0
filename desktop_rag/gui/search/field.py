"""The search field of the top bar."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_rag.domain.files import FileRecord
from desktop_rag.gui.search.controller import Found, SearchController
from desktop_rag.gui.search.popup import SearchPopup
from desktop_rag.gui.source.opening import Opening, of_file, of_result
from desktop_rag.gui.strings import name_for_readers, say


class SearchField(QLineEdit):
    """Results show while one types; Enter or a click opens one in the source pane."""

    opened = Signal(object)

    def __init__(self, controller: SearchController, window: QWidget) -> None:
        super().__init__(clearButtonEnabled=True)
        self.setObjectName("searchField")
        self._controller = controller
        self._window = window
        self.popup = SearchPopup(window)
        say(self, "search.placeholder", "setPlaceholderText")
        name_for_readers(self, "search.name")
        self.setToolTip("")
        self.textChanged.connect(self._on_text)
        controller.found.connect(self._show)
        self.popup.list.clicked.connect(lambda _: self._open())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down choose, Enter opens."""
        key = event.key()
        if self.popup.isVisible() and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.popup.move_choice(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        else:
            super().keyPressEvent(event)

    def back_out(self) -> bool:
        """Close the list, or empty the field that has the focus; return whether one did."""
        if self.popup.isVisible():
            self.popup.hide()
        elif self.hasFocus() and self.text():
            self.clear()
        else:
            return False
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the results of what stands there."""
        super().focusInEvent(event)
        if self.text().strip():
            self._controller.type_words(self.text())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the results."""
        super().focusOutEvent(event)
        self.popup.hide()

    def _on_text(self, text: str) -> None:
        self._controller.type_words(text)
        if not text.strip():
            self.popup.hide()

    def _show(self, found: Found) -> None:
        if self.hasFocus():
            corner = self.mapTo(self._window, QPoint(0, 0))
            self.popup.show_found(found, QRect(corner, self.size()))

    def _open(self) -> None:
        row = self.popup.choice() if self.popup.isVisible() else None
        if row is None:
            return
        self.popup.hide()
        self.opened.emit(_opening(row))


def _opening(row: object) -> Opening:
    return of_file(row) if isinstance(row, FileRecord) else of_result(row)  # type: ignore[arg-type]
