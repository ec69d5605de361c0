"""An embedding store in memory: for tests, and for what need not outlive the program."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from desktop_rag.domain.filter import Filter, matches
from desktop_rag.domain.segment import TextSegment
from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.store.embedding_store import EmbeddingMatch, EmbeddingSearchRequest
from desktop_rag.store.vectors import checked_query, checked_vector, exact_cosines


class InMemoryEmbeddingStore:
    """Every search looks at every vector. May be used from any thread.

    Args:
        dimension: of its vectors.

    Raises:
        ValueError: the dimension is not positive.
    """

    def __init__(self, dimension: int) -> None:
        if dimension < 1:
            raise ValueError("a dimension must be at least 1")
        self._dimension = dimension
        self._lock = threading.Lock()
        self._entries: dict[str, tuple[Vector, TextSegment]] = {}

    def add_all(
        self, ids: Sequence[str], embeddings: Matrix, segments: Sequence[TextSegment]
    ) -> None:
        """Add or replace.

        Raises:
            ValueError: the sizes differ, an id is blank, or a vector has a wrong
                dimension, a NaN, or nothing but zeros; then nothing is added.
        """
        check_sizes(ids, embeddings, segments)
        entries = {
            checked_id(one): (checked_vector(vector, self._dimension), segment)
            for one, vector, segment in zip(ids, embeddings, segments, strict=True)
        }
        with self._lock:
            self._entries.update(entries)

    def search(self, request: EmbeddingSearchRequest) -> list[EmbeddingMatch]:
        """Return the best matches first, ties by id.

        Raises:
            ValueError: the query has a wrong dimension or a NaN; a stored value and the
                filter's are of different types.
        """
        query = checked_query(request.query_embedding, self._dimension)
        with self._lock:
            entries = dict(self._entries)
        if request.filter is not None:
            entries = {
                one: entry
                for one, entry in entries.items()
                if matches(request.filter, entry[1].metadata)
            }
        if not entries:
            return []
        rows = np.stack([vector for vector, _ in entries.values()])
        found = [
            EmbeddingMatch(score_of(cosine), one, segment)
            for cosine, (one, (_, segment)) in zip(
                exact_cosines(rows, query).tolist(), entries.items(), strict=True
            )
        ]
        return best_matches(found, request)

    def remove_all(self, ids: Sequence[str]) -> None:
        """Remove by id; unknown ones are ignored.

        Raises:
            ValueError: an id is blank.
        """
        checked = [checked_id(one) for one in ids]
        with self._lock:
            for one in checked:
                self._entries.pop(one, None)

    def remove_matching(self, condition: Filter) -> None:
        """Remove every segment whose metadata matches.

        Raises:
            ValueError: a stored value and the condition's are of different types; then
                nothing is removed.
        """
        with self._lock:
            kept = {
                one: entry
                for one, entry in self._entries.items()
                if not matches(condition, entry[1].metadata)
            }
            self._entries = kept


def score_of(cosine: float) -> float:
    """Return the score of a cosine: -1 gives 0, 0 gives 0.5, 1 gives 1 (langchain4j-facts 8)."""
    return (cosine + 1.0) / 2.0


def best_matches(
    found: Sequence[EmbeddingMatch], request: EmbeddingSearchRequest
) -> list[EmbeddingMatch]:
    """Return those that reach the least score, best first, ties by id, cut to the number."""
    enough = [match for match in found if match.score >= request.min_score]
    enough.sort(key=lambda match: (-match.score, match.embedding_id))
    return enough[: request.max_results]


def checked_id(embedding_id: str) -> str:
    """Return an id.

    Raises:
        ValueError: it is blank.
    """
    if not embedding_id.strip():
        raise ValueError("an id must not be blank")
    return embedding_id


def check_sizes(ids: Sequence[str], embeddings: Matrix, segments: Sequence[TextSegment]) -> None:
    """Raise ValueError unless there are as many ids as vectors and segments."""
    if not len(ids) == len(embeddings) == len(segments):
        raise ValueError(
            f"{len(ids)} ids, {len(embeddings)} vectors and {len(segments)} segments do not agree"
        )
