"""The files of the sources, and how they come, change, move and go."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Problem
from desktop_rag.store import files as rows
from desktop_rag.store.codec import pack_text
from desktop_rag.store.core import StoreCore

REMOVED = "removed"
"""Key in ``library`` while words of removed files may still be in the keyword index."""


class FileStore(StoreCore):
    """Files come, change, move and go; each call is one transaction."""

    def files(
        self, source_id: int | None = None, statuses: Collection[FileStatus] | None = None
    ) -> list[FileRecord]:
        """Return files by id, of one source and of some states if so asked."""
        with self._snapshot() as connection:
            where = "WHERE (?2 IS NULL OR f.source_id = ?2)"
            found = rows.select_files(connection, self._derived.reached, where, (source_id,))
        return [file for file in found if statuses is None or file.status in statuses]

    def file(self, file_id: int) -> FileRecord | None:
        """Return a file, None when there is none with this id."""
        return self._one_file("WHERE f.id = ?", file_id)

    def file_by_path(self, path: str) -> FileRecord | None:
        """Return the first file at an absolute path."""
        return self._one_file("WHERE f.path = ?", pack_text(path))

    def count_files(self) -> dict[FileStatus, int]:
        """Return the number of files in each state that has any."""
        with self._snapshot() as connection:
            counted = connection.execute(
                "SELECT CASE WHEN status = 'ready' AND change > ? THEN 'reading' ELSE status END "
                "AS shown, COUNT(*) FROM files GROUP BY shown",
                (self._derived.reached,),
            )
            return {FileStatus(status): count for status, count in counted}

    def put_files(
        self, source_id: int, found: Sequence[tuple[str, FileStat, FileStatus]]
    ) -> list[int]:
        """Insert files (relative path, stat, state); return their ids in order.

        A file that is there gets the state and keeps its document, unless the state is
        one in which nothing of it may be found.
        """

        def work(connection: sqlite3.Connection) -> tuple[list[int], int | None]:
            ids = [rows.put_file(connection, source_id, *entry) for entry in found]
            silent = [
                file_id
                for file_id, (_, _, status) in zip(ids, found, strict=True)
                if status in rows.SILENT
            ]
            return ids, _release_and_log(connection, silent)

        ids, change = self._write(work)
        self._changed_if(change)
        return ids

    def set_stat(self, file_id: int, stat: FileStat) -> None:
        """Note a new stat of a file whose content is the same."""
        self._write(lambda connection: rows.set_stat(connection, file_id, stat))

    def set_status(
        self, file_ids: Iterable[int], status: FileStatus, problem: Problem | None = None
    ) -> None:
        """Set the state of files; failed and ignored ones let go of their documents."""
        wanted = list(file_ids)

        def work(connection: sqlite3.Connection) -> int | None:
            rows.set_status(connection, wanted, status, problem)
            return _release_and_log(connection, wanted if status in rows.SILENT else [])

        self._changed_if(self._write(work))

    def fail_file(
        self, file_id: int, stat: FileStat, content_hash: str | None, problem: Problem
    ) -> None:
        """Note why a file cannot be read as it is now; its former document goes."""

        def work(connection: sqlite3.Connection) -> int | None:
            rows.set_status(connection, [file_id], FileStatus.FAILED, problem)
            rows.set_stat(connection, file_id, stat)
            connection.execute(
                "UPDATE files SET content_hash = ? WHERE id = ?", (content_hash, file_id)
            )
            return _release_and_log(connection, [file_id])

        self._changed_if(self._write(work))

    def move_files(self, moves: Sequence[tuple[int, int, str, FileStat]]) -> None:
        """Give files (id, source id, relative path, stat) new places; nothing is read again.

        A file that stood at a new place and does not move itself is removed.
        """

        def work(connection: sqlite3.Connection) -> int:
            moving = [file_id for file_id, _, _, _ in moves]
            places = [(source_id, relpath) for _, source_id, relpath, _ in moves]
            gone = rows.occupants(connection, places, moving)
            silent = rows.delete_files(connection, gone)
            rows.park(connection, moving)
            for move in moves:
                rows.move_file(connection, *move)
            if gone:
                _mark_removed(connection)
            return rows.log_files(connection, [*moving, *gone], silent)

        self._write(work)
        self._changed()

    def remove_files(self, file_ids: Iterable[int]) -> None:
        """Remove files and whatever only they held."""
        wanted = list(file_ids)
        self._write(lambda c: remove_and_log(c, wanted))
        self._changed()

    def _one_file(self, where: str, argument: object) -> FileRecord | None:
        with self._snapshot() as connection:
            found = rows.select_files(connection, self._derived.reached, where, (argument,))
        return found[0] if found else None

    def _changed_if(self, change: int | None) -> None:
        if change is not None:
            self._changed()


def remove_and_log(connection: sqlite3.Connection, file_ids: Collection[int]) -> int:
    """Delete files and what only they held; return the change."""
    silent = rows.delete_files(connection, file_ids)
    _mark_removed(connection)
    return rows.log_files(connection, file_ids, silent)


def _release_and_log(connection: sqlite3.Connection, file_ids: Collection[int]) -> int | None:
    if not file_ids:
        return None
    silent = rows.release_documents(connection, file_ids)
    if silent:
        _mark_removed(connection)
    return rows.log_files(connection, file_ids, silent)


def _mark_removed(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT OR REPLACE INTO library VALUES (?, '1')", (REMOVED,))
