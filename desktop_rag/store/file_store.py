"""The files of the sources, and how they come, change, move and go."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Problem
from desktop_rag.store import files as rows
from desktop_rag.store.codec import pack_ids, pack_text
from desktop_rag.store.core import StoreCore
from desktop_rag.store.sql import ids_of
from desktop_rag.store.texts import IN_IDS

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

    def files_on_disk(self, source_id: int) -> list[FileRecord]:
        """Return a source's files that lie in no other; what the disk is compared with.

        A container with a member that is still to be read is waiting itself: its members
        are read with it.
        """
        with self._snapshot() as connection:
            where = "WHERE f.source_id = ? AND f.container_id IS NULL"
            found = rows.select_files(connection, self._derived.reached, where, (source_id,))
            unread = connection.execute(
                "SELECT DISTINCT container_id FROM files "
                "WHERE source_id = ? AND status = 'waiting'",
                (source_id,),
            )
            waiting = {row[0] for row in unread}
        return [
            replace(file, status=FileStatus.WAITING) if file.id in waiting else file
            for file in found
        ]

    def put_member(self, container_id: int, name: str, size: int) -> int:
        """Insert a file that lies in another, unless it is there; return its id.

        Raises:
            LookupError: there is no such container any more.
        """
        return self._write(lambda c: rows.put_member(c, container_id, name, size))

    def await_member(self, file_id: int, stat: FileStat, content_hash: str) -> None:
        """Let a file that lies in another wait to be read by itself."""

        def work(connection: sqlite3.Connection) -> None:
            rows.set_status(connection, [file_id], FileStatus.WAITING, None)
            rows.set_stat(connection, file_id, stat)
            connection.execute(
                "UPDATE files SET content_hash = ? WHERE id = ?", (content_hash, file_id)
            )

        self._write(work)

    def members_of(self, file_ids: Collection[int]) -> list[int]:
        """Return the files that lie in these."""
        with self._snapshot() as connection:
            return rows.members_of(connection, file_ids)

    def members_at(self, path: str) -> list[int]:
        """Return the file inside another that is at a path, and those inside that one."""
        inside = os.path.join(path, "")
        sql = (
            "SELECT id FROM files WHERE container_id IS NOT NULL "
            "AND (path = ? OR substr(path, 1, ?) = ?)"
        )
        with self._snapshot() as connection:
            return ids_of(connection.execute(sql, (pack_text(path), len(inside), inside)))

    def count_members(self, file_ids: Collection[int]) -> dict[FileStatus, int]:
        """Return the number of files that lie in these, in each state that has any."""
        sql = f"SELECT status, COUNT(*) FROM files WHERE container_id {IN_IDS} GROUP BY status"
        with self._snapshot() as connection:
            counted = connection.execute(sql, (pack_ids(file_ids),))
            return {FileStatus(status): count for status, count in counted}

    def has_unread_members(self, file_id: int) -> bool:
        """Return whether a file that lies in this one is still to be read."""
        sql = "SELECT 1 FROM files WHERE container_id = ? AND status = 'waiting' LIMIT 1"
        with self._snapshot() as connection:
            return connection.execute(sql, (file_id,)).fetchone() is not None

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

        A file that stood at a new place and does not move itself is removed. Members go with
        their container.
        """

        def work(connection: sqlite3.Connection) -> int:
            named = {file_id for file_id, _, _, _ in moves}
            members = rows.member_moves(connection, moves)
            every = [*moves, *(member for member in members if member[0] not in named)]
            moving = [file_id for file_id, _, _, _ in every]
            places = [(source_id, relpath) for _, source_id, relpath, _ in every]
            gone = rows.occupants(connection, places, moving)
            gone += rows.members_of(connection, gone)
            silent = rows.delete_files(connection, gone)
            rows.park(connection, moving)
            for move in every:
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
    """Delete files, their members and what only they held; return the change."""
    every = {*file_ids, *rows.members_of(connection, file_ids)}
    silent = rows.delete_files(connection, every)
    _mark_removed(connection)
    return rows.log_files(connection, every, silent)


def _release_and_log(connection: sqlite3.Connection, file_ids: Collection[int]) -> int | None:
    if not file_ids:
        return None
    silent = rows.release_documents(connection, file_ids)
    if silent:
        _mark_removed(connection)
    return rows.log_files(connection, file_ids, silent)


def _mark_removed(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT OR REPLACE INTO library VALUES (?, '1')", (REMOVED,))
