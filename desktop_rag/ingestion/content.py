"""A file's content hash: what decides whether a file has really changed."""

from __future__ import annotations

import hashlib
import os

from desktop_rag.foundation.cancellation import CancelToken

_PIECE = 1 << 20
"""Bytes read at a time: enough for the disk's full speed, little enough to cancel soon."""

_HASH_BYTES = 16
"""BLAKE2b-128: no two different files will ever share one by accident."""


def hash_file(path: str, cancel: CancelToken | None = None) -> str:
    """Return the file's BLAKE2b-128 as 32 hexadecimal digits.

    A pipe that has taken the file's place is not opened for long: opening never waits.

    Raises:
        OSError: the file cannot be read.
        Cancelled: the token was set.
    """
    digest = hashlib.blake2b(digest_size=_HASH_BYTES)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        while piece := os.read(descriptor, _PIECE):
            digest.update(piece)
            if cancel is not None:
                cancel.check()
    finally:
        os.close(descriptor)
    return digest.hexdigest()


def hash_content(content: bytes) -> str:
    """Return what ``hash_file`` returns for a file of this content."""
    return hashlib.blake2b(content, digest_size=_HASH_BYTES).hexdigest()


def hash_if_readable(path: str, cancel: CancelToken | None = None) -> str | None:
    """Return the file's hash, None if it cannot be read now.

    Raises:
        Cancelled: the token was set.
    """
    try:
        return hash_file(path, cancel)
    except OSError:
        return None
