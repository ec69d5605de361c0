"""Routes queries and runs retrievers on an executor, with time limits and cancellation."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import TypeVar

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.retrieval.protocols import ContentRetriever, QueryRouter, RetrievedContents
from desktop_rag.retrieval.wording import failed_note, too_slow_note

_log = logging.getLogger(__name__)

_POLL_SECONDS = 0.02
"""How often a waiting question looks at its cancel token (a cancel is heard in 0.1 s)."""

T = TypeVar("T")
Routes = Mapping[Query, Sequence[ContentRetriever]]


@dataclass(slots=True)
class _Task:
    """One retriever's run; ``started`` is when a thread took it up."""

    query: Query
    retriever: ContentRetriever
    submitted: float = field(default_factory=time.monotonic)
    started: float | None = None

    def run(self) -> list[Content]:
        self.started = time.monotonic()
        return self.retriever.retrieve(self.query)

    def is_late(self, seconds: float, tasks: int) -> bool:
        """Whether it ran too long, or waited for a thread longer than all others may run."""
        now = time.monotonic()
        if self.started is not None:
            return now - self.started > seconds
        return now - self.submitted > seconds * tasks


class Searching:
    """One question's way through router and retrievers."""

    def __init__(self, executor: Executor, seconds: float, cancel: CancelToken) -> None:
        self._executor = executor
        self._seconds = seconds
        self._cancel = cancel
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
        self._await(list(futures.values()))
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
        tasks: dict[Future[list[Content]], _Task] = {}
        for query, retrievers in routes.items():
            for retriever in retrievers:
                task = _Task(query, retriever)
                tasks[self._executor.submit(task.run)] = task
        late = self._await(tasks, lambda future: tasks[future].is_late(self._seconds, len(tasks)))
        found: dict[Query, list[list[Content]]] = {query: [] for query in routes}
        for future, task in tasks.items():
            found[task.query].append(
                self._given_up(task) if future in late else self._outcome(task, future.result)
            )
        return found

    def _await(
        self,
        futures: Collection[Future[T]],
        is_late: Callable[[Future[T]], bool] = lambda _future: False,
    ) -> set[Future[T]]:
        """Wait until all are done or late and return the late ones."""
        pending, late = set(futures), set[Future[T]]()
        try:
            while pending:
                self._cancel.check()
                _, pending = wait(pending, _POLL_SECONDS, FIRST_COMPLETED)
                newly_late = {future for future in pending if is_late(future)}
                late |= newly_late
                pending -= newly_late
        finally:
            for future in pending | late:
                future.cancel()
        return late

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

    def _given_up(self, task: _Task) -> list[Content]:
        _log.warning("%s took more than %s s", type(task.retriever).__name__, self._seconds)
        self._notes[too_slow_note(task.query.text)] = None
        return []
