"""The protocol of a vector store, and what is asked of it and answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.domain.filter import Filter
from desktop_rag.domain.segment import TextSegment
from desktop_rag.embedding.model import Matrix, Vector


@dataclass(frozen=True, slots=True)
class EmbeddingSearchRequest:
    """A search by vector.

    ``max_results`` > 0; ``min_score`` in 0..1 over (cosine + 1) / 2; ``query`` is the
    question's text, for stores that search words as well.

    Raises:
        ValueError: a bound is out of its range.
    """

    query_embedding: Vector
    max_results: int = 3
    min_score: float = 0.0
    filter: Filter | None = None
    query: str | None = None

    def __post_init__(self) -> None:
        if self.max_results <= 0:
            raise ValueError(f"max_results must be greater than 0, not {self.max_results}")
        if not 0.0 <= self.min_score <= 1.0:
            raise ValueError(f"min_score must be between 0 and 1, not {self.min_score}")


@dataclass(frozen=True, slots=True)
class EmbeddingMatch:
    """A found segment; ``score`` is (cosine + 1) / 2, a zero vector scores 0.5."""

    score: float
    embedding_id: str
    segment: TextSegment


class EmbeddingStore(Protocol):
    """Vectors with their segments (langchain4j-facts 8).

    Adding an id that exists replaces it (LangChain4j's in-memory store appends).
    """

    def add_all(
        self, ids: Sequence[str], embeddings: Matrix, segments: Sequence[TextSegment]
    ) -> None:
        """Add or replace; sizes must agree; nothing at all is a no-op."""
        ...

    def search(self, request: EmbeddingSearchRequest) -> list[EmbeddingMatch]:
        """Return the best matches first, ties by id; fewer when there are fewer, no error."""
        ...

    def remove_all(self, ids: Sequence[str]) -> None:
        """Remove by id; unknown ones are ignored, a blank one raises ValueError."""
        ...

    def remove_matching(self, condition: Filter) -> None:
        """Remove every segment whose metadata matches."""
        ...
