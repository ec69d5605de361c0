"""The field to ask in, with the scope chips above it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui import icons
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named, unmarked
from desktop_rag.gui.strings import language_changed, name_for_readers, say, tr
from desktop_rag.gui.words import file_name, readable

_MOST_LINES = 8
TYPES = ("pdf", "docx", "xlsx", "pptx", "html", "eml", "markdown", "text")


@dataclass(frozen=True, slots=True)
class Scope:
    """A restriction of the question, in the language of filters (``type:pdf``)."""

    key: str
    value: str

    @property
    def expression(self) -> str:
        """The filter's text."""
        return f'{self.key}:"{self.value}"' if self.key != "type" else f"type:{self.value}"

    @property
    def label(self) -> str:
        """The words on the chip."""
        if self.key == "type":
            return tr("scope.type", name=tr(f"type.{self.value}"))
        return tr(f"scope.{self.key}", name=readable(file_name(self.value)))


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
    """Scope chips, the field, and one button that asks or stops."""

    asked = Signal(str, str)
    stop_wanted = Signal()
    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scopes: list[Scope] = []
        self._folders: list[str] = []
        self._busy = False
        self._ready = False
        self.field = QuestionField()
        self.button = named(QPushButton(), "primary")
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        self.narrow = named(QPushButton(), "chip")
        say(self.narrow, "scope.narrow")
        icons.put(self.narrow, "plus", "text", 12)
        self.narrow.clicked.connect(self._offer_scopes)
        self._chips = QWidget()
        self._flow = FlowLayout(self._chips)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 14)
        layout.setSpacing(8)
        layout.addWidget(self._chips)
        layout.addLayout(row)
        self.field.sent.connect(self._send)
        self.field.textChanged.connect(lambda: self.typed.emit(self.field.toPlainText()))
        self.button.clicked.connect(self._press)
        language_changed.connect(self._show_scopes)
        self._show_scopes()
        self.set_state(ready=False, busy=False)

    def set_state(self, ready: bool, busy: bool) -> None:
        """Show whether one can ask, or stop."""
        self._ready, self._busy = ready, busy
        say(self.button, "chat.stop" if busy else "chat.ask")
        name_for_readers(self.button, "chat.stop_name" if busy else "chat.ask_name")
        icons.put(self.button, "stop" if busy else "enter", "on_accent", 14)
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.button.setEnabled(ready)

    def offer_folders(self, folders: list[str]) -> None:
        """Set the sources that a question can be narrowed down to."""
        self._folders = folders

    def set_scope(self, scope: Scope) -> None:
        """Ask only about one thing."""
        self.scopes = [scope]
        self._show_scopes()
        self.field.setFocus()

    def add_scope(self, scope: Scope) -> None:
        """Narrow down further."""
        if scope not in self.scopes:
            self.scopes.append(scope)
        self._show_scopes()

    @property
    def filter_text(self) -> str:
        """All scopes as one filter."""
        return " ".join(scope.expression for scope in self.scopes)

    def _send(self) -> None:
        text = self.field.toPlainText().strip()
        if text and self._ready and not self._busy:
            self.field.clear()
            self.asked.emit(text, self.filter_text)

    def _press(self) -> None:
        if self._busy:
            self.stop_wanted.emit()
        else:
            self._send()

    def _offer_scopes(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        offers = [Scope("folder", path) for path in self._folders]
        offers += [Scope("type", kind) for kind in TYPES]
        for scope in offers:
            menu.addAction(unmarked(scope.label), partial(self.add_scope, scope))
        menu.popup(self.narrow.mapToGlobal(self.narrow.rect().topLeft()))

    def _remove(self, scope: Scope) -> None:
        self.scopes.remove(scope)
        self._show_scopes()

    def _show_scopes(self) -> None:
        while self._flow.count():
            item = self._flow.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None and widget is not self.narrow:
                widget.hide()
                widget.deleteLater()
        for scope in self.scopes:
            chip = named(QPushButton(unmarked(scope.label)), "chip")
            icons.put(chip, "close", "soft", 10)
            chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            chip.setAccessibleName(tr("scope.remove", name=scope.label))
            chip.clicked.connect(lambda _=False, scope=scope: self._remove(scope))
            self._flow.addWidget(chip)
        self._flow.addWidget(self.narrow)
        self._flow.invalidate()
        self._chips.updateGeometry()
