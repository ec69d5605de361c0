"""The line that says a chat is deleted, and offers to bring it back."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import name_for_readers, say, tr

UNDO_MS = 10_000
"""Long enough to read the line and to think twice."""


class UndoBar(QFrame):
    """``undone`` and ``past`` bring the chat's number; one of them comes for each chat."""

    undone = Signal(int)
    past = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("undoBar")
        self._chat: int | None = None
        self.words = named(QLabel(wordWrap=True), "soft")
        self.undo = named(QPushButton(), "link")
        say(self.undo, "chats.undo")
        name_for_readers(self.undo, "chats.undo_name")
        self.undo.clicked.connect(self._undo)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 10, 6)
        row.addWidget(self.words, 1)
        row.addWidget(self.undo)
        self.timer = QTimer(self, singleShot=True, interval=UNDO_MS)
        self.timer.timeout.connect(self.end)
        self.hide()

    def offer(self, chat: int, title: str) -> None:
        """Offer to bring a chat back, for a while; an earlier one is past then."""
        self.end()
        self._chat = chat
        self.words.setText(tr("chats.deleted", title=title))
        self.show()
        self.timer.start()

    def end(self) -> None:
        """The time to undo is past."""
        self._close(self.past)

    def _undo(self) -> None:
        self._close(self.undone)

    def _close(self, signal: object) -> None:
        self.timer.stop()
        self.hide()
        chat, self._chat = self._chat, None
        if chat is not None:
            signal.emit(chat)  # type: ignore[attr-defined]
