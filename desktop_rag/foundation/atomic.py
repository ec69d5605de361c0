"""Files that are there whole or not at all, whatever moment the power goes at."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_TEMPORARY_SUFFIX = ".part"
_PRIVATE = 0o600
_READ_SIZE = 1 << 20
_REPLACE_TRIES = 10
_REPLACE_PAUSE_SECONDS = 0.05
"""On Windows a virus scanner may hold a file for a moment; half a second outlasts it."""


@contextlib.contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Give a path beside ``target`` to write to; it becomes ``target`` when the block ends.

    The new file is on the disk (fsync of the file, then of the folder) before it takes
    the old one's place, and only its owner may read it. When the block raises, the old
    file stays as it was and the new one is removed.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_TEMPORARY_SUFFIX}")
    try:
        yield temporary
        _make_durable(temporary)
        _replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def write_atomically(target: Path, data: bytes) -> None:
    """Write ``data`` as the whole content of ``target``; see ``atomic_path``."""
    with atomic_path(target) as temporary:
        temporary.write_bytes(data)


def file_checksum(path: Path) -> str:
    """Return the SHA-256 of a file's content, as 64 hexadecimal digits.

    Raises:
        OSError: the file cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_READ_SIZE):
            digest.update(block)
    return digest.hexdigest()


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed process left half written in ``folder`` (not below it)."""
    for path in folder.glob(f".*{_TEMPORARY_SUFFIX}"):
        path.unlink(missing_ok=True)


def _make_durable(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    path.chmod(_PRIVATE)


def _replace(temporary: Path, target: Path) -> None:
    for _ in range(_REPLACE_TRIES - 1):
        try:
            temporary.replace(target)
        except PermissionError:
            if sys.platform != "win32":
                raise
            time.sleep(_REPLACE_PAUSE_SECONDS)
        else:
            return
    temporary.replace(target)


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
