"""Everything between a file that has to be read and its document in the store."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from desktop_rag.domain.files import Problem
from desktop_rag.domain.ocr import OcrState
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.effort import TOKENS_PER_FILE, Effort, by_kind
from desktop_rag.ingestion.embedding_stage import EmbeddingStage
from desktop_rag.ingestion.estimate import Estimate
from desktop_rag.ingestion.feeder import WINDOW
from desktop_rag.ingestion.gate import Gate
from desktop_rag.ingestion.jobs import BACKLOG, Job, JobQueue
from desktop_rag.ingestion.ledger import Ledger
from desktop_rag.ingestion.progress import Progress
from desktop_rag.ingestion.reading_stage import LibraryLimits, ReadingStage

if TYPE_CHECKING:
    from desktop_rag.embedding.spaces import EmbeddingSpaces
    from desktop_rag.ingestion.reading import DocumentReader
    from desktop_rag.store.knowledge_store import KnowledgeStore


_COUNT_SECONDS = 2.0
"""Between two counts of what waits, which takes 10 ms of 100,000 files."""


class Pipeline:
    """Two threads: one has files read ahead, one feeds the model and commits.

    They start with the first job. Closing leaves what is unfinished waiting in the
    store, from where the next start-up scan takes it up.

    Args:
        store: the truth.
        spaces: the models and their threads.
        reader: reads one file at a time.
        limits: what is too large.
        on_files: told the ids of files whose state has changed, from both threads.
        on_gone: told the path of a file that was not there when it was to be read.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        spaces: EmbeddingSpaces,
        reader: DocumentReader,
        limits: LibraryLimits,
        on_files: Callable[[Sequence[int]], None],
        on_gone: Callable[[str], None],
    ) -> None:
        self.gate = Gate()
        self._queue = JobQueue()
        ledger = Ledger(store, self._queue, on_files, on_gone)
        self._effort = Effort()
        self._embedding = EmbeddingStage(store, spaces, ledger, self.gate, self._effort)
        self._reading = ReadingStage(
            store, reader, self._queue, self._embedding, ledger, self.gate, limits
        )
        self._batches = itertools.count(BACKLOG + 1)
        self._lock = threading.Lock()
        self._started = False
        self._estimate = Estimate()
        self._left = 0.0
        self._left_at = -_COUNT_SECONDS

    def submit(self, jobs: Iterable[Job], urgent: bool) -> None:
        """Have files read; urgent ones before everything that was submitted earlier."""
        jobs = list(jobs)
        if not jobs or self.gate.closed:
            return
        batch = next(self._batches) if urgent else BACKLOG
        for job in jobs:
            job.batch = batch
        self._start()
        self._queue.put(jobs)

    def drop(self, file_ids: Iterable[int]) -> None:
        """Forget the jobs of files that are about to leave the library."""
        self._queue.drop(file_ids)

    @property
    def idle(self) -> bool:
        """Whether no file waits or is being read."""
        return self._queue.empty

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Wait until no file waits or is being read; False if the time is over first."""
        return self._queue.wait_empty(timeout)

    def reading_ids(self) -> frozenset[int]:
        """The files that are being worked on at this moment."""
        current = (self._reading.current, self._embedding.current)
        return frozenset(each[0] for each in current if each is not None)

    def set_ocr(self, state: OcrState) -> None:
        """Read files as is right where pages without text are recognised, or not."""
        self._reading.ocr = state

    def set_full_speed(self, full: bool) -> None:
        """Use all processors for the model, or one."""
        self._embedding.set_window(WINDOW if full else 1)

    def progress(self) -> Progress:
        """How far the work is."""
        counts = self._queue.counts
        done = counts.bytes_done + self._embedding.works.bytes_done
        if self._queue.empty:
            self._estimate.reset()
            return Progress("paused" if self.gate.paused else "idle", notes=self.notes)
        now = time.monotonic()
        current = self._reading.current or self._embedding.current
        spent = self._embedding.tokens_done + TOKENS_PER_FILE * counts.files_done
        if self.gate.open:
            self._estimate.observe(spent, now)
        else:
            self._estimate.rest(now)
        return Progress(
            state="reading" if self.gate.open else "paused",
            files_done=counts.files_done,
            files_total=counts.files_total,
            bytes_done=min(done, counts.bytes_total),
            bytes_total=counts.bytes_total,
            current=None if current is None else current[1],
            seconds_left=self._estimate.seconds_left(self._tokens_left(now), now)
            if self.gate.open
            else None,
            notes=self.notes,
        )

    def _tokens_left(self, now: float) -> float:
        """Return what the model has still to read; the queue is counted now and then."""
        if now - self._left_at >= _COUNT_SECONDS:
            self._left, self._left_at = self._effort.of(by_kind(self._queue.waiting())), now
        return self._left + self._embedding.works.tokens_missing

    def close(self, timeout: float) -> bool:
        """Stop in the middle of anything; False if a thread needs longer than ``timeout``."""
        deadline = time.monotonic() + timeout
        self.gate.close()
        self._queue.close()
        with self._lock:
            if not self._started:
                return True
        ended = self._reading.join(timeout)
        return self._embedding.join(max(0.0, deadline - time.monotonic())) and ended

    def raise_problem(self) -> None:
        """Raise the reason why the work stalled, if it did, as a ``KnownError``."""
        problem = self.gate.problem
        if problem is not None:
            raise KnownError(problem.title, problem.message)

    def _start(self) -> None:
        with self._lock:
            if not self._started:
                self._started = True
                self._embedding.start(self._queue.wake)
                self._reading.start()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user: why the work stalled."""
        problem = self.gate.problem
        return () if problem is None else (_sentence(problem),)


def _sentence(problem: Problem) -> str:
    return f"{problem.title}: {problem.message}"
