"""How the reading of each file ended: told to the store, the queue and the listeners."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileStat, FileStatus, Problem
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.jobs import Job, JobQueue
from desktop_rag.ingestion.listing import UNKNOWN_STAT
from desktop_rag.ingestion.tally import Outcome

if TYPE_CHECKING:
    from desktop_rag.ingestion.work import Work
    from desktop_rag.store.knowledge_store import KnowledgeStore
    from desktop_rag.store.records import CommitResult

_log = logging.getLogger(__name__)

_FIRST_DELAY = 0.4
_LONGEST_DELAY = 10.0
_ATTEMPTS = 6
"""Delays double: a file that never rests is given up after about 25 seconds, and found
again by the next look at the disk, since its stat differs from the one noted."""

COULD_NOT_BE_READ = "Could not be read"


def os_problem(error: OSError, path: str) -> Problem:
    """Return what the user is told about a file that the system refuses to open."""
    name = os.path.basename(path)
    if isinstance(error, PermissionError):
        return Problem(
            "Permission denied",
            f"“{name}” may not be opened by you. Change its permissions, then it will be read.",
        )
    reason = error.strerror or type(error).__name__
    return Problem(COULD_NOT_BE_READ, f"“{name}” could not be opened: {reason}.")


class Ledger:
    """Ends or repeats jobs.

    Args:
        store: where files stand.
        queue: the jobs.
        on_files: told the ids of files whose state has changed.
        on_gone: told the path of a file that was not there when it was to be read.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        queue: JobQueue,
        on_files: Callable[[Sequence[int]], None],
        on_gone: Callable[[str], None],
    ) -> None:
        self._store = store
        self._queue = queue
        self._on_files = on_files
        self._on_gone = on_gone

    def finish(self, job: Job, outcome: Outcome | None) -> None:
        """The file is as it should be (or has left the library: None)."""
        job.close(outcome)
        self._queue.done(job)
        self._on_files((job.file_id,))

    def touched(self, job: Job, stat: FileStat) -> None:
        """The file's content is what it was; its times or its name are new."""
        self._store.set_stat(job.file_id, stat)
        self._store.set_status([job.file_id], FileStatus.READY)
        self.finish(job, "moved" if job.outcome == "moved" else "unchanged")

    def attached(self, job: Job) -> None:
        """The file holds a document that was stored already; nothing of it was read."""
        self.finish(job, job.outcome)

    def committed(self, work: Work, result: CommitResult) -> None:
        """A document is stored with all its texts."""
        for tally in work.job.tallies:
            tally.count("segments", result.segments)
            tally.count("embedded", work.embedded)
            tally.count("reused", len(work.texts) - work.embedded)
            tally.count("tokens", work.tokens)
        self.finish(work.job, work.job.outcome)

    def gone(self, job: Job, path: str) -> None:
        """The file was not there: whether it left or moved, a look at the disk decides."""
        self.finish(job, None)
        self._on_gone(path)

    def changed(self, file_ids: Iterable[int]) -> None:
        """These files went or were left out without having been read."""
        self._on_files(tuple(file_ids))

    def fail(
        self, job: Job, stat: FileStat | None, content_hash: str | None, problem: Problem
    ) -> None:
        """The file cannot be read; one that may still be in the making is tried again."""
        if time.monotonic() < job.patience:
            self.again(job)
            return
        if not job.dropped:
            self._store.fail_file(job.file_id, stat or UNKNOWN_STAT, content_hash, problem)
        self.finish(job, "failed")

    def unsettled(self, job: Job, path: str) -> None:
        """The file changed while it was read: again, but not for ever."""
        if job.attempts < _ATTEMPTS:
            self.again(job)
            return
        job.patience = 0.0
        name = os.path.basename(path)
        self.fail(
            job,
            None,
            None,
            Problem(
                "Still being written",
                f"“{name}” changes all the time. It will be read once it rests.",
            ),
        )

    def again(self, job: Job) -> None:
        """Try a job again later, each time after a longer while."""
        delay = min(_FIRST_DELAY * 2**job.attempts, _LONGEST_DELAY)
        job.attempts += 1
        self._queue.again(job, delay)

    def put_back(self, job: Job) -> None:
        """Give a job back untried (the work was paused or is closing)."""
        self._queue.again(job)

    def bug(self, job: Job, error: BaseException) -> None:
        """Something failed that should not: one file's fate, and a line in the log."""
        if job.dropped:
            self.finish(job, None)
            return
        record = self._store.file(job.file_id)
        if record is None:
            self.finish(job, None)
            return
        _log.error("reading file %d failed", job.file_id, exc_info=error)
        job.patience = 0.0
        name = os.path.basename(record.path)
        message = f"“{name}” could not be read because of an error in the program; see its log."
        self.fail(job, record.stat, None, Problem(COULD_NOT_BE_READ, message))


def problem_of(error: KnownError) -> Problem:
    """Return a known error as a file's problem."""
    return Problem(error.title, error.message)
