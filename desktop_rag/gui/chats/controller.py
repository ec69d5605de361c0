"""Finds chats while one types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rag.gui.operations import Operation, Operations

if TYPE_CHECKING:
    from desktop_rag.services.assistant import Assistant
    from desktop_rag.store.records import ChatMatch

_AFTER_MS = 120


class ChatsFinder(QObject):
    """``found`` brings the chats that have the words typed last, and these words."""

    found = Signal(list, str)

    def __init__(self, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._operations = operations
        self._assistant: Assistant | None = None
        self._running: Operation | None = None
        self._words = ""
        self._timer = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._timer.timeout.connect(self.look)

    def open(self, assistant: Assistant) -> None:
        """Begin to look among the chats of a library."""
        self._assistant = assistant

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._assistant = None

    def type_words(self, words: str) -> None:
        """Take what stands in the field."""
        self._words = words
        self._timer.start()

    def look(self) -> None:
        """Look now."""
        assistant, words = self._assistant, self._words
        if assistant is None:
            return
        if self._running is not None:
            self._running.cancel()

        def show(matches: list[ChatMatch]) -> None:
            self._running = None
            self.found.emit(matches, words)

        self._running = self._operations.run(self, lambda _: assistant.search_chats(words), show)
