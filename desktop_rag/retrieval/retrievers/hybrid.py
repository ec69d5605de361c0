"""Several retrievers as one."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.protocols import ContentAggregator, ContentRetriever


class HybridContentRetriever:
    """Asks several retrievers, fuses what they find, and gives it as one list.

    For routers that choose between whole ways of searching. They are asked one after the
    other in the caller's thread; where each shall have a thread and a time limit, give the
    augmentor the retrievers themselves.

    Args:
        retrievers: at least one.
        aggregator: makes one list of theirs.
        max_results: the most passages returned, > 0.

    Raises:
        ValueError: there are no retrievers, or ``max_results`` is not positive.
    """

    def __init__(
        self,
        retrievers: Sequence[ContentRetriever],
        aggregator: ContentAggregator,
        max_results: int,
    ) -> None:
        if not retrievers:
            raise ValueError("a hybrid retriever needs at least one retriever")
        if max_results <= 0:
            raise ValueError(f"max_results must be greater than 0, not {max_results}")
        self._retrievers = tuple(retrievers)
        self._aggregator = aggregator
        self._max_results = max_results

    def retrieve(self, query: Query) -> list[Content]:
        """Return the best passages of all, best first."""
        lists = [retriever.retrieve(query) for retriever in self._retrievers]
        return self._aggregator.aggregate({query: lists})[: self._max_results]
