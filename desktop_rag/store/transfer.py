"""Taking a library elsewhere: one file out, one file in."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from desktop_rag.foundation.atomic import atomic_path
from desktop_rag.foundation.errors import KnownError, explain_os_error
from desktop_rag.store.checking import database_problems
from desktop_rag.store.core import StoreCore
from desktop_rag.store.database import DATABASE_NAME, open_database
from desktop_rag.store.failures import failures_known
from desktop_rag.store.merging import OTHER, MergeReport, merge
from desktop_rag.store.moved_paths import MovedPaths
from desktop_rag.store.portable import read_portable, write_portable
from desktop_rag.store.sql import NOTE, put_note

_COUNTED = {"sources": "sources", "files": "files", "passages": "segments", "chats": "chats"}
_WORKING = ".transfer-"


class TransferStore(StoreCore):
    """Exports the library and takes an exported one in."""

    def export_to(self, target: Path) -> dict[str, int]:
        """Write everything into one new file; return how much there is of what.

        Raises:
            KnownError: there is a file of this name, or it cannot be written.
        """
        if os.path.lexists(target):
            raise KnownError(
                "There is a file already",
                f"“{target}” exists. Choose another name, or move it away first.",
                str(target),
            )
        if not target.parent.is_dir():
            raise KnownError("Not found", f"There is no folder “{target.parent}”.", str(target))
        with (
            failures_known(self._folder),
            TemporaryDirectory(prefix=_WORKING, dir=self._folder) as working,
        ):
            copy = Path(working) / DATABASE_NAME
            counts = self._copy_to(copy)
            with _disk_explained(), atomic_path(target) as part:
                write_portable(copy, part, counts)
        return counts

    def import_from(
        self, source: Path, moves: Mapping[str, str], notes: Collection[str] = ()
    ) -> MergeReport:
        """Take in an exported library; see ``merging`` for what becomes of what is here.

        All of it comes, in one transaction, or nothing.

        Args:
            source: the exported file.
            moves: for folders that are elsewhere here, the new place by the old one.
            notes: names of notes that hold for both libraries only if they are equal.

        Raises:
            KnownError: the file is damaged, of a newer version or no library; a folder
                overlaps one that is here; the disk is full. Nothing is changed then.
        """
        if not source.is_file():
            raise KnownError("Not found", f"There is no file “{source}”.", str(source))
        with (
            failures_known(self._folder),
            TemporaryDirectory(prefix=_WORKING, dir=self._folder) as working,
        ):
            read_portable(source, Path(working) / DATABASE_NAME)
            _check(Path(working), source)
            report = self._merge(Path(working) / DATABASE_NAME, MovedPaths(moves), notes)
        self._changed()
        return report

    def _copy_to(self, copy: Path) -> dict[str, int]:
        """Copy the database as it is at this moment, without what only its indexes need."""
        copy.touch(mode=0o600)
        with closing(sqlite3.connect(copy, isolation_level=None)) as other:
            with self._snapshot() as connection:
                connection.backup(other)
            other.execute("PRAGMA journal_mode = DELETE")
            other.execute("DELETE FROM change_log")
            other.execute("PRAGMA foreign_keys = ON")
            other.execute("DELETE FROM chats WHERE deleted_at IS NOT NULL")
            other.execute("VACUUM")
            return {
                name: int(other.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])
                for name, table in _COUNTED.items()
            }

    def _merge(self, database: Path, paths: MovedPaths, notes: Collection[str]) -> MergeReport:
        def work(connection: sqlite3.Connection) -> MergeReport:
            report = merge(connection, paths)
            for name in notes:
                _agree_on(connection, name)
            return report

        path = str(database)
        self._writer.run_outside(lambda c: c.execute(f"ATTACH ? AS {OTHER}", (path,)).close())
        try:
            return self._write(work)
        finally:
            self._writer.run_outside(lambda c: c.execute(f"DETACH {OTHER}").close())


@contextmanager
def _disk_explained() -> Iterator[None]:
    """Speak of the place that is written to, which may be on another disk than the library."""
    try:
        yield
    except OSError as error:
        known = explain_os_error(error)
        if known is None:
            raise
        raise known from error


def _check(folder: Path, source: Path) -> None:
    """Bring an exported database to this version and see that it is sound."""
    with closing(open_database(folder)) as connection:
        problems = database_problems(connection)
        connection.execute("PRAGMA journal_mode = DELETE")
    if problems:
        raise KnownError(
            "Damaged when it was exported",
            f"“{source.name}” holds a damaged library. Repair the library that it comes from "
            "and export it again; nothing was changed.",
            str(source),
        )


def _agree_on(connection: sqlite3.Connection, name: str) -> None:
    """Keep a note that both libraries have, take that of an empty one, forget any other."""
    mine, theirs = (
        connection.execute(
            f"SELECT value FROM {schema}.library WHERE name = ?", (f"{NOTE}{name}",)
        ).fetchone()
        for schema in ("main", OTHER)
    )
    others = connection.execute(
        "SELECT 1 FROM main.files WHERE id NOT IN (SELECT new FROM temp.map_files)"
    ).fetchone()
    if mine is None and others is None and theirs is not None:
        put_note(connection, name, theirs[0])
    elif mine != theirs:
        put_note(connection, name, "")
