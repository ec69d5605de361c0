"""One space of the knowledge store as an ``EmbeddingStore``."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.filter import Filter
from desktop_rag.domain.segment import TextSegment
from desktop_rag.embedding.model import Matrix
from desktop_rag.store.embedding_store import EmbeddingMatch, EmbeddingSearchRequest
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.memory_store import best_matches, score_of

_PASSAGE = "passage:"


class SqliteEmbeddingStore:
    """Searches all passages of a space: those of files, and those added here.

    What is added here lives beside the files' documents, with its own metadata, and is
    found by its words too. A passage of a file has the id ``passage:<segment id>``;
    such are removed with their files only.

    Raises:
        ValueError: the store was opened without the space.
    """

    def __init__(self, store: KnowledgeStore, space: str) -> None:
        store.vector_count(space)
        self._store = store
        self._space = space

    def add_all(
        self, ids: Sequence[str], embeddings: Matrix, segments: Sequence[TextSegment]
    ) -> None:
        """Add or replace, in one transaction.

        Raises:
            ValueError: the sizes differ, an id is blank, or a vector has a wrong
                dimension, a NaN, or nothing but zeros; then nothing is added.
        """
        self._store.put_segments(self._space, ids, embeddings, segments)

    def search(self, request: EmbeddingSearchRequest) -> list[EmbeddingMatch]:
        """Return the best matches first, ties by id.

        Raises:
            ValueError: the query has a wrong dimension or a NaN; a stored value and the
                filter's are of different types.
        """
        wanted = request.max_results + 1
        while True:
            hits = self._store.vector_search(
                self._space, request.query_embedding, wanted, request.filter
            )
            found = best_matches(self._matches(hits, request.filter), request)
            # Beyond the last text read there may be one as near with a smaller id.
            if len(hits) < wanted or (
                len(found) == request.max_results and found[-1].score > score_of(hits[-1][1])
            ):
                return found
            if score_of(hits[-1][1]) < request.min_score:
                return found
            wanted *= 2

    def remove_all(self, ids: Sequence[str]) -> None:
        """Remove by id; unknown ones are ignored.

        Raises:
            ValueError: an id is blank.
        """
        self._store.remove_segments(ids)

    def remove_matching(self, condition: Filter) -> None:
        """Remove every segment that was added here and whose metadata matches.

        Raises:
            ValueError: a stored value and the condition's are of different types; then
                nothing is removed.
        """
        self._store.remove_matching_segments(condition)

    def _matches(
        self, hits: Sequence[tuple[int, float]], condition: Filter | None
    ) -> list[EmbeddingMatch]:
        scores = {text_id: score_of(cosine) for text_id, cosine in hits}
        stored = [
            segment
            for segments in self._store.segments_of_texts(list(scores), condition).values()
            for segment in segments
        ]
        added = self._store.added_segments({segment.document_id for segment in stored})
        return [
            EmbeddingMatch(
                scores[one.text_id],
                *added.get(one.document_id, (f"{_PASSAGE}{one.segment_id}", one.segment)),
            )
            for one in stored
        ]
