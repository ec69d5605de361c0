"""Searching: both derived indexes, narrowed to what SQLite says is there now."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from desktop_rag.domain.filter import Filter
from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.store.changes import last_replacement
from desktop_rag.store.codec import pack_ids, unpack_matrix
from desktop_rag.store.core import StoreCore
from desktop_rag.store.filter_sql import matching_files, matching_texts
from desktop_rag.store.sql import ids_of
from desktop_rag.store.texts import IN_IDS, live_of, vectors_of
from desktop_rag.store.vectors import checked_query

Hits = list[tuple[int, float]]
Search = Callable[[int, Collection[int] | None], Hits]
"""Gives the k best hits within what is allowed."""

Allowed = Callable[[sqlite3.Connection], Collection[int]]

_ATTEMPTS = 3

_VECTORS_OF_SEGMENTS = (
    "SELECT s.id, v.vector FROM segments AS s JOIN texts AS t ON t.id = s.text_id "
    f"JOIN vectors AS v ON v.text_id = t.id WHERE t.space_id = ? AND s.id {IN_IDS} ORDER BY s.id"
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search: how many, in which index, what of it is there now, what is allowed.

    Raises:
        ValueError: ``k`` < 1.
    """

    k: int
    search: Search
    reached: Callable[[], int]
    live: Callable[[sqlite3.Connection, list[int]], set[int]]
    allowed: Allowed | None

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"k must be at least 1, not {self.k}")


class SearchStore(StoreCore):
    """A condition narrows what is searched; it is never applied to the k best."""

    def vector_search(
        self, space: str, vector: Vector, k: int, condition: Filter | None = None
    ) -> Hits:
        """Return the k texts nearest to a vector as (text id, cosine).

        Best first, ties by id; fewer than k only when there are no more. None while the
        space holds the vectors of a former model.

        Raises:
            ValueError: the vector has a wrong dimension or a NaN; k < 1; a stored value
                and the condition's are of different types.
        """
        of_space = self._space(space)
        query = checked_query(vector, of_space.dimension)
        if space in self._outdated:
            return []
        index = self._derived.vectors[space]
        asked = _Asked(
            k=k,
            search=lambda wanted, allowed: index.search(query, wanted, allowed),
            reached=lambda: index.reached,
            live=live_of,
            allowed=_of_texts(condition, of_space.id),
        )
        return self._search(asked)

    def keyword_search(self, terms: Sequence[str], k: int, condition: Filter | None = None) -> Hits:
        """Return the k texts that these terms say most of, as (text id, BM25).

        Terms are as ``text.analysis`` gives them; nothing in them is syntax. Best first,
        ties by id; only texts with a term.

        Raises:
            ValueError: k < 1; a stored value and the condition's are of different types.
        """
        index = self._derived.passages
        asked = _Asked(
            k=k,
            search=lambda wanted, allowed: index.search(terms, wanted, allowed),
            reached=lambda: index.reached,
            live=live_of,
            allowed=_of_texts(condition, None),
        )
        return self._search(asked)

    def name_search(self, terms: Sequence[str], k: int, condition: Filter | None = None) -> Hits:
        """Return the k files whose name, title or headings fit best, as (file id, score).

        Raises:
            ValueError: k < 1; a stored value and the condition's are of different types.
        """
        index = self._derived.names
        asked = _Asked(
            k=k,
            search=lambda wanted, allowed: index.search(terms, wanted, allowed),
            reached=lambda: index.reached,
            live=_held_files,
            allowed=None if condition is None else lambda c: matching_files(c, condition),
        )
        return self._search(asked)

    def term_statistics(self, terms: Iterable[str]) -> dict[str, float]:
        """Return each term's inverse document frequency over all texts, as BM25 has it."""
        return self._derived.passages.idf(terms)

    def vector_count(self, space: str) -> int:
        """Return how many texts of a space can be found."""
        self._space(space)
        if space in self._outdated:
            return 0
        return self._derived.vectors[space].count

    def vector_of(self, text_ids: Sequence[int]) -> Matrix:
        """Return the vectors of texts of one space, one row each, in order.

        Raises:
            LookupError: a text is not stored any more.
            ValueError: the texts are of several spaces.
        """
        with self._snapshot() as connection:
            rows = connection.execute(
                "SELECT DISTINCT s.dimension, s.id FROM texts AS t JOIN spaces AS s "
                f"ON s.id = t.space_id WHERE t.id {IN_IDS}",
                (pack_ids(set(text_ids)),),
            ).fetchall()
            if len(rows) > 1:
                raise ValueError("the texts are of several spaces")
            dimension = rows[0][0] if rows else 0
            ids, matrix = vectors_of(connection, set(text_ids), dimension)
        if len(ids) < len(set(text_ids)):
            raise LookupError("a text is not stored any more")
        return matrix[np.searchsorted(ids, np.array(text_ids, dtype=np.int64))]

    def segment_vectors(self, segment_ids: Sequence[int]) -> list[tuple[list[int], Matrix]]:
        """Return, for each space, the passages that have a vector in it, and a row for each.

        None of a space that holds the vectors of a former model.
        """
        found = []
        with self._snapshot() as connection:
            for name, space in self._spaces.items():
                if name in self._outdated:
                    continue
                rows = connection.execute(_VECTORS_OF_SEGMENTS, (space.id, pack_ids(segment_ids)))
                pairs = rows.fetchall()
                if pairs:
                    vectors = unpack_matrix([row[1] for row in pairs], space.dimension)
                    found.append(([int(row[0]) for row in pairs], vectors))
        return found

    def _search(self, asked: _Asked) -> Hits:
        """Search so that a document that is replaced meanwhile is seen old or new.

        What is found is looked up in SQLite afterwards. If something was replaced that
        the index did not have yet, old hits are gone and new ones were not found: then
        the index follows and the search is made again, in the end while writers wait.
        """
        for _ in range(_ATTEMPTS):
            hits = self._attempt(asked)
            if hits is not None:
                return hits
        return self._writer.run_outside(lambda _: self._attempt(asked) or [])

    def _attempt(self, asked: _Asked) -> Hits | None:
        """Return the hits, None when something was replaced under them."""
        with self._snapshot() as connection:
            before = last_replacement(connection)
            allowed = None if asked.allowed is None else asked.allowed(connection)
        if asked.reached() < before:
            self._derived.apply_pending()
        reached = asked.reached()
        wanted = asked.k
        while True:
            hits = asked.search(wanted, allowed)
            with self._snapshot() as connection:
                replaced = last_replacement(connection)
                live = asked.live(connection, [found for found, _ in hits])
            if replaced != before or replaced > reached:
                return None
            kept = [hit for hit in hits if hit[0] in live]
            if len(kept) >= asked.k or len(hits) < wanted:
                return kept[: asked.k]
            # An index may still have what was removed a moment ago.
            wanted *= 2


def _of_texts(condition: Filter | None, space_id: int | None) -> Allowed | None:
    if condition is None:
        return None
    return lambda connection: matching_texts(connection, condition, space_id)


def _held_files(connection: sqlite3.Connection, file_ids: Iterable[int]) -> set[int]:
    rows = connection.execute(
        f"SELECT id FROM files WHERE id {IN_IDS} AND document_id IS NOT NULL",
        (pack_ids(file_ids),),
    )
    return set(ids_of(rows))
