"""Sources and collections of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from desktop_rag.domain.files import Source, SourceState
from desktop_rag.store.codec import pack_ids, pack_strings, pack_text, unpack_strings, unpack_text
from desktop_rag.store.core import StoreCore
from desktop_rag.store.file_store import remove_and_log
from desktop_rag.store.records import Collection
from desktop_rag.store.sql import ids_of, inserted_id

_SOURCE = "SELECT id, path, is_folder, state, visibility, ignore_rules FROM sources "

VISIBILITIES = ("private", "shared")
"""Whether programs other than this one may see a source; private unless the user says so."""


class SourceStore(StoreCore):
    """What the user has added."""

    def add_source(self, path: str, is_folder: bool) -> Source:
        """Add a source; one that is there already is returned as it is."""

        def work(connection: sqlite3.Connection) -> Source:
            connection.execute(
                "INSERT INTO sources (path, is_folder) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (pack_text(path), is_folder),
            )
            row = connection.execute(f"{_SOURCE} WHERE path = ?", (pack_text(path),)).fetchone()
            return _source(row)

        return self._write(work)

    def sources(self) -> list[Source]:
        """Return all sources in the order they were added."""
        with self._snapshot() as connection:
            return [_source(row) for row in connection.execute(f"{_SOURCE} ORDER BY id")]

    def source(self, source_id: int) -> Source | None:
        """Return a source, None when there is none with this id."""
        with self._snapshot() as connection:
            row = connection.execute(f"{_SOURCE} WHERE id = ?", (source_id,)).fetchone()
        return None if row is None else _source(row)

    def remove_source(self, source_id: int) -> None:
        """Remove a source with its files and whatever only they held."""

        def work(connection: sqlite3.Connection) -> int:
            files = connection.execute("SELECT id FROM files WHERE source_id = ?", (source_id,))
            change = remove_and_log(connection, ids_of(files.fetchall()))
            connection.execute("DELETE FROM sources WHERE id = ?", (source_id,))
            return change

        self._write(work)
        self._changed()

    def set_source_state(self, source_id: int, state: SourceState) -> None:
        """Note whether a source's root can be reached."""
        self._update_source(source_id, "state", state.value)

    def set_ignore_rules(self, source_id: int, rules: Iterable[str]) -> None:
        """Set the lines of a source's ignore rules."""
        self._update_source(source_id, "ignore_rules", pack_strings(tuple(rules)))

    def set_visibility(self, source_id: int, visibility: str) -> None:
        """Set what other programs may see of a source.

        Raises:
            ValueError: not one of ``VISIBILITIES``.
        """
        if visibility not in VISIBILITIES:
            raise ValueError(f"a visibility is one of {VISIBILITIES}, not {visibility!r}")
        self._update_source(source_id, "visibility", visibility)

    def create_collection(self, name: str, description: str = "") -> int:
        """Create a named group of sources; return its id.

        Raises:
            ValueError: the name is blank, or there is one of this name.
        """

        def work(connection: sqlite3.Connection) -> int:
            _check_free(connection, name)
            return inserted_id(
                connection.execute(
                    "INSERT INTO collections (name, description) VALUES (?, ?)",
                    (name, description),
                )
            )

        return self._write(work)

    def change_collection(self, collection_id: int, name: str, description: str) -> None:
        """Give a collection another name and description.

        Raises:
            ValueError: the name is blank, or another one has it.
        """

        def work(connection: sqlite3.Connection) -> None:
            _check_free(connection, name, collection_id)
            connection.execute(
                "UPDATE collections SET name = ?, description = ? WHERE id = ?",
                (name, description, collection_id),
            )

        self._write(work)

    def collections(self) -> list[Collection]:
        """Return all collections by name, with the ids of their sources."""
        with self._snapshot() as connection:
            members: dict[int, list[int]] = {}
            for collection_id, source_id in connection.execute(
                "SELECT collection_id, source_id FROM collection_sources ORDER BY source_id"
            ):
                members.setdefault(collection_id, []).append(source_id)
            rows = connection.execute("SELECT id, name, description FROM collections ORDER BY name")
            return [
                Collection(row[0], row[1], row[2], tuple(members.get(row[0], ()))) for row in rows
            ]

    def set_collection_sources(self, collection_id: int, source_ids: Iterable[int]) -> None:
        """Make a collection consist of these sources."""
        wanted = pack_ids(set(source_ids))

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "DELETE FROM collection_sources WHERE collection_id = ?", (collection_id,)
            )
            connection.execute(
                "INSERT INTO collection_sources SELECT ?, value FROM json_each(?)",
                (collection_id, wanted),
            )

        self._write(work)

    def delete_collection(self, collection_id: int) -> None:
        """Delete a collection; its sources stay."""
        self._write(
            lambda c: c.execute("DELETE FROM collections WHERE id = ?", (collection_id,)).rowcount
        )

    def _update_source(self, source_id: int, column: str, value: str) -> None:
        sql = f"UPDATE sources SET {column} = ? WHERE id = ?"
        self._write(lambda c: c.execute(sql, (value, source_id)).rowcount)


def _check_free(connection: sqlite3.Connection, name: str, but: int = 0) -> None:
    """Raise ValueError for a blank name, or one that a collection other than ``but`` has."""
    if not name.strip():
        raise ValueError("a collection's name must not be blank")
    taken = connection.execute("SELECT 1 FROM collections WHERE name = ? AND id <> ?", (name, but))
    if taken.fetchone():
        raise ValueError(f"there is a collection {name!r} already")


def _source(row: tuple) -> Source:  # type: ignore[type-arg]
    return Source(
        id=row[0],
        path=unpack_text(row[1]),
        is_folder=bool(row[2]),
        state=SourceState(row[3]),
        visibility=row[4],
        ignore_rules=unpack_strings(row[5]),
    )
