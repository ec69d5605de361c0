"""Errors that a user can act on, kept apart from bugs."""

from __future__ import annotations

import errno
import os


class KnownError(Exception):
    """Something went wrong that the user can understand and do something about.

    Everything that is not a ``KnownError`` (or a ``ValueError`` for wrong arguments of
    the programming interface) is a bug and must reach the log and the crash dialog.

    Args:
        title: what happened, in a few words ("Needs a password").
        message: one or two sentences: what happened, to what, and what to do.
        path: the file or folder concerned, if there is one.
    """

    def __init__(self, title: str, message: str, path: str | None = None) -> None:
        super().__init__(message)
        self.title = title
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.title}: {self.message}"


class Cancelled(Exception):  # noqa: N818  - a request that was honoured, not an error
    """Raised inside a piece of work after its ``CancelToken`` was set."""


def explain_os_error(error: OSError) -> KnownError | None:
    """Return what a user can do about an error of the disk, or None when it is none of those.

    Full and read-only disks, missing permission and devices that went away are known;
    raise the result ``from error``, and the error itself when there is no result.
    """
    words = _DISK_WORDS.get(error.errno or 0)
    if words is None:
        return None
    title, message = words
    path = None if error.filename is None else os.fsdecode(error.filename)
    return KnownError(title, message, path)


_FULL = ("Disk full", "There is no room left on the disk. Make some room and try again.")
_NOT_ALLOWED = ("Not allowed", "Your account may not read or write this. Change its permissions.")
_READ_ONLY = ("Read only", "This disk cannot be written. Choose another place.")
_GONE = ("Drive not connected", "The drive stopped answering. Connect it again and try again.")

_DISK_WORDS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EROFS: _READ_ONLY,
    errno.EIO: _GONE,
    errno.ENODEV: _GONE,
    errno.ENXIO: _GONE,
    errno.ESTALE: _GONE,
}
