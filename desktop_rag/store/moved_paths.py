"""Where the folders of another computer are on this one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from desktop_rag.foundation.errors import KnownError

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class MovedPaths:
    """Gives the place here of a path there.

    Args:
        moves: new folder by old one; the longest old one that fits counts. The old ones
            may be of another system, with its own separators.
    """

    def __init__(self, moves: Mapping[str, str]) -> None:
        self._moves = sorted(
            ((_parts(old), new) for old, new in moves.items()),
            key=lambda move: len(move[0]),
            reverse=True,
        )
        self._unused = {_parts(old): old for old in moves}

    def place(self, path: str) -> str:
        """Return where a path is here; one that nothing is said of stays as it is."""
        parts = _parts(path)
        for old, new in self._moves:
            if parts[: len(old)] == old:
                self._unused.pop(old, None)
                return os.path.join(new, *parts[len(old) :])
        return path

    def check_all_used(self) -> None:
        """Raise a ``KnownError`` if a move was for none of the paths."""
        for old in self._unused.values():
            raise KnownError(
                "Nothing to map",
                f"No folder of the exported library is “{old}” or lies in it; nothing was changed.",
                old,
            )


def _parts(path: str) -> tuple[str, ...]:
    """Return the names of a path; a Windows path compares without regard to case."""
    if _WINDOWS.match(path):
        drive, *names = re.split(r"[\\/]+", path.rstrip("\\/"))
        return (drive.lower(), *names)
    return tuple(path.rstrip("/").split("/"))


def check_place(path: str, original: str) -> None:
    """Raise a ``KnownError`` for a path that cannot be one of this computer."""
    if not os.path.isabs(path) or (os.name != "nt" and _WINDOWS.match(path)):
        raise KnownError(
            "Where is this folder?",
            f"“{original}” cannot be a folder of this computer. Say where it is now, with "
            f"--map “{original}”=FOLDER; nothing was changed.",
            original,
        )
