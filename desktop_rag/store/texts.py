"""Distinct texts and their vectors: what a model has read once is never read again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.store.codec import pack_ids, pack_vector, unpack_matrix
from desktop_rag.store.sql import NOTE, ids_of, next_id, put_note
from desktop_rag.store.vectors import Ids, checked_vector

IN_IDS = "IN (SELECT value FROM json_each(?))"
"""One prepared statement for any number of ids; ``pack_ids`` makes its argument."""

HELD = "EXISTS (SELECT 1 FROM segments WHERE text_id = texts.id)"
BARE = "NOT EXISTS (SELECT 1 FROM vectors WHERE text_id = texts.id)"
"""Of ``texts``: a document holds it, so it can be found; it has no vector."""

_BARE_NOTE = "texts without a vector"
NOTED_BARE = f"EXISTS (SELECT 1 FROM library WHERE name = '{NOTE}{_BARE_NOTE}')"
"""Whether there may be bare texts. To look for them reads every page of vectors, 1.5 GB of a
million, so it is done only where one was stored without a vector, or lost it."""


@dataclass(frozen=True, slots=True)
class Space:
    """A model's space: its vectors are compared with each other alone."""

    id: int
    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class NewText:
    """A text to be stored, with its vector checked; no ``terms`` before its document's commit.

    ``vector`` is None while its space holds the vectors of a former model.
    """

    hash: str
    space_id: int
    text: str
    tokens: int
    vector: bytes | None
    terms: str | None = None


def packed(vector: Vector, dimension: int) -> bytes:
    """Return a checked vector's column.

    Raises:
        ValueError: wrong dimension, NaN, or zero.
    """
    return pack_vector(checked_vector(vector, dimension))


def stored_hashes(connection: sqlite3.Connection, hashes: Collection[str]) -> dict[str, int]:
    """Return the ids of those of ``hashes`` that are stored."""
    rows = connection.execute(
        "SELECT hash, id FROM texts WHERE hash IN (SELECT value FROM json_each(?))",
        (json.dumps(list(hashes)),),
    )
    return dict(rows.fetchall())


def insert_texts(connection: sqlite3.Connection, new: Sequence[NewText]) -> dict[str, int]:
    """Store texts whose hashes are not stored yet; return their ids by hash."""
    first = next_id(connection, "texts")
    numbered = list(enumerate(new, start=first))
    connection.executemany(
        "INSERT INTO texts (id, space_id, hash, tokens, text, terms) VALUES (?, ?, ?, ?, ?, ?)",
        [(i, t.space_id, t.hash, t.tokens, t.text, t.terms) for i, t in numbered],
    )
    connection.executemany(
        "INSERT INTO vectors (text_id, vector) VALUES (?, ?)",
        [(i, t.vector) for i, t in numbered if t.vector is not None],
    )
    if any(t.vector is None for _, t in numbered):
        note_bare(connection)
    return {text.hash: i for i, text in numbered}


def note_bare(connection: sqlite3.Connection, bare: bool = True) -> None:
    """Note that there may be texts without a vector, or that there are none any more."""
    put_note(connection, _BARE_NOTE, "1" if bare else "")


def may_be_bare(connection: sqlite3.Connection) -> bool:
    """Whether there may be texts without a vector."""
    return bool(connection.execute(f"SELECT {NOTED_BARE}").fetchone()[0])


def fill_terms(connection: sqlite3.Connection, terms: Mapping[int, str]) -> None:
    """Give keywords to texts that were stored ahead of their document."""
    connection.executemany(
        "UPDATE texts SET terms = ? WHERE id = ? AND terms IS NULL",
        [(words, text_id) for text_id, words in terms.items()],
    )


def live_of(connection: sqlite3.Connection, text_ids: Iterable[int]) -> set[int]:
    """Return those texts that a document holds: they can be found."""
    rows = connection.execute(
        "SELECT j.value FROM json_each(?) AS j "
        "WHERE EXISTS (SELECT 1 FROM segments WHERE text_id = j.value)",
        (pack_ids(text_ids),),
    )
    return set(ids_of(rows))


def live_ids(connection: sqlite3.Connection) -> Ids:
    """Return all texts that can be found, in ascending order."""
    rows = connection.execute(f"SELECT id FROM texts WHERE {HELD} ORDER BY id")
    return np.fromiter((row[0] for row in rows), dtype=np.int64)


def vector_ids(connection: sqlite3.Connection, space_id: int) -> Ids:
    """Return the texts of a space that can be found by meaning, in ascending order."""
    having = f"AND NOT {BARE}" if may_be_bare(connection) else ""
    rows = connection.execute(
        f"SELECT id FROM texts WHERE space_id = ? AND {HELD} {having} ORDER BY id", (space_id,)
    )
    return np.fromiter((row[0] for row in rows), dtype=np.int64)


def spaces_of(connection: sqlite3.Connection, text_ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the texts by space id; texts that are stored no longer are left out."""
    rows = connection.execute(
        f"SELECT id, space_id FROM texts WHERE id {IN_IDS} ORDER BY id", (pack_ids(text_ids),)
    )
    found: dict[int, list[int]] = {}
    for text_id, space_id in rows:
        found.setdefault(space_id, []).append(text_id)
    return found


def terms_of(connection: sqlite3.Connection, text_ids: Iterable[int]) -> list[tuple[int, str]]:
    """Return the keywords of texts, in order of their ids."""
    rows = connection.execute(
        f"SELECT id, terms FROM texts WHERE id {IN_IDS} ORDER BY id", (pack_ids(text_ids),)
    )
    return [(text_id, terms or "") for text_id, terms in rows]


def vectors_of(
    connection: sqlite3.Connection, text_ids: Collection[int], dimension: int
) -> tuple[Ids, Matrix]:
    """Return the ids that have a vector, ascending, and one row for each."""
    rows = connection.execute(
        f"SELECT text_id, vector FROM vectors WHERE text_id {IN_IDS} ORDER BY text_id",
        (pack_ids(text_ids),),
    ).fetchall()
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    return ids, unpack_matrix([row[1] for row in rows], dimension)


def collect_unused(connection: sqlite3.Connection, keep: Collection[str], limit: int) -> int:
    """Delete at most ``limit`` texts that no document holds, but for the hashes in ``keep``."""
    rows = connection.execute(
        "DELETE FROM texts WHERE id IN (SELECT id FROM texts WHERE NOT EXISTS "
        "(SELECT 1 FROM segments WHERE text_id = texts.id) "
        "AND hash NOT IN (SELECT value FROM json_each(?)) LIMIT ?)",
        (json.dumps(list(keep)), limit),
    )
    return rows.rowcount
