"""Threads that embed texts in the background, one text a run."""

from __future__ import annotations

import heapq
import itertools
import os
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from typing import Protocol

from desktop_rag.embedding.model import Vector
from desktop_rag.embedding.priority import lower_thread_priority
from desktop_rag.foundation.cancellation import CancelToken

_WAITED_FOR = 0
_BACKGROUND = 1


class TextEmbedder(Protocol):
    """What a pool needs of a model."""

    def embed_text(self, text: str) -> Vector:
        """Return one text's vector, computed in the calling thread."""
        ...


class _Task:
    """One text to embed; whoever claims it, a thread of the pool or a caller, runs it."""

    __slots__ = ("claimed", "future", "model", "text")

    def __init__(self, model: TextEmbedder, text: str) -> None:
        self.model = model
        self.text = text
        self.future: Future[Vector] = Future()
        self.claimed = False

    def run(self) -> None:
        """Compute the vector, unless the future was cancelled meanwhile."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            vector = self.model.embed_text(self.text)
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(vector)


class EmbeddingPool:
    """Runs texts in parallel on threads of lower priority.

    The threads start with the first text and sleep on a condition when there is none,
    so that a pool at rest uses no processor time. Texts that somebody waits for
    (``run_all``) go before texts that were only submitted.

    Args:
        threads: how many; None for one a processor.

    Raises:
        ValueError: ``threads`` is not positive.
    """

    def __init__(self, threads: int | None = None) -> None:
        count = (os.cpu_count() or 1) if threads is None else threads
        if count <= 0:
            raise ValueError(f"threads must be greater than 0, not {count}")
        self._count = count
        self._condition = threading.Condition()
        self._queue: list[tuple[int, int, _Task]] = []
        self._order = itertools.count()
        self._threads: list[threading.Thread] = []
        self._resting = 0
        self._closed = False

    @property
    def threads(self) -> int:
        """How many texts are embedded at the same time."""
        return self._count

    def submit(self, model: TextEmbedder, text: str) -> Future[Vector]:
        """Queue a text; the future gives its vector or the model's error.

        Raises:
            RuntimeError: the pool is closed.
        """
        task = _Task(model, text)
        self._put([task], _BACKGROUND)
        return task.future

    def run_all(
        self, model: TextEmbedder, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> list[Vector]:
        """Return the texts' vectors in order; the calling thread takes part in the work.

        Raises:
            RuntimeError: the pool is closed, or is closed meanwhile.
            Cancelled: ``cancel`` was set; what had not begun is dropped.
        """
        tasks = [_Task(model, text) for text in texts]
        self._put(tasks, _WAITED_FOR)
        try:
            for task in tasks:
                if cancel is not None:
                    cancel.check()
                if self._claim(task):
                    task.run()
            return [task.future.result() for task in tasks]
        except CancelledError as error:
            raise RuntimeError("the pool of embedding threads was closed") from error
        finally:
            for task in tasks:
                if self._claim(task):
                    task.future.cancel()

    def close(self) -> None:
        """End the threads after the texts they are at; cancel all that had not begun."""
        with self._condition:
            self._closed = True
            waiting = [task for _, _, task in self._queue if not task.claimed]
            for task in waiting:
                task.claimed = True
            self._queue.clear()
            self._condition.notify_all()
            threads, self._threads = self._threads, []
        for task in waiting:
            task.future.cancel()
        for thread in threads:
            thread.join()

    def _put(self, tasks: Sequence[_Task], priority: int) -> None:
        with self._condition:
            if self._closed:
                raise RuntimeError("the pool of embedding threads is closed")
            for task in tasks:
                heapq.heappush(self._queue, (priority, next(self._order), task))
            self._start_threads()
            self._condition.notify(len(tasks))

    def _start_threads(self) -> None:
        missing = min(self._count - len(self._threads), len(self._queue) - self._resting)
        for _ in range(missing):
            number = len(self._threads) + 1
            thread = threading.Thread(target=self._work, name=f"embedding-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _claim(self, task: _Task) -> bool:
        with self._condition:
            if task.claimed:
                return False
            task.claimed = True
            return True

    def _work(self) -> None:
        lower_thread_priority()
        while (task := self._next()) is not None:
            task.run()
            del task  # a thread at rest must not keep the last text alive

    def _next(self) -> _Task | None:
        with self._condition:
            while True:
                while self._queue:
                    task = heapq.heappop(self._queue)[2]
                    if not task.claimed:
                        task.claimed = True
                        return task
                if self._closed:
                    return None
                self._resting += 1
                self._condition.wait()
                self._resting -= 1
