"""What a router does where it cannot tell (langchain4j-facts 3)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from desktop_rag.retrieval.protocols import ContentRetriever


class FallbackStrategy(Enum):
    """Search nothing, search everywhere, or fail."""

    DO_NOT_ROUTE = auto()
    ROUTE_TO_ALL = auto()
    FAIL = auto()


class NoRouteError(RuntimeError):
    """No retriever fits the question, and that was to be an error."""


def fall_back(
    strategy: FallbackStrategy, retrievers: Sequence[ContentRetriever], reason: str
) -> list[ContentRetriever]:
    """Return the retrievers for a question that none was chosen for.

    Raises:
        NoRouteError: the strategy is FAIL; ``reason`` is the message.
    """
    if strategy is FallbackStrategy.FAIL:
        raise NoRouteError(reason)
    return list(retrievers) if strategy is FallbackStrategy.ROUTE_TO_ALL else []
