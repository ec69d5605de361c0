"""Whether the reading may go on: paused by the user, stalled by a full disk, or closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from desktop_rag.domain.files import Problem
from desktop_rag.foundation.errors import KnownError

_RETRY_SECONDS = 30.0
"""How long a stall lasts before the work that failed is tried again by itself."""


class Gate:
    """Shared by the threads of the pipeline; each change is told to the listeners.

    A *pause* is the user's and lasts until ``resume``. A *stall* has a reason outside
    any single file (no room on the disk, a damaged model); what failed is kept and
    tried again after a while, or at once on ``resume``.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._paused = False
        self._closed = False
        self._problem: Problem | None = None
        self._retry_at = 0.0

    def listen(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` after every change, from the thread that made it."""
        self._listeners.append(listener)

    @property
    def open(self) -> bool:
        """Whether new work may begin."""
        return not (self._paused or self._closed or self._problem is not None)

    @property
    def paused(self) -> bool:
        """Whether the user has paused the work."""
        return self._paused

    @property
    def closed(self) -> bool:
        """Whether the program is closing."""
        return self._closed

    @property
    def problem(self) -> Problem | None:
        """Why the work stalled, None if it did not."""
        return self._problem

    @property
    def seconds_to_retry(self) -> float | None:
        """How long until a stall is over, None without one."""
        with self._lock:
            if self._problem is None:
                return None
            return max(0.0, self._retry_at - time.monotonic())

    def pause(self) -> None:
        """Begin no new work until ``resume``."""
        with self._lock:
            self._paused = True
        self._tell()

    def resume(self) -> None:
        """Go on, also after a stall."""
        with self._lock:
            self._paused = False
            self._problem = None
        self._tell()

    def stall(self, error: KnownError) -> None:
        """Stop for a reason that is not one file's; what failed will be tried again."""
        with self._lock:
            self._problem = Problem(error.title, error.message)
            self._retry_at = time.monotonic() + _RETRY_SECONDS
        self._tell()

    def end_stall(self) -> None:
        """Let the work that stalled be tried again."""
        with self._lock:
            self._problem = None
        self._tell()

    def close(self) -> None:
        """Begin nothing any more."""
        with self._lock:
            self._closed = True
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()
