"""The field to ask in, with the scope chips above it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui import icons
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named, unmarked
from desktop_rag.gui.scope.chips import Chip
from desktop_rag.gui.scope.collections import CollectionsDialog
from desktop_rag.gui.scope.menu import ScopeMenu
from desktop_rag.gui.scope.offers import Offers
from desktop_rag.gui.strings import language_changed, name_for_readers, say, tr

_MOST_LINES = 8


class QuestionField(QPlainTextEdit):
    """Enter sends, Shift+Enter breaks the line, Up in an empty field edits the last one."""

    sent = Signal()
    last_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("questionField")
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        say(self, "chat.placeholder", "setPlaceholderText")
        name_for_readers(self, "chat.field_name")
        self.setToolTip("")
        self.document().documentLayout().documentSizeChanged.connect(
            lambda _: self.updateGeometry()
        )

    def sizeHint(self) -> QSize:
        """Return the height of the lines that are there, up to a few."""
        lines = min(_MOST_LINES, max(1, int(self.document().size().height())))
        return QSize(200, lines * self.fontMetrics().lineSpacing() + 24)

    def minimumSizeHint(self) -> QSize:
        """Return the same height: the layout may not squeeze it."""
        return QSize(80, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send, break the line, or fetch the last question."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Up and not self.toPlainText():
            self.last_wanted.emit()
        else:
            super().keyPressEvent(event)

    def put(self, text: str) -> None:
        """Set the text with the cursor at its end."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)


class Composer(QWidget):
    """Scope chips, the field, and one button that asks or stops.

    ``asked`` brings the question and whether it takes the place of the last one.
    """

    asked = Signal(str, bool)
    stop_wanted = Signal()
    typed = Signal(str)
    scope_changed = Signal(list)

    def __init__(self, offers: Offers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[Chip] = []
        self._offers = offers
        self._busy = False
        self._ready = False
        self.editing = False
        self.field = QuestionField()
        self.button = named(QPushButton(), "primary")
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        self.narrow = named(QPushButton(), "chip")
        say(self.narrow, "scope.narrow")
        icons.put(self.narrow, "plus", "text", 12)
        self.narrow.clicked.connect(self.offer_scopes)
        self._edit_line = self._editing_line()
        self._row = QWidget()
        self._flow = FlowLayout(self._row)
        self._lay_out()
        self.field.sent.connect(self._send)
        self.field.textChanged.connect(lambda: self.typed.emit(self.field.toPlainText()))
        self.button.clicked.connect(self._press)
        language_changed.connect(self._show_chips)
        self._show_chips()
        self.set_state(ready=False, busy=False)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 14)
        layout.setSpacing(8)
        layout.addWidget(self._row)
        layout.addWidget(self._edit_line)
        layout.addLayout(row)

    def _editing_line(self) -> QWidget:
        line = QWidget()
        words = named(QLabel(), "soft")
        say(words, "chat.editing")
        cancel = named(QPushButton(), "link")
        say(cancel, "chat.edit_cancel")
        cancel.clicked.connect(self.stop_editing)
        row = QHBoxLayout(line)
        row.setContentsMargins(2, 0, 2, 0)
        row.addWidget(words)
        row.addWidget(cancel)
        row.addStretch()
        line.hide()
        return line

    def set_state(self, ready: bool, busy: bool) -> None:
        """Show whether one can ask, or stop."""
        self._ready, self._busy = ready, busy
        say(self.button, "chat.stop" if busy else "chat.ask")
        name_for_readers(self.button, "chat.stop_name" if busy else "chat.ask_name")
        icons.put(self.button, "stop" if busy else "enter", "on_accent", 14)
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.button.setEnabled(ready)

    def edit(self, question: str) -> None:
        """Let the user change the last question, which is then asked in its own place."""
        self.editing = True
        self._edit_line.show()
        self.field.put(question)
        self.field.setFocus()

    def stop_editing(self) -> None:
        """Leave the last question as it is."""
        if self.editing:
            self.editing = False
            self._edit_line.hide()
            self.field.clear()
            self.field.setFocus()

    def show_scope(self, chips: Sequence[Chip]) -> None:
        """Show where the open chat looks."""
        self.chips = list(chips)
        self._show_chips()

    def set_scope(self, chip: Chip) -> None:
        """Ask only about one thing."""
        self._change([chip])
        self.field.setFocus()

    def add_scope(self, chip: Chip) -> None:
        """Narrow down further."""
        if chip not in self.chips:
            self._change([*self.chips, chip])

    def remove_scope(self, chip: Chip) -> None:
        """Ask about more."""
        self._change([one for one in self.chips if one != chip])

    def offer_scopes(self) -> None:
        """Show what the question can be narrowed down to."""
        menu = ScopeMenu(self._offers, self)
        menu.chosen.connect(self._take)
        menu.collections_wanted.connect(self._manage_collections)
        menu.show_above(self.narrow.mapToGlobal(self.narrow.rect().topLeft()))

    def _take(self, chip: Chip) -> None:
        self.add_scope(chip)
        self.field.setFocus()

    def _manage_collections(self) -> None:
        dialog = CollectionsDialog(self._offers, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _change(self, chips: list[Chip]) -> None:
        self.chips = chips
        self._show_chips()
        self.scope_changed.emit(chips)

    def _send(self) -> None:
        text = self.field.toPlainText().strip()
        if text and self._ready and not self._busy:
            replaces, self.editing = self.editing, False
            self._edit_line.hide()
            self.field.clear()
            self.asked.emit(text, replaces)

    def _press(self) -> None:
        if self._busy:
            self.stop_wanted.emit()
        else:
            self._send()

    def _show_chips(self) -> None:
        while self._flow.count():
            item = self._flow.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None and widget is not self.narrow:
                widget.hide()
                widget.deleteLater()
        for one in self.chips:
            button = named(QPushButton(unmarked(one.label)), "chip")
            icons.put(button, "close", "soft", 10)
            button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            button.setAccessibleName(tr("scope.remove", name=one.label))
            button.setToolTip(one.whole)
            button.clicked.connect(lambda _=False, chip=one: self.remove_scope(chip))
            self._flow.addWidget(button)
        self._flow.addWidget(self.narrow)
        self._flow.invalidate()
        self._row.updateGeometry()
