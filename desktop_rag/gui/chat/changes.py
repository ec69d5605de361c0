"""Changes of the chats, one after the other: the last one that was asked for holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop_rag.gui.operations import Operations

Change = tuple[Callable[[], None], Callable[[], None]]
"""What runs in the pool, and what follows it in the window's thread."""


class Changes:
    """Two quick clicks on the same thing must not overtake each other in the pool."""

    def __init__(self, operations: Operations, owner: QObject) -> None:
        self._operations = operations
        self._owner = owner
        self._waiting: deque[Change] = deque()

    def add(self, work: Callable[[], None], then: Callable[[], None]) -> None:
        """Do ``work`` when what was asked for before is done; a failure is told to the user."""
        self._waiting.append((work, then))
        if len(self._waiting) == 1:
            self._begin()

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()

    def _begin(self) -> None:
        work, then = self._waiting[0]

        def done(_nothing: None) -> None:
            self._follow()
            then()

        def failed(error: Exception) -> None:
            self._follow()
            self._operations.report(error)

        self._operations.run(self._owner, lambda _: work(), done, failed)

    def _follow(self) -> None:
        if self._waiting:
            self._waiting.popleft()
        if self._waiting:
            self._begin()
