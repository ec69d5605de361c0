"""Opening the library's database: a new one, today's, an older or a newer one's."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.failures import failures_known
from desktop_rag.store.schema import SCHEMA_VERSION, migrate, version_of

DATABASE_NAME = "library.db"
PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600

_MAGIC = b"SQLite format 3\x00"
_VERSION_OFFSET = 60
"""Where the file format keeps ``user_version``, 4 bytes, big-endian
(sqlite.org/fileformat2.html, 1.3)."""

_BUSY_MS = 10_000
_LOG_BYTES = 32 << 20
_WRITER_CACHE_KB = 16_384
_READER_CACHE_KB = 4_096

_WRITER_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    # In WAL mode NORMAL never corrupts: a power cut may lose the last transactions,
    # and the next scan of the disk finds those files again. FULL would sync once a file.
    "PRAGMA synchronous = NORMAL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
    # Sorting must not leave words in temporary files.
    "PRAGMA temp_store = MEMORY",
    f"PRAGMA busy_timeout = {_BUSY_MS}",
    f"PRAGMA journal_size_limit = {_LOG_BYTES}",
    f"PRAGMA cache_size = -{_WRITER_CACHE_KB}",
)


def make_private(folder: Path) -> None:
    """Create a folder that its owner alone can enter; an existing one is left as it is."""
    if not folder.is_dir():
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)


def open_database(folder: Path) -> sqlite3.Connection:
    """Return the writing connection to the library in ``folder``, made or migrated.

    Raises:
        KnownError: the library is of a newer version of the program (it is left
            untouched), is damaged, or cannot be written.
    """
    path = folder / DATABASE_NAME
    with failures_known(folder):
        make_private(folder)
        refuse(path)
        path.touch(mode=_PRIVATE_FILE, exist_ok=True)
        return _opened(path)


def refuse(path: Path) -> None:
    """Refuse what is no library of this version, by its first bytes: nothing is touched.

    Raises:
        KnownError: it is of a newer version, or no library at all.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.read(_VERSION_OFFSET + 4)
    if head and not head.startswith(_MAGIC):
        raise KnownError(
            "The library is damaged",
            f"“{path.name}” is not a library of this program. Move it away, then the "
            "files can be read again.",
            str(path),
        )
    refuse_newer(int.from_bytes(head[_VERSION_OFFSET:], "big"), path)


def refuse_newer(version: int, path: Path) -> None:
    """Raise a ``KnownError`` for a version above this program's."""
    if version > SCHEMA_VERSION:
        raise KnownError(
            "Made by a newer version",
            "This library was made by a newer version of the program. Install that "
            "version to open it; nothing in it was changed.",
            str(path),
        )


def new_database(path: Path) -> sqlite3.Connection:
    """Return the writing connection to a new database in a file of its owner's alone."""
    path.touch(mode=_PRIVATE_FILE)
    return _opened(path)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        refuse_newer(version_of(connection), path)
        for pragma in _WRITER_PRAGMAS:
            connection.execute(pragma)
        version = version_of(connection)
        if version < SCHEMA_VERSION:
            _migrate(connection, path, version)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Migrate; with a copy beside it while that may fail, when there is something to lose."""
    backup = path.with_name(f"{path.name}.before-{SCHEMA_VERSION}")
    if version:
        _back_up(connection, backup)
    # sqlite-utils handles transactions the way that sqlite3 does by default.
    connection.isolation_level = "DEFERRED"
    migrate(connection)
    connection.isolation_level = None
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise sqlite3.IntegrityError("a migration left broken references")
    # The version must stand in the file itself, where an older program looks for it.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    backup.unlink(missing_ok=True)


def _back_up(connection: sqlite3.Connection, backup: Path) -> None:
    backup.unlink(missing_ok=True)
    backup.touch(mode=_PRIVATE_FILE)
    copy = sqlite3.connect(backup)
    try:
        connection.backup(copy)
    finally:
        copy.close()


def open_reader(folder: Path) -> sqlite3.Connection:
    """Return a connection that can only read."""
    path = folder / DATABASE_NAME
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    connection.execute(f"PRAGMA cache_size = -{_READER_CACHE_KB}")
    return connection


def folder_bytes(folder: Path) -> int:
    """Return the size of all files under a folder."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(parent) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def remove_folder(folder: Path) -> None:
    """Remove a folder of derived data, if it is there."""
    if folder.exists():
        shutil.rmtree(folder)
