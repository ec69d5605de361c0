"""Keeps the window's picture of the library: it asks in the pool, never in the GUI thread.

The library tells of changes from its own threads, up to ten times a second. They are
collected and looked up together; a look that would change more than a few hundred
files reads the whole list again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop_rag.domain.files import FileRecord, FileStatus, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.gui.operations import Operations

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rag.ingestion.progress import Progress
    from desktop_rag.services.library import Library
    from desktop_rag.services.reports import LibraryEvent

_LOOK_EVERY_MS = 250
_WHOLE_LIST_SHARE = 10
"""The whole list is read for at most a tenth of the time."""

_SINGLE_LOOKUPS = 300


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the next look shall bring."""

    sources: bool = False
    everything: bool = False
    file_ids: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Look:
    """What a look at the library brought."""

    progress: Progress
    sources: list[Source] | None = None
    files: dict[int, FileRecord] | None = None
    changed: dict[int, FileRecord | None] = field(default_factory=dict)
    seconds: float = 0.0


class LibraryFeed(QObject):
    """Sources, files and progress as last seen.

    ``reset`` says that the list of files is another one, ``updated`` brings files whose
    state alone changed, ``progress_changed`` the work's progress.
    """

    reset = Signal()
    updated = Signal(list)
    progress_changed = Signal(object)
    _heard = Signal(object)

    def __init__(self, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sources: list[Source] = []
        self.records: dict[int, FileRecord] = {}
        self.progress: Progress | None = None
        self.loaded = False
        self._operations = operations
        self._library: Library | None = None
        self._unlisten: Callable[[], None] | None = None
        self._wanted = _Wanted()
        self._looking = False
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._whole = QTimer(self, singleShot=True)
        self._whole.timeout.connect(self._look)
        self._heard.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    def open(self, library: Library) -> None:
        """Begin to follow a library."""
        self._library = library
        self._unlisten = library.listen(self._heard.emit)
        self._wanted = _Wanted(sources=True, everything=True)
        self._look()

    def close(self) -> None:
        """Stop following."""
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None
        self._timer.stop()
        self._whole.stop()
        self._library = None

    def _hear(self, event: LibraryEvent) -> None:
        wanted = self._wanted
        many = len(wanted.file_ids) + len(event.file_ids) > _SINGLE_LOOKUPS
        unnamed = event.kind == "files" and not event.file_ids
        self._wanted = _Wanted(
            sources=wanted.sources or event.kind == "sources",
            everything=wanted.everything or many or unnamed or event.kind in ("sources", "settled"),
            file_ids=wanted.file_ids | frozenset(event.file_ids),
        )
        if not self._timer.isActive():
            self._timer.start()

    def _look(self) -> None:
        library = self._library
        if library is None or self._looking:
            return
        wanted, self._wanted = self._wanted, _Wanted()
        if wanted.everything and self._whole.isActive():
            wanted, self._wanted = _Wanted(), wanted
        self._looking = True
        self._operations.run(
            self,
            lambda operation: _look_at(library, wanted, operation.token),
            self._seen,
            self._blind,
        )

    def _blind(self, error: Exception) -> None:
        self._looking = False
        self._operations.report(error)

    def _seen(self, look: _Look) -> None:
        self._looking = False
        self.progress = look.progress
        if look.sources is not None:
            self.sources = look.sources
        if look.files is not None:
            self._whole.start(round(look.seconds * 1000) * _WHOLE_LIST_SHARE)
            self.records = look.files
            self.loaded = True
            self.reset.emit()
        elif look.changed:
            self._merge(look.changed)
        self.progress_changed.emit(look.progress)
        if self._wanted != _Wanted() or look.progress.state not in ("idle", "paused"):
            self._timer.start()

    def _merge(self, changed: dict[int, FileRecord | None]) -> None:
        same = all(_same_place(self.records.get(key), record) for key, record in changed.items())
        for key, record in changed.items():
            if record is None:
                self.records.pop(key, None)
            else:
                self.records[key] = record
        if same:
            self.updated.emit([record for record in changed.values() if record is not None])
        else:
            self.reset.emit()


def _same_place(old: FileRecord | None, new: FileRecord | None) -> bool:
    if old is None or new is None:
        return old is new
    ignored = FileStatus.IGNORED
    return old.path == new.path and (old.status is ignored) == (new.status is ignored)


def _look_at(library: Library, wanted: _Wanted, token: CancelToken) -> _Look:
    started = time.perf_counter()
    look = _Look(library.progress())
    token.check()
    if wanted.sources:
        look.sources = list(library.sources())
    if wanted.everything:
        look.files = {record.id: record for record in library.files()}
    else:
        for file_id in wanted.file_ids:
            token.check()
            look.changed[file_id] = library.file(file_id)
    look.seconds = time.perf_counter() - started
    return look
