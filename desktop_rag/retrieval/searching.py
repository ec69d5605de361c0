"""Routes queries and runs retrievers on an executor, with limits and cancellation."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.retrieval.bulkhead import Bulkhead, Place
from desktop_rag.retrieval.protocols import ContentRetriever, QueryRouter, RetrievedContents
from desktop_rag.retrieval.wording import busy_note, failed_note, too_slow_note

_log = logging.getLogger(__name__)

_POLL_SECONDS = 0.02
"""How often a waiting question looks at its cancel token (a cancel is heard in 0.1 s)."""

Routes = Mapping[Query, Sequence[ContentRetriever]]


@dataclass(slots=True, eq=False)
class _Task:
    """One retriever's run; ``started`` is when a thread took it up."""

    query: Query
    retriever: ContentRetriever
    submitted: float = field(default_factory=time.monotonic)
    started: float | None = None
    future: Future[list[Content]] | None = None
    place: Place | None = None
    excuse: str = ""

    def run(self) -> list[Content]:
        self.started = time.monotonic()
        return self.retriever.retrieve(self.query)

    def is_late(self, seconds: float, tasks: int) -> bool:
        """Whether it ran too long, or waited for a thread longer than all others may run."""
        now = time.monotonic()
        if self.started is not None:
            return now - self.started > seconds
        return now - self.submitted > seconds * tasks

    def give_up(self, excuse: str) -> None:
        """Wait no longer for it, and say why."""
        self.excuse = excuse
        if self.place is not None:
            self.place.given_up = True


class Searching:
    """One question's way through router and retrievers.

    Args:
        executor: runs the retrievers.
        seconds: how long one of them may run.
        cancel: ends the waiting.
        bulkhead: how many calls of one kind may run at a time; None for any number.
    """

    def __init__(
        self,
        executor: Executor,
        seconds: float,
        cancel: CancelToken,
        bulkhead: Bulkhead | None = None,
    ) -> None:
        self._executor = executor
        self._seconds = seconds
        self._cancel = cancel
        self._bulkhead = bulkhead
        self._notes: dict[str, None] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about retrievers that gave nothing, each once."""
        return tuple(self._notes)

    def route(self, queries: Sequence[Query], router: QueryRouter) -> Routes:
        """Return the retrievers of each query; one query is routed in this thread.

        Raises:
            Cancelled: the token was set.
        """
        if len(queries) == 1:
            return {queries[0]: router.route(queries[0])}
        futures = {query: self._executor.submit(router.route, query) for query in queries}
        try:
            pending = set(futures.values())
            while pending:
                self._cancel.check()
                _, pending = wait(pending, _POLL_SECONDS, FIRST_COMPLETED)
        finally:
            for future in futures.values():
                future.cancel()
        return {query: future.result() for query, future in futures.items()}

    def retrieve(self, routes: Routes) -> RetrievedContents:
        """Return each query's lists in the order of its retrievers.

        One query without retrievers gives an empty mapping.

        Raises:
            Cancelled: the token was set.
        """
        self._cancel.check()
        if len(routes) == 1:
            query, retrievers = next(iter(routes.items()))
            if not retrievers:
                return {}
            if len(retrievers) == 1:
                task = _Task(query, retrievers[0])
                return {query: [self._outcome(task, task.run)]}
        return self._in_executor(routes)

    def _in_executor(self, routes: Routes) -> RetrievedContents:
        tasks = [_Task(query, one) for query, retrievers in routes.items() for one in retrievers]
        try:
            self._finish(tasks)
        finally:
            for task in tasks:
                if task.future is not None:
                    task.future.cancel()
        found: dict[Query, list[list[Content]]] = {query: [] for query in routes}
        for task in tasks:
            found[task.query].append(self._result(task))
        return found

    def _finish(self, tasks: Sequence[_Task]) -> None:
        """Run the tasks until each is done or given up."""
        pending = list(tasks)
        while pending:
            self._cancel.check()
            for task in pending:
                if task.future is None:
                    self._begin(task)
            running = [task.future for task in pending if task.future is not None]
            if running:
                wait(running, _POLL_SECONDS, FIRST_COMPLETED)
            else:
                self._cancel.wait(_POLL_SECONDS)
            pending = [task for task in pending if not self._is_over(task, len(tasks))]

    def _begin(self, task: _Task) -> None:
        """Hand a task to the executor if there is a place for it."""
        bulkhead = self._bulkhead
        if bulkhead is None:
            task.future = self._executor.submit(task.run)
            return
        place = task.place = bulkhead.enter(task.retriever)
        if place is None:
            return
        try:
            task.future = self._executor.submit(task.run)
        except BaseException:
            bulkhead.leave(place)
            raise
        task.future.add_done_callback(lambda _future: bulkhead.leave(place))

    def _is_over(self, task: _Task, tasks: int) -> bool:
        """Whether a task is done; one that takes too long, or has no chance, is given up."""
        if task.future is not None and task.future.done():
            return True
        text = task.query.text
        if task.future is None and self._bulkhead and self._bulkhead.is_shut(task.retriever):
            task.give_up(busy_note(text))
        elif task.is_late(self._seconds, tasks):
            task.give_up(too_slow_note(text))
        return bool(task.excuse)

    def _result(self, task: _Task) -> list[Content]:
        if task.future is not None and not task.excuse:
            return self._outcome(task, task.future.result)
        _log.warning("%s was given up", type(task.retriever).__name__)
        self._notes[task.excuse] = None
        return []

    def _outcome(self, task: _Task, result: Callable[[], list[Content]]) -> list[Content]:
        try:
            return result()
        except Cancelled:
            raise
        except KnownError as error:
            _log.warning("%s gave nothing: %s", type(task.retriever).__name__, error.title)
            self._notes[f"{error.title}: {error.message}"] = None
        except Exception:
            _log.exception("%s failed", type(task.retriever).__name__)
            self._notes[failed_note(task.query.text)] = None
        return []
