"""Parts of one's own in the place of the program's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.answering.protocols import Answerer
from desktop_rag.chat_models.protocols import ChatModel
from desktop_rag.retrieval.protocols import (
    ContentAggregator,
    ContentInjector,
    ContentPostProcessor,
    ContentRetriever,
    QueryRouter,
    QueryTransformer,
    ScoringModel,
)
from desktop_rag.retrieval.routers.default import DefaultQueryRouter


@dataclass(frozen=True, slots=True)
class Slots:
    """What of a question's way is replaced; None and the defaults leave it as it is.

    ``router`` is given all retrievers, the program's first and then ``retrievers``, which are
    asked beside them. ``scoring_model`` re-ranks; an ``aggregator`` replaces fusion and
    re-ranking both. ``post_processors`` run after the program's. Questions about the library
    itself are answered as ever. A ``chat_model`` writes the answers instead of the one in the
    settings. The parts must be thread-safe.
    """

    transformer: QueryTransformer | None = None
    router: Callable[[Sequence[ContentRetriever]], QueryRouter] = DefaultQueryRouter
    retrievers: Sequence[ContentRetriever] = ()
    aggregator: ContentAggregator | None = None
    scoring_model: ScoringModel | None = None
    post_processors: Sequence[ContentPostProcessor] = ()
    injector: ContentInjector | None = None
    answerer: Answerer | None = None
    chat_model: ChatModel | None = None


NO_SLOTS = Slots()
