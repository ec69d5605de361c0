"""Whether the library agrees with itself: the database first, then what is found."""

from __future__ import annotations

import random
import sqlite3

import numpy as np

from desktop_rag.store.keyword_index import KeywordIndex
from desktop_rag.store.texts import BARE, NOTED_BARE, live_ids, terms_of, vector_ids, vectors_of
from desktop_rag.store.vector_index import VectorIndex
from desktop_rag.store.vectors import Ids

_SAMPLE = 200
_MOST_TERMS = 32
_SAME = 0.9999
"""Cosine of a vector with itself, less what float32 loses on the way."""

_CHECKS = {
    "The library's database refers to things that are not in it.": "PRAGMA foreign_key_check",
    "Some passages cannot be found by meaning.": (
        f"SELECT 1 FROM texts WHERE NOT {NOTED_BARE} AND {BARE}"
    ),
    "Some passages have a damaged vector.": (
        "SELECT 1 FROM vectors JOIN texts ON texts.id = text_id "
        "JOIN spaces ON spaces.id = space_id WHERE NOT usable(vector, dimension)"
    ),
    "Some texts are damaged.": (
        "SELECT 1 FROM texts WHERE NOT readable(CAST(text AS BLOB)) "
        "OR NOT readable(CAST(coalesce(terms, '') AS BLOB)) UNION ALL "
        "SELECT 1 FROM document_texts WHERE NOT readable(CAST(text AS BLOB))"
    ),
    "Some files are not whole in the library.": (
        "SELECT 1 FROM documents WHERE segments <> "
        "(SELECT COUNT(*) FROM segments WHERE document_id = documents.id)"
    ),
    "Some passages belong to no file.": (
        "SELECT 1 FROM documents WHERE origin = 'file' AND segments > 0 AND NOT EXISTS "
        "(SELECT 1 FROM files WHERE document_id = documents.id)"
    ),
}

_OFF_ONE = 1e-3
"""How far the square of a stored vector's length may be from 1: float32 rounds to 1e-6."""

_PRIMARY_CODE = 0xFF
"""An extended SQLite result code holds the primary one in its low byte."""

DAMAGED = "The library's database is damaged."


def database_problems(connection: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the database, in sentences."""
    define_usable(connection)
    connection.create_function("readable", 1, _readable, deterministic=True)
    try:
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            return [DAMAGED]
        return [
            words
            for words, sql in _CHECKS.items()
            if connection.execute(sql).fetchone() is not None
        ]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & _PRIMARY_CODE != sqlite3.SQLITE_CORRUPT:
            raise
        return [DAMAGED]


def define_usable(connection: sqlite3.Connection) -> None:
    """Define ``usable(vector, dimension)``: whether a stored vector can be compared."""

    def usable(column: bytes, dimension: int) -> bool:
        if len(column) != 4 * dimension:
            return False
        vector = np.frombuffer(column, dtype="<f4")
        with np.errstate(all="ignore"):
            square = float(vector @ vector)
        return abs(square - 1.0) < _OFF_ONE  # not so for a NaN either

    connection.create_function("usable", 2, usable, deterministic=True)


def _readable(column: bytes) -> bool:
    try:
        column.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def finds_itself(connection: sqlite3.Connection, index: VectorIndex) -> bool:
    """Whether each of a sample of vectors is the nearest to itself."""
    ids = _sample(vector_ids(connection, index.space.id))
    found, rows = vectors_of(connection, ids, index.space.dimension)
    if len(found) < len(ids):
        return False
    nearest = (index.search(row, 1, None) for row in rows)
    return all(hits and hits[0][1] >= _SAME for hits in nearest)


def has_all(connection: sqlite3.Connection, index: KeywordIndex) -> bool:
    """Whether every passage is in an index of words, and each of a sample is found by its own."""
    ids = live_ids(connection)
    if not index.has_exactly(ids.tolist()):
        return False
    for text_id, terms in terms_of(connection, _sample(ids)):
        words = terms.split()[:_MOST_TERMS]
        if words and not index.search(words, 1, {text_id}):
            return False
    return True


def _sample(ids: Ids) -> list[int]:
    """Return some ids, the same ones for the same library."""
    every: list[int] = ids.tolist()
    return every if len(every) <= _SAMPLE else random.Random(0).sample(every, _SAMPLE)
