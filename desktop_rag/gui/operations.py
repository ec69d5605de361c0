"""Work that must not block the window: one ``Operation`` a verb, run on a QThreadPool.

An operation's work is an ordinary function that takes the ``Operation`` (for its token
and for ``tell``) and returns a result. It runs in a thread of the pool; its result, its
failure and what it tells on its way arrive in the GUI thread, unless it was cancelled or
its owner is gone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QThreadPool, Signal

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError

logger = logging.getLogger(__name__)

T = TypeVar("T")

_THREADS = 6
"""More than cores: most operations wait for the library's own threads or for the disk,
and a page must be drawn while a question is being answered."""


class Operation(QObject):
    """One piece of work on its way through the pool."""

    _settled = Signal(object, object)
    _told = Signal(object)

    def __init__(
        self,
        owner: QObject,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        told: Callable[[Any], None] | None,
        ended: Callable[[Operation], None],
    ) -> None:
        super().__init__()
        self.token = CancelToken()
        self.pending = True
        self._owner = owner
        self._done = done
        self._failed = failed
        self._on_told = told
        self._ended = ended
        self._settled.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._told.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Ask the work to stop; nothing of it is delivered any more."""
        self.token.cancel()

    def tell(self, news: object) -> None:
        """Report from the pool's thread; ``told`` is called in the GUI thread."""
        if not self.token.cancelled:
            self._told.emit(news)

    def execute(self, work: Callable[[Operation], Any]) -> None:
        """Do the work in the calling thread and report how it ended."""
        result, error = None, None
        try:
            self.token.check()
            result = work(self)
        except Exception as caught:
            error = caught
        self._settled.emit(result, error)

    def _wanted(self) -> bool:
        return not self.token.cancelled and shiboken6.isValid(self._owner)

    def _pass_on(self, news: object) -> None:
        if self._on_told is not None and self._wanted():
            self._on_told(news)

    def _deliver(self, result: object, error: Exception | None) -> None:
        self.pending = False
        self._ended(self)
        if not self._wanted() or isinstance(error, Cancelled):
            return
        if error is None:
            self._done(result)
        else:
            self._failed(error)


class Operations(QObject):
    """Starts operations and ends them all when the window closes.

    ``known_error`` is emitted for every ``KnownError`` that the caller does not handle;
    other exceptions are bugs and reach ``unknown_error``.
    """

    known_error = Signal(object)
    unknown_error = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(_THREADS)
        self._running: set[Operation] = set()
        self._closed = False

    def run(
        self,
        owner: QObject,
        work: Callable[[Operation], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
        told: Callable[[Any], None] | None = None,
    ) -> Operation:
        """Run ``work`` in the pool; call ``done`` or ``failed`` in the GUI thread.

        ``told`` receives what ``Operation.tell`` is given. Nothing is called after a
        cancel or after ``owner`` is gone.
        """
        operation = Operation(owner, done, failed or self.report, told, self._running.discard)
        if self._closed:
            operation.cancel()
            return operation
        self._running.add(operation)
        self._pool.start(lambda: operation.execute(work))
        return operation

    def report(self, error: Exception) -> None:
        """Hand on a failure: known errors to the user, bugs to the crash dialog."""
        if isinstance(error, KnownError):
            self.known_error.emit(error)
            return
        logger.error("an operation failed", exc_info=error)
        self.unknown_error.emit(error)

    def cancel_all(self) -> None:
        """Cancel everything and accept nothing more."""
        self._closed = True
        for operation in tuple(self._running):
            operation.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait until the pool is empty; False if it is not by then."""
        return self._pool.waitForDone(max(1, round(seconds * 1000)))
