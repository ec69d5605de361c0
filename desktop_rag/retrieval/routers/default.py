"""The router that asks everyone."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.protocols import ContentRetriever


class DefaultQueryRouter:
    """Asks all its retrievers, in their order.

    Raises:
        ValueError: there are no retrievers.
    """

    def __init__(self, retrievers: Sequence[ContentRetriever]) -> None:
        if not retrievers:
            raise ValueError("a router needs at least one retriever")
        self._retrievers = tuple(retrievers)

    def route(self, query: Query) -> list[ContentRetriever]:
        """Return all retrievers."""
        return list(self._retrievers)
