"""Vectors as one matrix, searched exactly: for libraries that a scan is quick over."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.store.vectors import Ids, best_first, exact_cosines

_FIRST_ROWS = 1024
_MARGIN = 1e-5
"""How far the quick product may be from the exact cosine: candidates within it of the
k-th are computed again."""

_FILL = -2.0
"""Below any cosine."""

_DEAD_SHARE = 0.25
"""Removed rows beyond this share are worth a copy without them."""


class ExactVectors:
    """Rows in the only copy of them in memory; not locked, its owner does that."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._matrix: Matrix = np.empty((0, dimension), dtype=np.float32)
        self._ids: Ids = np.empty(0, dtype=np.int64)
        self._alive = np.empty(0, dtype=bool)
        self._row_of: dict[int, int] = {}
        self._used = 0

    def __len__(self) -> int:
        return len(self._row_of)

    @property
    def ids(self) -> set[int]:
        """The live ids, as a new set."""
        return set(self._row_of)

    def add(self, ids: Ids, rows: Matrix) -> None:
        """Add rows; an id that is there is replaced."""
        self.remove(ids.tolist())
        self._reserve(self._used + len(ids))
        end = self._used + len(ids)
        self._matrix[self._used : end] = rows
        self._ids[self._used : end] = ids
        self._alive[self._used : end] = True
        self._row_of.update(zip(ids.tolist(), range(self._used, end), strict=True))
        self._used = end

    def remove(self, ids: Collection[int]) -> None:
        """Remove ids; those that are not there are ignored."""
        rows = [self._row_of.pop(one) for one in ids if one in self._row_of]
        self._alive[rows] = False
        if self._used - len(self._row_of) > self._used * _DEAD_SHARE:
            self._compact()

    def search(
        self, query: Vector, k: int, allowed: Collection[int] | None
    ) -> list[tuple[int, float]]:
        """Return the k best (id, cosine), ties by id."""
        if allowed is None:
            rows = None
            products = np.where(
                self._alive[: self._used], self._matrix[: self._used] @ query, _FILL
            )
        else:
            rows = np.array(
                [self._row_of[one] for one in allowed if one in self._row_of], dtype=np.int64
            )
            products = self._matrix[rows] @ query
        near = candidates(products, k)
        if rows is not None:
            near = rows[near]
        return best_first(self._ids[near], exact_cosines(self._matrix[near], query), k)

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._matrix):
            return
        capacity = max(rows, len(self._matrix) * 3 // 2, _FIRST_ROWS)
        self._resize(capacity, slice(0, self._used))

    def _compact(self) -> None:
        keep = np.flatnonzero(self._alive[: self._used])
        self._resize(max(len(keep), _FIRST_ROWS), keep)
        self._used = len(keep)
        self._row_of = dict(zip(self._ids[: self._used].tolist(), range(self._used), strict=True))

    def _resize(self, capacity: int, keep: slice | Ids) -> None:
        matrix = np.empty((capacity, self._dimension), dtype=np.float32)
        ids = np.zeros(capacity, dtype=np.int64)
        alive = np.zeros(capacity, dtype=bool)
        count = len(self._ids[keep])
        matrix[:count] = self._matrix[keep]
        ids[:count] = self._ids[keep]
        alive[:count] = self._alive[keep]
        self._matrix, self._ids, self._alive = matrix, ids, alive


def candidates(products: Matrix, k: int) -> Ids:
    """Return the positions of all products that may be among the k best."""
    if len(products) > k:
        kth = np.partition(products, len(products) - k)[len(products) - k]
        floor = max(float(kth) - _MARGIN, _FILL / 2)
    else:
        floor = _FILL / 2
    return np.flatnonzero(products >= floor)
