"""What is asked about single entries of folders."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_REPARSE_POINT = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0x400)
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003)


def is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether a Windows folder is a link to another one."""
    if os.name != "nt":
        return False
    status = entry.stat(follow_symlinks=False)
    attributes = getattr(status, "st_file_attributes", 0)
    return bool(attributes & _REPARSE_POINT) and (getattr(status, "st_reparse_tag", 0) == _JUNCTION)


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from all others, None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def names_in(folder: str) -> set[str]:
    """Return the names in a folder; none when it cannot be opened."""
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()
