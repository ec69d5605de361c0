"""Which failures of the disk and the database a user can do something about."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from desktop_rag.foundation.errors import KnownError

_FULL = "The disk is full"
_PRIMARY_CODE = 0xFF
"""An extended SQLite result code holds the primary one in its low byte."""


def known(error: BaseException, folder: Path) -> BaseException:
    """Return a ``KnownError`` for what a user can act on, else ``error`` itself."""
    place = str(folder)
    if _is_full(error):
        return KnownError(
            _FULL,
            "There is no room left where the library is kept. Make some room, then it "
            "goes on; nothing was lost.",
            place,
        )
    code = _sqlite_code(error)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return KnownError(
            "The library is damaged",
            "The library's database cannot be read. Move the library's folder away and "
            "start again; your own files are not touched.",
            place,
        )
    if code == sqlite3.SQLITE_BUSY:
        return KnownError(
            "The library is in use", "Another program has locked the library. Close it.", place
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM) or (
        isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EROFS, errno.EPERM)
    ):
        return KnownError(
            "The library cannot be written",
            "The library's folder does not allow changes. Check its permissions, or "
            "choose another place for it.",
            place,
        )
    if code == sqlite3.SQLITE_IOERR:
        return KnownError(
            "The disk failed",
            "The disk that holds the library gave an error. Check the disk.",
            place,
        )
    return error


def _sqlite_code(error: BaseException) -> int | None:
    code = getattr(error, "sqlite_errorcode", None) if isinstance(error, sqlite3.Error) else None
    return None if code is None else code & _PRIMARY_CODE


def _is_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    if _sqlite_code(error) == sqlite3.SQLITE_FULL:
        return True
    # tantivy reports the operating system's words, hnswlib (C++ streams) none at all.
    return not isinstance(error, KnownError) and "No space left on device" in str(error)
