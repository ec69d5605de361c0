"""Doing something after a time in which nothing happened."""

from __future__ import annotations

import threading
from collections.abc import Callable


class IdleClock:
    """Calls ``action`` once, ``seconds`` after the last ``start``; thread-safe.

    Args:
        seconds: how long; 0 for never.
        action: what to do, in a thread of the clock's.
    """

    def __init__(self, seconds: float, action: Callable[[], None]) -> None:
        self._seconds = seconds
        self._action = action
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._closed = False

    def start(self) -> None:
        """Begin to count anew."""
        with self._lock:
            self._cancel()
            if self._seconds > 0 and not self._closed:
                self._timer = threading.Timer(self._seconds, self._action)
                self._timer.name, self._timer.daemon = "model idle", True
                self._timer.start()

    def stop(self) -> None:
        """Count no more until the next ``start``."""
        with self._lock:
            self._cancel()

    def close(self) -> None:
        """End for good; no thread is left."""
        with self._lock:
            self._closed = True
            timer = self._timer
            self._cancel()
        if timer is not None and timer is not threading.current_thread():
            timer.join()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
