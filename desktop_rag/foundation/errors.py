"""Errors that a user can act on, kept apart from bugs."""

from __future__ import annotations


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
