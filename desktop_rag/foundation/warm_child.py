"""A child process that is started when it is needed, kept, and replaced when it is worn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from desktop_rag.foundation.child import Child, ChildEnded
from desktop_rag.foundation.frames import Frame


class WarmChild:
    """Holds one child process at a time; thread-safe.

    Args:
        mode: what it does, see ``Child``.
        arguments: asked for its further arguments whenever one is started.
        command: the program; None for this program's own worker.
    """

    def __init__(
        self,
        mode: str,
        arguments: Callable[[], Sequence[str]],
        command: Sequence[str] | None = None,
    ) -> None:
        self._mode = mode
        self._arguments = arguments
        self._command = command
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether the end has begun."""
        return self._closed

    def present(self) -> Child | None:
        """Return the child that runs, None when there is none or it is gone."""
        child = self._child
        return child if child is not None and child.alive() else None

    def ready(self) -> Child:
        """Return the child, started if there is none.

        Raises:
            RuntimeError: this is closed.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError(f"the process that should {self._mode} is closed")
            if self._child is None:
                self._child = Child(self._mode, self._arguments(), self._command)
            return self._child

    def send(self, frames: Sequence[Frame]) -> Child:
        """Send requests, of which the last is answered; a child that died idle is replaced.

        Raises:
            ChildEnded: the new child is gone as well.
            RuntimeError: this is closed.
        """
        child = self.ready()
        try:
            child.send_all(frames)
        except ChildEnded:
            self.drop(child)
            child = self.ready()
            child.send_all(frames)
        return child

    def drop(self, child: Child | None = None) -> None:
        """End a child, the present one if none is named; the next request starts another."""
        with self._lock:
            ended = child or self._child
            if ended is self._child:
                self._child = None
        if ended is not None:
            ended.close()

    def close(self) -> None:
        """End the child at once and start none any more."""
        with self._lock:
            self._closed = True
        self.drop()
