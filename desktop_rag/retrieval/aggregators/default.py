"""LangChain4j's aggregator, and plain reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.retrieval.aggregators.fusion import RRF_K, checked_k, reciprocal_rank_fusion
from desktop_rag.retrieval.protocols import RetrievedContents


class DefaultContentAggregator:
    """Reciprocal rank fusion in two stages: within each query, then across the queries.

    The order of queries, and with it that of ties, is the order in which they were
    made (LangChain4j's is that of a hash map).

    Raises:
        ValueError: ``k`` is below 1.
    """

    def __init__(self, k: int = RRF_K) -> None:
        self._k = checked_k(k)

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first."""
        within = [reciprocal_rank_fusion(lists, self._k) for lists in retrieved.values()]
        return reciprocal_rank_fusion(within, self._k)


class WeightedReciprocalRankFusionAggregator:
    """The same two stages, with a weight for each retriever's ranks.

    Args:
        weights: by the name that a retriever notes (``ContentKey.RETRIEVER``); 1 for others.
        k: softens the differences between ranks, at least 1.

    Raises:
        ValueError: a weight is negative, or ``k`` is below 1.
    """

    def __init__(self, weights: Mapping[str, float], k: int = RRF_K) -> None:
        if any(weight < 0.0 for weight in weights.values()):
            raise ValueError(f"weights must not be negative: {dict(weights)}")
        self._weights = dict(weights)
        self._k = checked_k(k)

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first."""
        within = [
            reciprocal_rank_fusion(lists, self._k, self._weight) for lists in retrieved.values()
        ]
        return reciprocal_rank_fusion(within, self._k)

    def _weight(self, content: Content) -> float:
        name = str(content.metadata.get(ContentKey.RETRIEVER, ""))
        return self._weights.get(name, 1.0)


class ReciprocalRankFusionAggregator:
    """Reciprocal rank fusion of all lists at once, whichever query they belong to.

    Raises:
        ValueError: ``k`` is below 1.
    """

    def __init__(self, k: int = RRF_K) -> None:
        self._k = checked_k(k)

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first."""
        every = [contents for lists in retrieved.values() for contents in lists]
        return reciprocal_rank_fusion(every, self._k)
