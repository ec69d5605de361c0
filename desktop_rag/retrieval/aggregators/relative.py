"""Relative score fusion: the scores themselves are fused, not the ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.aggregators.fusion import FusedList, Key, scaled
from desktop_rag.retrieval.protocols import RetrievedContents

DEPTH = 100
"""How many contents of a list its scale is taken from."""

Weights = Callable[[Query], Mapping[str, float]]
"""For a query, the weight of each retriever by the name it notes; 1 for others."""


class RelativeScoreFusionAggregator:
    """Scales each retriever's scores to 0..1 and sums them by weight.

    The scale is the minimum and maximum of a list's first ``depth`` scores; equal
    scores or a single hit give 1, and what comes after the first ``depth`` gives 0.
    Several queries count alike: a passage's score is the mean over the queries.
    Against reciprocal rank fusion this gains .01 to .03 of nDCG@10 on five sets
    (docs: retrieval, as measured).

    Raises:
        ValueError: ``depth`` is not positive.
    """

    def __init__(self, weights: Weights | None = None, depth: int = DEPTH) -> None:
        if depth <= 0:
            raise ValueError(f"depth must be greater than 0, not {depth}")
        self._weights = weights or _all_alike
        self._depth = depth

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first."""
        if len(retrieved) == 1:
            query, lists = next(iter(retrieved.items()))
            return self._fused(query, lists)
        across = FusedList()
        for query, lists in retrieved.items():
            for content in self._fused(query, lists):
                across.add(content, content.score / len(retrieved))
        return across.ranked()

    def _fused(self, query: Query, lists: Sequence[Sequence[Content]]) -> list[Content]:
        weights = self._weights(query)
        fused = FusedList()
        for contents in lists:
            best = _each_once(contents)
            scores = scaled([content.score for content in best[: self._depth]])
            scores += [0.0] * (len(best) - len(scores))
            for content, score in zip(best, scores, strict=True):
                fused.add(content, score * weights.get(_retriever(content), 1.0))
        return fused.ranked()


def _each_once(contents: Sequence[Content]) -> list[Content]:
    first: dict[Key, Content] = {}
    for content in contents:
        first.setdefault(content.key, content)
    return list(first.values())


def _retriever(content: Content) -> str:
    return str(content.metadata.get(ContentKey.RETRIEVER, ""))


def _all_alike(_query: Query) -> Mapping[str, float]:
    return {}
