"""Fuses, then lets a scoring model judge the best candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.aggregators.default import DefaultContentAggregator
from desktop_rag.retrieval.aggregators.fusion import Key, scaled
from desktop_rag.retrieval.protocols import ContentAggregator, RetrievedContents, ScoringModel

QuerySelector = Callable[[Sequence[Query]], Query]
"""Chooses, of several queries, the one that contents are scored against."""


def _own_text(content: Content) -> str:
    return content.segment.text


def _as_written(query: Query, _content: Content) -> str:
    return query.text


class ReRankingContentAggregator:
    """Scores the fused contents against one query and sorts by that (langchain4j-facts 5).

    Args:
        scoring_model: the judge.
        query_selector: needed where there can be several queries.
        min_score: contents below are dropped; None keeps all. Compared with the
            model's own score.
        max_results: at most this many are returned; None for no limit.
        fusion: makes the one list that is judged.
        candidates: only the first so many are judged, the rest keep their order
            behind them; None judges all.
        weight: share of the model's score in the final one, 0 < weight ≤ 1. At 1 the
            model alone decides; below, both scores are scaled to 0..1 over the
            candidates and mixed.
        text_of: gives the text that is judged; by default the segment's own.
        question_of: gives the text that a content is judged against; by default the query's.
        own_query: score each content against the first query that found it; then no
            selector is needed.

    Raises:
        ValueError: a number is out of its range, or several queries meet no selector.
    """

    def __init__(
        self,
        scoring_model: ScoringModel,
        query_selector: QuerySelector | None = None,
        min_score: float | None = None,
        max_results: int | None = None,
        fusion: ContentAggregator | None = None,
        candidates: int | None = None,
        weight: float = 1.0,
        text_of: Callable[[Content], str] = _own_text,
        question_of: Callable[[Query, Content], str] = _as_written,
        own_query: bool = False,
    ) -> None:
        for name, number in (("max_results", max_results), ("candidates", candidates)):
            if number is not None and number <= 0:
                raise ValueError(f"{name} must be greater than 0, not {number}")
        if not 0.0 < weight <= 1.0:
            raise ValueError(f"weight must be above 0 and at most 1, not {weight}")
        self._model = scoring_model
        self._select = query_selector
        self._min_score = min_score
        self._max_results = max_results
        self._fusion = fusion or DefaultContentAggregator()
        self._candidates = candidates
        self._weight = weight
        self._text_of = text_of
        self._question_of = question_of
        self._own_query = own_query

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first, ties in the order of the fusion."""
        if not retrieved:
            return []
        query_of = self._query_of(retrieved)
        fused = self._fusion.aggregate(retrieved)
        if not fused:
            return []
        judged = fused[: self._candidates]
        ranked = self._ranked(judged, query_of)
        if self._min_score is None:
            ranked += _below(ranked[-1].score, fused[len(judged) :])
        return ranked[: self._max_results]

    def _query_of(self, retrieved: RetrievedContents) -> Callable[[Content], Query]:
        """Return which query a content is scored against."""
        if not self._own_query:
            query = self._selected(list(retrieved))
            return lambda _content: query
        finder: dict[Key, Query] = {}
        for query, lists in retrieved.items():
            for contents in lists:
                for content in contents:
                    finder.setdefault(content.key, query)
        return lambda content: finder[content.key]

    def _scores(self, contents: list[Content], query_of: Callable[[Content], Query]) -> list[float]:
        """Return the model's scores; it is asked once a text."""
        groups: dict[str, list[int]] = {}
        for at, content in enumerate(contents):
            asked = self._question_of(query_of(content), content)
            groups.setdefault(asked, []).append(at)
        scores = [0.0] * len(contents)
        for text, places in groups.items():
            texts = [self._text_of(contents[at]) for at in places]
            for at, score in zip(places, self._model.score_all(texts, text), strict=True):
                scores[at] = score
        return scores

    def _selected(self, queries: list[Query]) -> Query:
        if self._select is not None:
            return self._select(queries)
        if len(queries) > 1:
            raise ValueError("several queries were searched: a query_selector is needed")
        return queries[0]

    def _ranked(
        self, contents: list[Content], query_of: Callable[[Content], Query]
    ) -> list[Content]:
        judged = self._scores(contents, query_of)
        final = judged if self._weight == 1.0 else self._mixed(contents, judged)
        kept = [
            (score, content.noted(ContentKey.RERANKED_SCORE, score))
            for content, own, score in zip(contents, judged, final, strict=True)
            if self._min_score is None or own >= self._min_score
        ]
        kept.sort(key=lambda pair: -pair[0])
        return [content for _, content in kept]

    def _mixed(self, contents: list[Content], judged: list[float]) -> list[float]:
        fused = scaled([content.score for content in contents])
        return [
            (1.0 - self._weight) * before + self._weight * after
            for before, after in zip(fused, scaled(judged), strict=True)
        ]


def _below(score: float, contents: list[Content]) -> list[Content]:
    """Note scores that let the unjudged contents stay behind the judged ones."""
    return [
        content.noted(ContentKey.RERANKED_SCORE, min(score, content.score)) for content in contents
    ]
