"""LangChain4j's aggregator, and plain reciprocal rank fusion."""

from __future__ import annotations

from desktop_rag.domain.content import Content
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
