"""What a look at the disk notes of files, and how paths of sources relate."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field, replace

from desktop_rag.domain.files import FileStat, Source
from desktop_rag.foundation.paths import file_at

_INODE_SPAN = 1 << 64
_INODE_SIGN = 1 << 63

UNKNOWN_STAT = FileStat(-1, 0, 0, 0)
"""Equal to no file's: the next look compares contents."""


@dataclass(slots=True)
class Listing:
    """A source's files by relative path (``/`` between names, "" for a single file).

    ``within`` is the part of the source that was looked at, "" for all of it.
    ``ignored`` are those that a rule of the user's leaves out; ``remote`` are in the cloud
    alone, and to look into them would fetch them. ``unreadable`` are
    folders that could not be opened: what is in them is unknown, not gone.
    """

    within: str = ""
    files: dict[str, FileStat] = field(default_factory=dict)
    ignored: dict[str, FileStat] = field(default_factory=dict)
    remote: dict[str, FileStat] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    folders: int = 0

    def covers(self, relpath: str) -> bool:
        """Whether ``relpath`` would be listed here if it existed."""
        if not is_within(relpath, self.within):
            return False
        return not any(is_within(relpath, folder) for folder in self.unreadable)


def is_within(relpath: str, folder: str) -> bool:
    """Whether ``relpath`` is ``folder`` or below it; everything is within ""."""
    return not folder or relpath == folder or relpath.startswith(f"{folder}/")


def file_stat(status: os.stat_result) -> FileStat:
    """Return what a scan compares; inodes are folded into signed 64 bits for SQLite."""
    inode = status.st_ino % _INODE_SPAN
    if inode >= _INODE_SIGN:
        inode -= _INODE_SPAN
    return FileStat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, inode)


def regular_stat(path: str) -> FileStat | None:
    """Return the stat of a regular file, None if there is none (or a link, or a pipe).

    Raises:
        OSError: the path cannot be looked at for another reason than its absence.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return file_stat(status) if stat.S_ISREG(status.st_mode) else None


def stat_like(path: str, was: FileStat) -> FileStat | None:
    """Return what a file's stat is now, None if it is gone.

    A file inside another has that one's times and inode, and the size that it had.
    """
    on_disk = str(file_at(path))
    now = regular_stat(on_disk)
    return now if now is None or on_disk == path else replace(now, size=was.size)


def join(root: str, relpath: str) -> str:
    """Return the path of a source's file on the disk."""
    return os.path.join(root, *relpath.split("/")) if relpath else root


def folder_of(source: Source) -> str:
    """Return the folder whose presence tells whether a source can be reached."""
    return source.path if source.is_folder else os.path.dirname(source.path)
