"""Cooperative cancellation: one token a piece of work, checked between its steps."""

from __future__ import annotations

import threading

from desktop_rag.foundation.errors import Cancelled


class CancelToken:
    """Set from any thread, checked by the worker. Never reset: make a new one."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop at its next check."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise ``Cancelled`` if the token is set."""
        if self._event.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Sleep for at most ``seconds``; return True as soon as the token is set."""
        return self._event.wait(seconds)
