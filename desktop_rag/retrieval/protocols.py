"""The slots of retrieval: one protocol with one method each, replaceable alone.

question → QueryTransformer → QueryRouter → ContentRetriever(s) → ContentAggregator →
ContentPostProcessor(s) → ContentInjector. ``RetrievalAugmentor`` is the whole of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, ignore_event
from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.foundation.cancellation import CancelToken

RetrievedContents = Mapping[Query, Sequence[Sequence[Content]]]
"""For each query, in the order the transformer gave, one list a retriever, best first."""


class QueryTransformer(Protocol):
    """Turns the question into what is searched."""

    def transform(self, query: Query) -> list[Query]:
        """Return the queries to search, in order; none means that nothing is searched."""
        ...


class ContentRetriever(Protocol):
    """Finds passages for a query."""

    def retrieve(self, query: Query) -> list[Content]:
        """Return the passages found, best first, with ``ContentKey.SCORE`` noted."""
        ...


class QueryRouter(Protocol):
    """Chooses who is asked."""

    def route(self, query: Query) -> list[ContentRetriever]:
        """Return the retrievers to ask, in order; none means that nothing is searched."""
        ...


class ContentAggregator(Protocol):
    """Makes one list of many."""

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first, each passage once."""
        ...


class ContentPostProcessor(Protocol):
    """Changes the aggregated list: merges, widens, limits."""

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return the new list; ``query`` is the user's own question."""
        ...


class ContentInjector(Protocol):
    """Puts the passages into the message that a language model reads."""

    def inject(self, contents: Sequence[Content], message: UserMessage) -> UserMessage:
        """Return the augmented message; the very same one where there are no contents."""
        ...


class ScoringModel(Protocol):
    """Judges how well passages fit a question."""

    def score_all(self, texts: Sequence[str], query: str) -> list[float]:
        """Return one score a text, in order; more is better."""
        ...


@dataclass(frozen=True, slots=True)
class Augmentation:
    """What retrieval gives: the augmented message and what went into it.

    ``question`` is the query as the user wrote it, ``queries`` are those that were
    searched; ``notes`` are sentences about what is searched beside the question, and about
    retrievers that failed or took too long.
    """

    message: UserMessage
    question: Query
    contents: tuple[Content, ...] = ()
    queries: tuple[Query, ...] = ()
    notes: tuple[str, ...] = ()


class RetrievalAugmentor(Protocol):
    """The whole right side of the design: a message in, an augmented message out."""

    def augment(
        self,
        message: UserMessage,
        context: QueryContext,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Augmentation:
        """Find what answers ``message``.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        ...
