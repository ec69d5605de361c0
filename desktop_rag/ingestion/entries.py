"""What is asked about single entries of folders."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

_REPARSE_POINT = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0x400)
_RECALLED = 0x1000 | 0x4_0000 | 0x40_0000
_DATALESS = 0x4000_0000
_PLACEHOLDER = re.compile(r"\.(.+)\.icloud", re.DOTALL)
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003)


def is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether a Windows folder is a link to another one."""
    if os.name != "nt":
        return False
    status = entry.stat(follow_symlinks=False)
    attributes = getattr(status, "st_file_attributes", 0)
    return bool(attributes & _REPARSE_POINT) and (getattr(status, "st_reparse_tag", 0) == _JUNCTION)


def in_the_cloud(status: object) -> bool:
    """Whether a file's content is elsewhere, so that opening it would fetch it.

    OneDrive and other synchronising programs mark such files: on Windows by an attribute
    (``FILE_ATTRIBUTE_OFFLINE``, ``_RECALL_ON_OPEN``, ``_RECALL_ON_DATA_ACCESS`` of winnt.h),
    on macOS by a flag (``SF_DATALESS`` of sys/stat.h). Linux has no such mark.
    """
    attributes: int = getattr(status, "st_file_attributes", 0)
    flags: int = getattr(status, "st_flags", 0)
    return bool(attributes & _RECALLED or flags & _DATALESS)


def is_in_the_cloud(path: str) -> bool:
    """Whether opening a file would fetch it; False where there is none."""
    try:
        return in_the_cloud(os.lstat(path))
    except OSError:
        return False


def stands_for(name: str) -> str | None:
    """Return the file that a placeholder of iCloud stands for, None for any other name.

    Up to macOS 13 ``.report.pdf.icloud`` is there in place of ``report.pdf``.
    """
    found = _PLACEHOLDER.fullmatch(name)
    return None if found is None else found.group(1)


def placeholder_of(path: str) -> str:
    """Return where iCloud would put a placeholder for a file."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.icloud")


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
