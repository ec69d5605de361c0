"""Cooperative cancellation: one token a piece of work, checked between its steps."""

from __future__ import annotations

import threading
import weakref

from desktop_rag.foundation.errors import Cancelled


class CancelToken:
    """Set from any thread, checked by the worker. Never reset: make a new one."""

    __slots__ = ("__weakref__", "_children", "_event", "_lock")

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._children: weakref.WeakSet[CancelToken] = weakref.WeakSet()

    def cancel(self) -> None:
        """Ask the work to stop at its next check, and all work under child tokens."""
        self._event.set()
        with self._lock:
            children = tuple(self._children)
        for child in children:
            child.cancel()

    def child(self) -> CancelToken:
        """Return a token that is cancelled with this one, and can be cancelled alone.

        The parent does not keep it alive: a long-lived token may have any number of them.
        """
        child = CancelToken()
        with self._lock:
            self._children.add(child)
        if self.cancelled:
            child.cancel()
        return child

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
