"""Every change of the library that has settled, one after the other, as it is told."""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.json_results import problem_json

if TYPE_CHECKING:
    from desktop_rag.services.library import Library
    from desktop_rag.services.reports import LibraryEvent

_LOOK_SECONDS = 0.2
"""How often a quiet library is left to look whether the caller wants to stop."""

_UNSETTLED = frozenset({FileStatus.WAITING, FileStatus.READING})


def follow_changes(
    library: Library, paths: Sequence[str], cancel: CancelToken
) -> Iterator[dict[str, object]]:
    """Watch the library with ``paths`` added and yield each settled change until ``cancel``.

    A change has ``change`` (added, updated, moved, removed, failed, ignored,
    unavailable), ``path``, ``from`` (the path before, when it moved), ``status`` (None
    when removed), ``problem`` and ``segments``.

    Raises:
        Cancelled: ``cancel`` was set; there is no other end.
    """
    events: queue.SimpleQueue[LibraryEvent] = queue.SimpleQueue()
    stop_listening = library.listen(events.put)
    try:
        known = SettledFiles(library.files())
        library.start(watch=True)
        if paths:
            library.add(list(paths))
        while True:
            cancel.check()
            try:
                event = events.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            if event.kind == "files" and event.file_ids:
                yield from known.updated({id_: library.file(id_) for id_ in event.file_ids})
            elif event.kind != "progress":
                yield from known.replaced(library.files())
    finally:
        stop_listening()


class SettledFiles:
    """The files of the library as they were last told."""

    def __init__(self, files: Iterable[FileRecord]) -> None:
        self._files = {file.id: file for file in files if file.status not in _UNSETTLED}

    def replaced(self, files: Iterable[FileRecord]) -> list[dict[str, object]]:
        """Return what changed, given all files of the library."""
        present: dict[int, FileRecord | None] = {file.id: file for file in files}
        gone = dict.fromkeys(self._files.keys() - present.keys())
        return self.updated(present | gone)

    def updated(self, files: dict[int, FileRecord | None]) -> list[dict[str, object]]:
        """Return what changed among these files; None stands for a removed one."""
        changes = []
        for file_id, file in files.items():
            before = self._files.get(file_id)
            if file is None:
                self._files.pop(file_id, None)
            elif file.status in _UNSETTLED:
                continue
            else:
                self._files[file_id] = file
            kind = _kind_of_change(before, file)
            if kind is not None:
                changes.append(_change(kind, before, file))
        return changes


def _kind_of_change(before: FileRecord | None, after: FileRecord | None) -> str | None:
    if after is None:
        told = before is not None and before.status is not FileStatus.IGNORED
        return "removed" if told else None
    if after.status is not FileStatus.READY:
        return _kind_of_loss(before, after)
    if before is None or before.status is FileStatus.IGNORED:
        return "added"
    if (before.status, before.content_hash) != (after.status, after.content_hash):
        return "updated"
    return "moved" if before.path != after.path else None


def _kind_of_loss(before: FileRecord | None, after: FileRecord) -> str | None:
    if after.status is FileStatus.IGNORED and before is None:
        return None
    if before is not None and (before.status, before.content_hash, before.problem) == (
        after.status,
        after.content_hash,
        after.problem,
    ):
        return None
    return after.status.value


def _change(kind: str, before: FileRecord | None, after: FileRecord | None) -> dict[str, object]:
    file = after or before
    if file is None:
        raise ValueError("a change needs a file")
    return {
        "change": kind,
        "path": file.path,
        "from": before.path if kind == "moved" and before is not None else None,
        "status": None if after is None else after.status.value,
        "problem": problem_json(file.problem),
        "segments": 0 if after is None else after.segments,
    }
