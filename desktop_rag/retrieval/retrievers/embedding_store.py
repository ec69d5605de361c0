"""LangChain4j's retriever over any ``EmbeddingStore`` (langchain4j-facts 7)."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.filter import Filter, all_of
from desktop_rag.domain.query import Query
from desktop_rag.embedding.model import EmbeddingModel
from desktop_rag.store.embedding_store import EmbeddingMatch, EmbeddingSearchRequest, EmbeddingStore

MAX_RESULTS = 3
MIN_SCORE = 0.0


class EmbeddingStoreContentRetriever:
    """Embeds the question and takes the nearest segments; SCORE is (cosine + 1) / 2.

    Each of the last three may be a function of the question. Fixed bounds are checked here,
    not at the first question as LangChain4j does; those of a function when it gave them. The
    question's text goes along, for stores that search words as well.

    Args:
        store: what is searched.
        model: embeds the question.
        max_results: > 0.
        min_score: 0..1.
        condition: must hold together with the question's own filter; in Spring AI that one
            takes its place (langchain4j-facts 11), here it only narrows.

    Raises:
        ValueError: a bound is out of its range.
    """

    def __init__(
        self,
        store: EmbeddingStore,
        model: EmbeddingModel,
        max_results: int | Callable[[Query], int] = MAX_RESULTS,
        min_score: float | Callable[[Query], float] = MIN_SCORE,
        condition: Filter | Callable[[Query], Filter | None] | None = None,
    ) -> None:
        if not callable(max_results):
            _checked_results(max_results)
        if not callable(min_score):
            _checked_score(min_score)
        self._store = store
        self._model = model
        self._max_results = max_results
        self._min_score = min_score
        self._condition = condition

    def retrieve(self, query: Query) -> list[Content]:
        """Return the nearest segments, best first.

        Raises:
            ValueError: a function gave a bound that is out of its range.
        """
        most, least, condition = self._max_results, self._min_score, self._condition
        request = EmbeddingSearchRequest(
            self._model.embed_query(query.text),
            _checked_results(most(query) if callable(most) else most),
            _checked_score(least(query) if callable(least) else least),
            all_of(condition(query) if callable(condition) else condition, query.context.filter),
            query.text,
        )
        return [_content(match) for match in self._store.search(request)]


def _checked_results(number: int) -> int:
    if number <= 0:
        raise ValueError(f"max_results must be greater than 0, not {number}")
    return number


def _checked_score(number: float) -> float:
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"min_score must be between 0 and 1, not {number}")
    return number


def _content(match: EmbeddingMatch) -> Content:
    return Content(
        match.segment,
        MappingProxyType(
            {ContentKey.SCORE: match.score, ContentKey.EMBEDDING_ID: match.embedding_id}
        ),
    )
