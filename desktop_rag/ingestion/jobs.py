"""The queue of files to read: what the user has just touched comes first."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.tally import Outcome, Tally

BACKLOG = 0
"""The batch of what a start-up scan or a look from time to time has found."""


@dataclass(slots=True, eq=False)
class Job:
    """One file to bring up to date.

    ``batch``: a higher one is read first; within a batch the order of arrival counts.
    ``outcome``: what to count if the file's content turns out to be new. ``patience``:
    until then (monotonic seconds) a file that cannot be read is taken for one that is
    still being written. ``ticket`` is its present place in the queue; ``cancel``
    belongs to the present attempt, ``yielded`` counts how often it made way for others.
    ``kind`` is guessed from the file's name, for the estimate of what is left.
    """

    file_id: int
    size: int = 0
    outcome: Outcome = "updated"
    kind: str = ""
    batch: int = BACKLOG
    patience: float = 0.0
    order: int = 0
    ticket: int = 0
    attempts: int = 0
    dropped: bool = False
    yielded: int = 0
    tallies: list[Tally] = field(default_factory=list)
    cancel: CancelToken = field(default_factory=CancelToken)

    @property
    def rank(self) -> tuple[int, int]:
        """What the queue sorts by: smaller is sooner."""
        return (-self.batch, self.order)

    def close(self, outcome: Outcome | None) -> None:
        """Tell those who wait for it what came of it."""
        for tally in self.tallies:
            tally.closed(outcome)
        self.tallies = []


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Files and bytes since the queue was last empty."""

    files_done: int = 0
    files_total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0


