"""A long reading makes way for what the user has just touched."""

from __future__ import annotations

import time

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.ingestion.jobs import Job, JobQueue

_OWN_SECONDS = 0.7
"""A reading that takes no longer is never disturbed; more would let an edit wait for more
than two seconds until it is found."""

_MOST_YIELDS = 2
"""A file that has made way so often is read to its end: edits must not starve it."""


class YieldingToken(CancelToken):
    """A job's token that is cancelled as well when the reading has to make way."""

    __slots__ = ("_began", "_job", "_queue")

    def __init__(self, job: Job, queue: JobQueue) -> None:
        super().__init__()
        self._job = job
        self._queue = queue
        self._began = time.monotonic()

    @property
    def cancelled(self) -> bool:
        """Whether the job was cancelled, or has to make way."""
        if not (self._job.cancel.cancelled or self._event.is_set()) and self._must_yield():
            self._job.yielded += 1
            self.cancel()
        return self._job.cancel.cancelled or self._event.is_set()

    def check(self) -> None:
        """Raise ``Cancelled`` if ``cancelled``."""
        if self.cancelled:
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Sleep for at most ``seconds``; return whether the job was cancelled meanwhile."""
        return self._job.cancel.wait(seconds) or self.cancelled

    def _must_yield(self) -> bool:
        return (
            time.monotonic() - self._began > _OWN_SECONDS
            and self._job.yielded < _MOST_YIELDS
            and self._queue.has_newer(self._job)
        )
