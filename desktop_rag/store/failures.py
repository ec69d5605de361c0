"""Which failures of the disk and the database a user can do something about."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_rag.foundation.errors import KnownError

_FULL = (
    "The disk is full",
    "There is no room left where the library is kept. Make some room, then it goes on; "
    "nothing was lost.",
)
_DAMAGED = (
    "The library is damaged",
    "The library's database cannot be read. Close the program and run “desktop-rag verify "
    "--repair”: what can be saved is, the rest is read again; your own files are not touched.",
)
_IN_USE = ("The library is in use", "Another program has locked the library. Close it.")
_NOT_WRITABLE = (
    "The library cannot be written",
    "The library's folder cannot be made or changed. Check its permissions, or choose "
    "another place for it.",
)
_FAILING = (
    "The disk failed",
    "The disk that holds the library gave an error. Check the disk.",
)

_OF_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_READONLY: _NOT_WRITABLE,
    sqlite3.SQLITE_CANTOPEN: _NOT_WRITABLE,
    sqlite3.SQLITE_PERM: _NOT_WRITABLE,
    sqlite3.SQLITE_IOERR: _FAILING,
}
_OF_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _NOT_WRITABLE,
    errno.EEXIST: _NOT_WRITABLE,
    errno.ENAMETOOLONG: _NOT_WRITABLE,
    errno.ENOTDIR: _NOT_WRITABLE,
    errno.EPERM: _NOT_WRITABLE,
    errno.EROFS: _NOT_WRITABLE,
    errno.EIO: _FAILING,
}
_PRIMARY_CODE = 0xFF
"""An extended SQLite result code holds the primary one in its low byte."""

_NO_TEXT = "Could not decode to UTF-8"
"""What Python says of a text column whose bytes are no text any more; it has no code."""

_FULL_IN_WORDS = "No space left on device"
"""tantivy wraps the system's error in one of its own and keeps only its words."""


@contextmanager
def failures_known(folder: Path) -> Iterator[None]:
    """Turn failures that a user can act on into a ``KnownError`` about ``folder``."""
    try:
        yield
    except KnownError:
        raise
    except BaseException as error:
        told = _told(error)
        if told is None:
            raise
        raise KnownError(*told, str(folder)) from error


def _told(error: BaseException) -> tuple[str, str] | None:
    """Return title and message, None for what is not a user's to mend."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        if code is None and _NO_TEXT in str(error):
            return _DAMAGED
        return None if code is None else _OF_SQLITE.get(code & _PRIMARY_CODE)
    if isinstance(error, OSError) and error.errno is not None:
        return _OF_SYSTEM.get(error.errno)
    return _FULL if _FULL_IN_WORDS in str(error) else None