class JobQueue:
    """Jobs by rank, at most one a file; thread-safe.

    A job is *waiting*, then *active* from ``take`` until ``done`` or ``again``. A job
    put for a file that is active waits until that one is through.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._heap: list[tuple[tuple[int, int], int, Job]] = []
        self._delayed: list[tuple[float, int, Job]] = []
        self._tickets = itertools.count(1)
        self._waiting: dict[int, Job] = {}
        self._active: dict[int, Job] = {}
        self._held: dict[int, Job] = {}
        self._order = 0
        self._closed = False
        self._counts = QueueCounts()

    def put(self, jobs: Iterable[Job]) -> None:
        """Add jobs; one for a file that waits already joins it."""
        with self._changed:
            for job in jobs:
                self._put(job)
            self._changed.notify_all()

    def take(self, admit: Callable[[Job], bool]) -> Job | None:
        """Wait for the first job, for as long as ``admit`` refuses it; None once closed.

        ``admit`` is asked again after ``wake``; it must not call the queue.
        """
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                self._release_delayed(now)
                job = self._first()
                if job is not None and admit(job):
                    heapq.heappop(self._heap)
                    del self._waiting[job.file_id]
                    self._active[job.file_id] = job
                    return job
                self._changed.wait(self._until_release(now) if job is None else None)
        return None

    def begin(self, job: Job) -> bool:
        """Make a job active without waiting; False if its file has an active one already.

        One that waits for the same file is forgotten: this one stands for it.
        """
        with self._changed:
            if self._closed or job.file_id in self._active:
                return False
            waiting = self._waiting.pop(job.file_id, None)
            if waiting is not None:
                waiting.close(None)
                self._count_done(waiting)
            self._counts = replace(self._counts, files_total=self._counts.files_total + 1)
            self._active[job.file_id] = job
            return True

    def waiting(self) -> list[tuple[str, int]]:
        """Return kind and bytes of every file that waits for the reader."""
        with self._changed:
            jobs = [*self._waiting.values(), *self._held.values()]
        return [(job.kind, job.size) for job in jobs]

    def has_newer(self, job: Job) -> bool:
        """Whether something of a newer batch waits."""
        with self._changed:
            first = self._first()
            return first is not None and first.batch > job.batch

    def done(self, job: Job) -> None:
        """The job is through, whatever came of it."""
        with self._changed:
            self._leave(job)
            self._count_done(job)
            self._changed.notify_all()

    def again(self, job: Job, delay: float = 0.0) -> None:
        """Put an active job back, to be taken ``delay`` seconds from now at the earliest."""
        with self._changed:
            held = self._leave(job)
            if job.dropped or held is not None:
                if held is not None:
                    held.tallies.extend(job.tallies)
                    job.tallies = []
                self._count_done(job)
            else:
                job.cancel = CancelToken()
                self._waiting[job.file_id] = job
                job.ticket = next(self._tickets)
                heapq.heappush(self._delayed, (time.monotonic() + delay, job.ticket, job))
            self._changed.notify_all()

    def drop(self, file_ids: Iterable[int]) -> None:
        """Forget the jobs of files that are leaving the library."""
        with self._changed:
            for file_id in file_ids:
                for jobs in (self._waiting, self._held):
                    job = jobs.pop(file_id, None)
                    if job is not None:
                        job.dropped = True
                        job.close(None)
                        self._count_done(job)
                active = self._active.get(file_id)
                if active is not None:
                    active.dropped = True
                    active.cancel.cancel()
            self._changed.notify_all()

    @property
    def counts(self) -> QueueCounts:
        """Files and bytes since the queue was last empty."""
        with self._changed:
            return self._counts

    @property
    def empty(self) -> bool:
        """Whether nothing waits and nothing is active."""
        with self._changed:
            return self._is_empty()

    def wait_empty(self, timeout: float | None = None) -> bool:
        """Wait until nothing waits and nothing is active (or the queue is closed)."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._is_empty(), timeout)
            return self._is_empty()

    def wake(self) -> None:
        """Let a waiting ``take`` look again."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Give no more jobs; cancel the active ones. The files stay waiting in the store."""
        with self._changed:
            self._closed = True
            for job in self._active.values():
                job.cancel.cancel()
            self._changed.notify_all()

    def _put(self, job: Job) -> None:
        if self._is_empty():
            self._counts = QueueCounts()
        waiting = self._waiting.get(job.file_id) or self._held.get(job.file_id)
        if waiting is not None:
            self._join(waiting, job)
            return
        self._order += 1
        job.order = self._order
        counts = self._counts
        self._counts = QueueCounts(
            counts.files_done,
            counts.files_total + 1,
            counts.bytes_done,
            counts.bytes_total + job.size,
        )
        if job.file_id in self._active:
            self._held[job.file_id] = job
        else:
            self._enqueue(job)

    def _join(self, waiting: Job, job: Job) -> None:
        """Let the earlier job stand for both; it moves up if the new one is more urgent."""
        waiting.tallies.extend(job.tallies)
        waiting.patience = max(waiting.patience, job.patience)
        if job.batch > waiting.batch:
            waiting.batch = job.batch
            if waiting.file_id in self._waiting:
                self._enqueue(waiting)

    def _enqueue(self, job: Job) -> None:
        self._waiting[job.file_id] = job
        job.ticket = next(self._tickets)
        heapq.heappush(self._heap, (job.rank, job.ticket, job))

    def _leave(self, job: Job) -> Job | None:
        """Take a job out of the active ones; the job held back for its file comes up."""
        self._active.pop(job.file_id, None)
        held = self._held.pop(job.file_id, None)
        if held is not None:
            self._enqueue(held)
        return held

    def _first(self) -> Job | None:
        """The job at the head, past those that were forgotten or moved up."""
        while self._heap and not self._is_current(*self._heap[0][1:]):
            heapq.heappop(self._heap)
        return self._heap[0][2] if self._heap else None

    def _is_current(self, ticket: int, job: Job) -> bool:
        return job.ticket == ticket and self._waiting.get(job.file_id) is job

    def _release_delayed(self, now: float) -> None:
        while self._delayed and self._delayed[0][0] <= now:
            _, ticket, job = heapq.heappop(self._delayed)
            if self._is_current(ticket, job):
                self._enqueue(job)

    def _until_release(self, now: float) -> float | None:
        return max(0.0, self._delayed[0][0] - now) if self._delayed else None

    def _count_done(self, job: Job) -> None:
        counts = self._counts
        self._counts = QueueCounts(
            counts.files_done + 1,
            counts.files_total,
            counts.bytes_done + job.size,
            counts.bytes_total,
        )

    def _is_empty(self) -> bool:
        return not (self._waiting or self._active or self._held)
