"""The default augmentor: transform, route, retrieve, aggregate, post-process, inject."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor

from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.aggregators.default import DefaultContentAggregator
from desktop_rag.retrieval.bulkhead import Bulkhead
from desktop_rag.retrieval.injectors.default import DefaultContentInjector
from desktop_rag.retrieval.protocols import (
    Augmentation,
    ContentAggregator,
    ContentInjector,
    ContentPostProcessor,
    QueryRouter,
    QueryTransformer,
    RetrievedContents,
)
from desktop_rag.retrieval.routers.default import DefaultQueryRouter
from desktop_rag.retrieval.searching import Searching
from desktop_rag.retrieval.transformers.default import DefaultQueryTransformer
from desktop_rag.retrieval.wording import translation_note

_LOOKED_AT = 3
"""As many passages as an answer quotes: what found none of them needs no telling."""

RETRIEVER_SECONDS = 20.0
"""Searching takes milliseconds; the first question of all also loads the models, which is
some seconds on a slow disk, and an answer without them would be a poor one."""


class DefaultRetrievalAugmentor:
    """Runs the slots as LangChain4j's does (langchain4j-facts 4), and cancellable.

    No query, or one query and no retriever: nothing is searched, and the message comes
    back unchanged. One query and one retriever run in the caller's thread; one query
    and N retrievers are exactly N tasks of the executor; N queries are routed, then
    searched, and never wait inside a task, so that one thread is enough.

    Better on purpose: queries keep the order in which they were made; equal ones are
    searched once; a retriever that fails, or exceeds its time in the executor, gives
    nothing and a note instead of failing the whole question.

    Args:
        router: chooses the retrievers.
        executor: runs them; it stays the caller's to shut down.
        transformer: makes the queries; by default the question alone.
        aggregator: by default reciprocal rank fusion in two stages.
        post_processors: run in this order, with the user's own question.
        injector: by default LangChain4j's template.
        retriever_seconds: how long one retriever may run, > 0.
        bulkhead: how many calls of one kind of retriever may run at a time; shared by the
            augmentors of one executor. None for any number.

    Raises:
        ValueError: ``retriever_seconds`` is not positive.
    """

    def __init__(
        self,
        router: QueryRouter,
        executor: Executor,
        transformer: QueryTransformer | None = None,
        aggregator: ContentAggregator | None = None,
        post_processors: Sequence[ContentPostProcessor] = (),
        injector: ContentInjector | None = None,
        retriever_seconds: float = RETRIEVER_SECONDS,
        bulkhead: Bulkhead | None = None,
    ) -> None:
        if retriever_seconds <= 0:
            raise ValueError(f"retriever_seconds must be greater than 0, not {retriever_seconds}")
        self._router = router
        self._executor = executor
        self._transformer = transformer or DefaultQueryTransformer()
        self._aggregator = aggregator or DefaultContentAggregator()
        self._post_processors = tuple(post_processors)
        self._injector = injector or DefaultContentInjector()
        self._retriever_seconds = retriever_seconds
        self._bulkhead = bulkhead

    def augment(
        self,
        message: UserMessage,
        context: QueryContext,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Augmentation:
        """Find what answers ``message`` and write it into the message.

        Raises:
            ValueError: the message is blank.
            Cancelled: ``cancel`` was set.
        """
        cancel = cancel or CancelToken()
        tell = _Teller(on_event)
        question = Query(message.text, context)
        cancel.check()
        tell(Step.UNDERSTANDING)
        queries = self._transformed(question, tell)
        cancel.check()
        search = Searching(self._executor, self._retriever_seconds, cancel, self._bulkhead)
        retrieved = self._retrieved(queries, search, tell)
        contents = self._aggregated(question, retrieved, tell, cancel)
        asked = next((query for query in queries if query == question), question)
        return Augmentation(
            message=self._injector.inject(contents, message),
            question=asked,
            contents=tuple(contents),
            queries=tuple(queries),
            notes=(*_notes(queries), *_translation_notes(asked, contents), *search.notes),
        )

    def _transformed(self, question: Query, tell: _Teller) -> list[Query]:
        queries = list(dict.fromkeys(self._transformer.transform(question)))
        if queries != [question]:
            tell(Step.REWRITING, tuple(query.text for query in queries))
        return queries

    def _retrieved(
        self, queries: Sequence[Query], search: Searching, tell: _Teller
    ) -> RetrievedContents:
        if not isinstance(self._router, DefaultQueryRouter):
            tell(Step.ROUTING)
        routes = search.route(queries, self._router)
        if any(routes.values()):
            tell(Step.SEARCHING, tuple(query.text for query in queries))
        return search.retrieve(routes)

    def _aggregated(
        self, question: Query, retrieved: RetrievedContents, tell: _Teller, cancel: CancelToken
    ) -> list[Content]:
        cancel.check()
        if retrieved:
            tell(Step.RANKING, sum(len(one) for lists in retrieved.values() for one in lists))
        contents = self._aggregator.aggregate(retrieved)
        for post_processor in self._post_processors:
            cancel.check()
            contents = post_processor.process(question, contents)
        cancel.check()
        return contents


def _notes(queries: Sequence[Query]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(query.note for query in queries if query.note))


def _translation_notes(question: Query, contents: Sequence[Content]) -> tuple[str, ...]:
    """Return what is told where a translation has found some of the best passages."""
    places = (content.segment.place for content in contents[:_LOOKED_AT])
    languages = {place.language for place in places if place is not None}
    found = [text for language, text in question.translations if language in languages]
    return (translation_note(question.text, found[0]),) if found else ()


class _Teller:
    """Tells the steps with the time since the start."""

    def __init__(self, on_event: OnEvent) -> None:
        self._on_event = on_event
        self._started = time.perf_counter()

    def __call__(self, step: Step, detail: object = None) -> None:
        self._on_event(StatusEvent(step, detail, time.perf_counter() - self._started))
