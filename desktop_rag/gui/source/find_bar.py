"""Ctrl+F in a document."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import name_for_readers, say, tr


class FindBar(QWidget):
    """Asks to find while one types; Enter goes on, Shift+Enter back.

    ``wanted`` brings the words, whether to look backwards, and whether to go on from
    what is found already. ``left`` says that the bar was closed.
    """

    wanted = Signal(str, bool, bool)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(clearButtonEnabled=True)
        say(self.field, "find.placeholder", "setPlaceholderText")
        name_for_readers(self.field, "find.name")
        self._found = named(QLabel(), "soft")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.field, 1)
        row.addWidget(self._found)
        for icon, key, backwards in (("previous", "find.back", True), ("next", "find.on", False)):
            button = named(QPushButton(), "iconButton")
            icons.put(button, icon, "soft", 14)
            name_for_readers(button, key)
            button.clicked.connect(lambda _=False, b=backwards: self._find(b))
            row.addWidget(button)
        self.field.textEdited.connect(lambda _: self._find(onward=False))
        self.hide()

    def begin(self) -> None:
        """Show the bar and go to its field."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def show_found(self, found: bool, number: int = 0, count: int = 0) -> None:
        """Say which of how many was found, or that there is none."""
        if found:
            text = tr("find.count", number=number, count=count) if number else ""
        else:
            text = tr("find.nothing")
        self._found.setText(text)

    def back_out(self) -> bool:
        """Close the bar; return whether it was open."""
        if not self.isVisible():
            return False
        self.hide()
        self.left.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter finds on, with Shift back."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._find(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _find(self, backwards: bool = False, onward: bool = True) -> None:
        if self.field.text():
            self.wanted.emit(self.field.text(), backwards, onward)
        else:
            self.show_found(True)
