"""The change log: which texts and files the derived indexes have to look at again.

A row says only that something may have changed; the applier reads what is true now. So
a change can be applied twice, or together with later ones, and the end is the same.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.store.codec import pack_ids, unpack_ids
from desktop_rag.store.sql import inserted_id

_BATCH = 4000
"""Texts and files after which a batch ends: 6 MB of vectors, a tenth of a second of work."""

_REPLACED = "replaced"
"""Key in ``library``."""


@dataclass(frozen=True, slots=True)
class Pending:
    """Everything that was logged after some change, up to ``newest``."""

    texts: set[int]
    files: set[int]
    newest: int


def log_change(
    connection: sqlite3.Connection, texts: Iterable[int] = (), files: Iterable[int] = ()
) -> int:
    """Note texts and files whose state may have changed; return the change's number."""
    return inserted_id(
        connection.execute(
            "INSERT INTO change_log (texts, files) VALUES (?, ?)",
            (pack_ids(set(texts)), pack_ids(set(files))),
        )
    )


def last_change(connection: sqlite3.Connection) -> int:
    """Return the number of the last change ever logged, 0 before the first."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'change_log'").fetchone()
    return 0 if row is None else int(row[0])


def note_replacement(connection: sqlite3.Connection, change: int) -> None:
    """Note that a change took out what was found before and put something in its place."""
    connection.execute("INSERT OR REPLACE INTO library VALUES (?, ?)", (_REPLACED, str(change)))


def last_replacement(connection: sqlite3.Connection) -> int:
    """Return the last change that replaced something, 0 before the first."""
    query = "SELECT value FROM library WHERE name = ?"
    row = connection.execute(query, (_REPLACED,)).fetchone()
    return 0 if row is None else int(row[0])


def complete_since(connection: sqlite3.Connection) -> int:
    """Return the oldest change from which on the log lacks nothing."""
    row = connection.execute("SELECT MIN(change) FROM change_log").fetchone()
    return last_change(connection) if row[0] is None else int(row[0]) - 1


def pending(connection: sqlite3.Connection, after: int) -> Pending | None:
    """Return the first of what was logged after a change, None when there is nothing."""
    texts: set[int] = set()
    files: set[int] = set()
    newest = after
    for change, packed_texts, packed_files in connection.execute(
        "SELECT change, texts, files FROM change_log WHERE change > ? ORDER BY change", (after,)
    ):
        texts.update(unpack_ids(packed_texts))
        files.update(unpack_ids(packed_files))
        newest = change
        if len(texts) + len(files) >= _BATCH:
            break
    return None if newest == after else Pending(texts, files, newest)


def prune(connection: sqlite3.Connection, reached: int) -> None:
    """Forget what every index has durably passed."""
    connection.execute("DELETE FROM change_log WHERE change <= ?", (reached,))
