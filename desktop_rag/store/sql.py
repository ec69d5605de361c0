"""Small helpers for prepared statements."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

Row = tuple[object, ...]

NOTE = "note:"
"""What the names of notes begin with in the table ``library``."""


def next_id(connection: sqlite3.Connection, table: str) -> int:
    """Return the id after the highest that ``table`` ever had.

    Within a write transaction whole batches can be numbered from it: SQLite raises its
    own counter to the highest id that it is given.
    """
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return 1 if row is None else int(row[0]) + 1


def inserted_id(cursor: sqlite3.Cursor) -> int:
    """Return the id of the row that a statement has inserted."""
    if cursor.lastrowid is None:
        raise RuntimeError("the statement inserted no row")
    return cursor.lastrowid


def ids_of(rows: Iterable[tuple[int]]) -> list[int]:
    """Return the only column of ``rows``."""
    return [row[0] for row in rows]


def put_note(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Note something about the library as a whole; "" takes the note away."""
    if value:
        connection.execute("INSERT OR REPLACE INTO library VALUES (?, ?)", (f"{NOTE}{name}", value))
    else:
        connection.execute("DELETE FROM library WHERE name = ?", (f"{NOTE}{name}",))
