"""Which model a space's vectors are of, and what happens when it is another one now."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from desktop_rag.embedding.model import Vector
from desktop_rag.store.changes import log_change
from desktop_rag.store.core import StoreCore
from desktop_rag.store.texts import BARE, HELD, Space, may_be_bare, note_bare, packed


@dataclass(frozen=True, slots=True)
class Backlog:
    """Passages that the present model has not read, and how many tokens they have."""

    passages: int = 0
    tokens: int = 0

    def __add__(self, other: Backlog) -> Backlog:
        return Backlog(self.passages + other.passages, self.tokens + other.tokens)


class ModelStore(StoreCore):
    """Vectors of two models cannot be compared, so a space holds those of one alone.

    When a space's model is another one than before, its vectors are kept and not searched,
    and new texts get none, until ``accept_models``; its passages are found by their words
    meanwhile. After that the texts without a vector are filled in, in any order, and each
    can be found by meaning again as soon as it has one.
    """

    _models: Mapping[str, str] = MappingProxyType({})
    """Fingerprints of the present models, by space."""

    def follow_models(self, fingerprints: Mapping[str, str]) -> None:
        """Say with which models the spaces are searched from now on, by space.

        Raises:
            ValueError: the store was opened without one of the spaces.
        """
        known = {name: self._space(name).id for name in fingerprints}

        def work(connection: sqlite3.Connection) -> set[str]:
            outdated = set()
            for name, fingerprint in fingerprints.items():
                query = "SELECT fingerprint FROM spaces WHERE id = ?"
                (former,) = connection.execute(query, (known[name],)).fetchone()
                if former is None or not _has_vectors(connection, known[name]):
                    _set_fingerprint(connection, known[name], fingerprint)
                elif former != fingerprint:
                    outdated.add(name)
            return outdated

        self._models = dict(fingerprints)
        self._outdated = frozenset(self._write(work))

    @property
    def outdated(self) -> frozenset[str]:
        """The spaces that hold the vectors of a former model."""
        return self._outdated

    def accept_models(self) -> None:
        """Forget the vectors of former models; the present ones are to read their texts."""
        for name in sorted(self._outdated):
            space = self._space(name)
            fingerprint = self._models[name]
            self._derived.vectors[name].forget_saved()  # it must not come back after a crash
            self._write(partial(_forget_vectors, space_id=space.id, fingerprint=fingerprint))
            self._derived.vectors[name].rebuild()
            self._outdated -= {name}

    def backlog(self) -> Backlog:
        """Return what the present models have not read: outdated spaces, and bare passages."""
        total = Backlog()
        with self._snapshot() as connection:
            waiting = self._spaces if may_be_bare(connection) else self._outdated
            for name in waiting:
                space = self._spaces[name]
                which = HELD if name in self._outdated else f"{HELD} AND {BARE}"
                row = connection.execute(
                    f"SELECT COUNT(*), TOTAL(tokens) FROM texts WHERE space_id = ? AND {which}",
                    (space.id,),
                ).fetchone()
                total += Backlog(int(row[0]), int(row[1]))
        return total

    def sample_of_outdated(self, limit: int) -> list[tuple[str, str, int]]:
        """Return (space, text, tokens) of a few passages that a former model has read."""
        sample: list[tuple[str, str, int]] = []
        with self._snapshot() as connection:
            for name in sorted(self._outdated):
                rows = connection.execute(
                    f"SELECT text, tokens FROM texts WHERE space_id = ? AND {HELD} LIMIT ?",
                    (self._space(name).id, limit),
                )
                sample += [(name, str(text), int(tokens)) for text, tokens in rows]
        return sample

    def texts_without_vector(self, space: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Return (text id, text) of passages that wait for the model, by id, above ``after``.

        Those of an outdated space wait for ``accept_models`` first: there are none.
        """
        of_space = self._space(space)
        if space in self._outdated:
            return []
        with self._snapshot() as connection:
            if not may_be_bare(connection):
                return []
            rows = connection.execute(
                f"SELECT id, text FROM texts WHERE space_id = ? AND id > ? AND {HELD} AND {BARE} "
                "ORDER BY id LIMIT ?",
                (of_space.id, after, limit),
            ).fetchall()
        return [(int(text_id), str(text)) for text_id, text in rows]

    def fill_vectors(self, space: str, vectors: Mapping[int, Vector]) -> None:
        """Give texts their vectors, by text id; texts that went meanwhile are passed by.

        Raises:
            ValueError: a vector has a wrong dimension, a NaN, or nothing but zeros.
        """
        of_space = self._space(space)
        columns = {
            text_id: packed(vector, of_space.dimension) for text_id, vector in vectors.items()
        }
        self._write(lambda connection: _fill(connection, of_space, columns))
        self._changed()

    def end_backlog(self) -> None:
        """Stop looking for texts without a vector, if there are none any more."""
        self._write(_end_backlog)


def _has_vectors(connection: sqlite3.Connection, space_id: int) -> bool:
    query = (
        "SELECT EXISTS (SELECT 1 FROM texts JOIN vectors ON vectors.text_id = texts.id "
        "WHERE texts.space_id = ?)"
    )
    return bool(connection.execute(query, (space_id,)).fetchone()[0])


def _set_fingerprint(connection: sqlite3.Connection, space_id: int, fingerprint: str) -> None:
    connection.execute("UPDATE spaces SET fingerprint = ? WHERE id = ?", (fingerprint, space_id))


def _forget_vectors(connection: sqlite3.Connection, space_id: int, fingerprint: str) -> None:
    connection.execute(
        "DELETE FROM vectors WHERE text_id IN (SELECT id FROM texts WHERE space_id = ?)",
        (space_id,),
    )
    _set_fingerprint(connection, space_id, fingerprint)
    note_bare(connection)


def _end_backlog(connection: sqlite3.Connection) -> None:
    if may_be_bare(connection):
        (left,) = connection.execute(f"SELECT EXISTS (SELECT 1 FROM texts WHERE {BARE})").fetchone()
        note_bare(connection, bool(left))


def _fill(connection: sqlite3.Connection, space: Space, columns: Mapping[int, bytes]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO vectors (text_id, vector) "
        "SELECT id, ? FROM texts WHERE id = ? AND space_id = ?",
        [(column, text_id, space.id) for text_id, column in columns.items()],
    )
    log_change(connection, columns)
