"""Search while one types: waits for a pause, asks in the pool, drops what is outdated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.gui.library.feed import LibraryFeed
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.words import file_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rag.services.assistant import Assistant
    from desktop_rag.services.search_report import SearchResult

_AFTER_MS = 25
"""Letters that come quicker than that are one; a search that is outdated is cancelled."""

_MOST_FILES = 4
_MOST_PASSAGES = 16


@dataclass(frozen=True, slots=True)
class Found:
    """Files whose name holds the words, and the best passages."""

    words: str
    files: tuple[FileRecord, ...] = ()
    passages: tuple[SearchResult, ...] = ()


class SearchController(QObject):
    """``found`` brings a ``Found`` for the words typed last."""

    found = Signal(object)

    def __init__(
        self, feed: LibraryFeed, operations: Operations, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._feed = feed
        self._operations = operations
        self._assistant: Assistant | None = None
        self._running: Operation | None = None
        self._words = ""
        self._timer = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._timer.timeout.connect(self._search)

    def open(self, assistant: Assistant) -> None:
        """Begin to search in a library."""
        self._assistant = assistant
        if self._words:
            self._timer.start()

    def close(self) -> None:
        """Search nothing more."""
        self.type_words("")
        self._assistant = None

    def type_words(self, words: str) -> None:
        """Take what stands in the field."""
        self._words = words.strip()
        if self._running is not None:
            self._running.cancel()
            self._running = None
        if self._words:
            self._timer.start()
        else:
            self._timer.stop()

    def _search(self) -> None:
        assistant, words = self._assistant, self._words
        if assistant is None:
            return
        records = list(self._feed.records.values())

        def work(operation: Operation) -> Found:
            # What the assistant is made of is loaded by now, not when the window comes up.
            from desktop_rag.retrieval.filter_expression import FilterError

            files = _named(records, words)
            try:
                report = assistant.search(
                    words, k=_MOST_PASSAGES, mode="hybrid", cancel=operation.token
                )
            except FilterError:
                return Found(words, files)  # a condition that is typed halfway
            return Found(words, files, report.results)

        self._running = self._operations.run(self, work, self.found.emit)


def _named(records: Sequence[FileRecord], words: str) -> tuple[FileRecord, ...]:
    wanted = words.casefold().split()
    found: list[FileRecord] = []
    for record in records:
        name = file_name(record.path).casefold()
        if record.status is not FileStatus.IGNORED and all(word in name for word in wanted):
            found.append(record)
            if len(found) == _MOST_FILES:
                break
    return tuple(found)
