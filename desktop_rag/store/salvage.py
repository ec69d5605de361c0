"""What can be saved of a damaged database, put into a sound one in its place.

Rows that can be read are copied, those on damaged pages are passed over. A document of
which a part is missing is dropped whole and its files wait to be read again; texts keep
their vectors, so that little of that needs the model. The damaged database is kept beside
the new one.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.checking import DAMAGED, database_problems, define_usable
from desktop_rag.store.database import DATABASE_NAME, new_database, refuse, refuse_newer
from desktop_rag.store.failures import failures_known
from desktop_rag.store.schema import version_of
from desktop_rag.store.texts import BARE, note_bare

log = logging.getLogger(__name__)

DAMAGED_NAME = f"{DATABASE_NAME}.damaged"
_PART_NAME = f"{DATABASE_NAME}.saved"

_TABLES = (
    "sources",
    "collections",
    "collection_sources",
    "spaces",
    "documents",
    "document_texts",
    "parents",
    *("texts", "vectors", "segments"),
    "files",
    *("chats", "messages", "citations"),
    "ocr_pages",
)
_WITHOUT_ROWID = frozenset({"library", "collection_sources"})
_MOST_FAILURES = 20_000
"""Reads of a table that fail before the rest of it is given up: seconds, not minutes."""

_PIECE = 4096
"""Rows read at once where nothing is damaged."""

_HIGHEST = 1 << 24
"""A row id above nearly any, where nothing tells the last one."""

_WHOLE = """id IN (SELECT d.id FROM documents AS d
    WHERE d.segments = (SELECT COUNT(*) FROM segments AS s
        JOIN texts AS t ON t.id = s.text_id JOIN parents AS p ON p.id = s.parent_id
        WHERE s.document_id = d.id)
    AND coalesce((SELECT MAX("end") FROM parents WHERE document_id = d.id), 0) <=
        coalesce((SELECT SUM(length(text)) FROM document_texts WHERE document_id = d.id), 0)
    AND (SELECT COUNT(*) = coalesce(MAX(block) + 1, 0) FROM document_texts
        WHERE document_id = d.id)
    AND (d.origin = 'segment' OR EXISTS (SELECT 1 FROM files WHERE document_id = d.id)))"""

_MADE_WHOLE = (
    "DELETE FROM files WHERE source_id NOT IN (SELECT id FROM sources)",
    "DELETE FROM files WHERE container_id NOT IN (SELECT id FROM files)",
    "DELETE FROM vectors WHERE NOT EXISTS (SELECT 1 FROM texts AS t, spaces AS s WHERE "
    "t.id = text_id AND s.id = t.space_id AND usable(vector, s.dimension))",
    f"DELETE FROM documents WHERE NOT {_WHOLE}",
    "DELETE FROM segments WHERE document_id NOT IN (SELECT id FROM documents)",
    "DELETE FROM parents WHERE document_id NOT IN (SELECT id FROM documents)",
    "DELETE FROM document_texts WHERE document_id NOT IN (SELECT id FROM documents)",
    "UPDATE files SET document_id = NULL, "
    "status = CASE status WHEN 'unavailable' THEN status ELSE 'waiting' END "
    "WHERE document_id IS NOT NULL AND document_id NOT IN (SELECT id FROM documents)",
    "UPDATE files SET status = 'waiting' WHERE status = 'ready' AND document_id IS NULL",
    "DELETE FROM messages WHERE chat_id NOT IN (SELECT id FROM chats)",
    "DELETE FROM citations WHERE message_id NOT IN (SELECT id FROM messages)",
    "DELETE FROM collection_sources WHERE source_id NOT IN (SELECT id FROM sources) "
    "OR collection_id NOT IN (SELECT id FROM collections)",
)


@dataclass(frozen=True, slots=True)
class Salvage:
    """What became of a damaged database: sentences for the user."""

    problems: tuple[str, ...] = ()


def salvage(folder: Path) -> Salvage:
    """Put what can be read of a damaged database in its place; a sound one is left alone.

    Nobody may have the library open. The indexes are made anew when it is opened next.

    Raises:
        KnownError: nothing at all can be read, or the disk is full; nothing was changed.
    """
    path = folder / DATABASE_NAME
    with failures_known(folder):
        refuse(path)
        if not path.exists() or not path.stat().st_size:
            return Salvage()
        problems = _problems(path)
        if not problems:
            return Salvage()
        log.warning("saving what can be read of a damaged library")
        part = folder / _PART_NAME
        try:
            lost = _save(path, part)
            _put_in_place(path, part)
        finally:
            _remove(part)
    kept = f"The damaged database was kept as “{DAMAGED_NAME}”; delete it when nothing is missing."
    return Salvage((*problems, *lost, kept))


def _problems(path: Path) -> list[str]:
    """Return what is wrong with a database that may be too damaged to say so."""
    connection = sqlite3.connect(path)
    try:
        refuse_newer(version_of(connection), path)
        return database_problems(connection)
    except sqlite3.DatabaseError as error:
        log.warning("the database cannot be checked (%s)", error)
        return [DAMAGED]
    finally:
        connection.close()


def _save(path: Path, part: Path) -> list[str]:
    """Write a sound database with what can be read; return what was lost, in sentences."""
    _remove(part)
    damaged = sqlite3.connect(path)
    sound = new_database(part)
    try:
        damaged.execute("PRAGMA writable_schema = ON")
        sound.execute("PRAGMA foreign_keys = OFF")
        sound.execute("BEGIN")
        lost = [table for table in _TABLES if not _copy(damaged, sound, table)]
        if not any(_count(sound, table) for table in ("sources", "chats", "documents")):
            raise _nothing(path)
        _copy(damaged, sound, "library", "name <> 'id'")
        before = _count(sound, "documents")
        _make_whole(sound)
        again = before - _count(sound, "documents")
        bare = _count(sound, f"texts WHERE {BARE}")
        note_bare(sound, bare > 0)
        _keep_numbers(damaged, sound)
        sound.execute("COMMIT")
        sound.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        sound.close()
        damaged.close()
    return _told(lost, again, bare)


def _make_whole(sound: sqlite3.Connection) -> None:
    """Drop what belongs to something that was lost."""
    define_usable(sound)
    for statement in _MADE_WHOLE:
        while sound.execute(statement).rowcount:  # what lay in what went goes next
            continue


def _nothing(path: Path) -> KnownError:
    return KnownError(
        "Nothing could be saved",
        "The library's database is damaged beyond repair. Move the library's folder away and "
        "add your folders again; your own files are not touched.",
        str(path),
    )


def _told(lost: list[str], again: int, bare: int) -> list[str]:
    told = []
    if again:
        files, are = ("1 file was", "is") if again == 1 else (f"{again:,} files were", "are")
        told.append(f"{files} not whole any more and {are} read again.")
    if bare:
        told.append(f"Passages that are given to the language model again: {bare:,}.")
    if any(table in ("chats", "messages", "citations") for table in lost):
        told.append("Some messages of chats could not be saved.")
    if any(table in ("sources", "collections", "collection_sources") for table in lost):
        told.append("Some folders could not be saved. Add what is missing again.")
    return told


def _copy(
    damaged: sqlite3.Connection, sound: sqlite3.Connection, table: str, where: str = "1"
) -> bool:
    """Copy the rows that can be read; return whether those are all."""
    there = _columns(damaged, table)
    columns = [name for name in _columns(sound, table) if name in there]
    if not columns:
        return False
    names = ", ".join(f'"{name}"' for name in columns)
    put = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    reading = _Reading(damaged, table, f"SELECT {names} FROM {table} WHERE {where}")
    for rows in reading.pieces():
        sound.executemany(put, rows)
    return reading.failures == 0


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    try:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    except sqlite3.DatabaseError:
        return []


class _Reading:
    """Reads a table in ever smaller pieces where it is damaged."""

    def __init__(self, connection: sqlite3.Connection, table: str, sql: str) -> None:
        self._connection = connection
        self._table = table
        self._sql = sql
        self.failures = 0

    def pieces(self) -> Iterator[list[tuple[object, ...]]]:
        """Yield rows; what cannot be read is passed over and counted."""
        if self._table in _WITHOUT_ROWID:
            yield self._try(self._sql, ()) or []
            return
        for first in range(1, self._last() + 1, _PIECE):
            spans = [(first, first + _PIECE - 1)]
            while spans and self.failures < _MOST_FAILURES:
                low, high = spans.pop()
                rows = self._try(f"{self._sql} AND rowid BETWEEN ? AND ?", (low, high))
                if rows is not None:
                    yield rows
                elif low < high:
                    middle = (low + high) // 2
                    spans += [(middle + 1, high), (low, middle)]

    def _try(self, sql: str, arguments: tuple[int, ...]) -> list[tuple[object, ...]] | None:
        try:
            return self._connection.execute(sql, arguments).fetchall()
        except sqlite3.DatabaseError:
            self.failures += 1
            return None

    def _last(self) -> int:
        """Return the last row's id, or a number above it."""
        numbered = "texts" if self._table == "vectors" else self._table
        for sql in (
            f"SELECT MAX(rowid) FROM {self._table}",
            f"SELECT seq FROM sqlite_sequence WHERE name = '{numbered}'",
        ):
            rows = self._try(sql, ())
            if rows is not None:
                return int(str(rows[0][0] or 0)) if rows else 0
        return _HIGHEST


def _keep_numbers(damaged: sqlite3.Connection, sound: sqlite3.Connection) -> None:
    """See to it that no number is given again: indexes and answers may know its last owner."""
    try:
        rows = damaged.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    except sqlite3.DatabaseError:
        rows = []
    last = {str(name): int(number) for name, number in rows}
    newest = sound.execute("SELECT coalesce(MAX(change), 0) FROM files").fetchone()[0]
    last["change_log"] = max(last.get("change_log", 0), newest) + 1
    for name, number in last.items():
        there = sound.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (name,)).fetchone()
        sound.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        highest = max(number, there[0] if there else 0)
        sound.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, highest))


def _put_in_place(path: Path, part: Path) -> None:
    """Keep the damaged database under another name and put the sound one in its place.

    A log that is left belongs to the damaged one and would be applied to the other.
    """
    kept = path.with_name(DAMAGED_NAME)
    shutil.copy2(path, kept)
    for log_file in _logs(path):
        if log_file.exists():
            shutil.copy2(log_file, kept.with_name(f"{log_file.name}.damaged"))
            log_file.unlink()
    os.replace(part, path)


def _logs(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def _remove(path: Path) -> None:
    for each in (path, *_logs(path)):
        each.unlink(missing_ok=True)


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])
