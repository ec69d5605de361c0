"""Vectors as an hnswlib graph: for libraries that a scan would be slow over.

What hnswlib forgets or accepts silently (0.8.0) is taken care of here: after a load its
``ef`` is 10 again and there is no room to add; a search for more than there is raises;
labels of deleted entries come back from ``get_ids_list``.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

import hnswlib
import numpy as np

from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.store.vectors import Ids, best_first, exact_cosines

_LINKS = 16
_EF_CONSTRUCTION = 200
"""M and ef_construction: within the ranges that hnswlib's ALGO_PARAMS.md recommends (M
12 to 48 for such dimensions; ef_construction for which recall at ef = ef_construction is
above 0.9), and its own defaults."""

_EF_SEARCH = 800
"""Width of a search. Of the ten nearest among 100,000 vectors of bge-small-en-v1.5 it finds .988
in 2.9 ms; 256 found .968 in 1.6 ms, 512 .981 in 2.2 ms, 1,200 .994 in 3.8 ms (made-up vectors with
clearer structure: 1.000 with any). Among 1,000,000 fewer than 800 fail the self-recall check."""

_ROOM_SHARE = 1.5
_SCAN_ROWS = 4096
"""Rows fetched at a time for an exact scan: 6 MB of 384 dimensions."""


class GraphVectors:
    """A graph with the same searches as the matrix; not locked, its owner does that."""

    def __init__(self, graph: hnswlib.Index, dimension: int, deleted: Iterable[int] = ()) -> None:
        self._graph = graph
        self._dimension = dimension
        self._deleted = set(deleted)
        self._live = set(graph.get_ids_list()) - self._deleted
        # What hnswlib does not keep in its file; one thread, so that a build is repeatable.
        graph.set_ef(_EF_SEARCH)
        graph.set_num_threads(1)

    @classmethod
    def empty(cls, dimension: int, room: int) -> GraphVectors:
        """Return a graph without entries that ``room`` of them fit in."""
        graph = hnswlib.Index(space="ip", dim=dimension)
        graph.init_index(max_elements=max(room, 1), M=_LINKS, ef_construction=_EF_CONSTRUCTION)
        return cls(graph, dimension)

    @classmethod
    def load(cls, path: str, dimension: int, deleted: Iterable[int]) -> GraphVectors:
        """Return a saved graph.

        Raises:
            RuntimeError: hnswlib does not take the file.
        """
        graph = hnswlib.Index(space="ip", dim=dimension)
        graph.load_index(path)
        return cls(graph, dimension, deleted)

    def __len__(self) -> int:
        return len(self._live)

    @property
    def ids(self) -> set[int]:
        """The live ids, as a new set."""
        return set(self._live)

    @property
    def deleted(self) -> set[int]:
        """Ids that are in the graph but not found, as a new set."""
        return set(self._deleted)

    def save(self, path: str) -> None:
        """Write hnswlib's own file.

        Raises:
            OSError: the file is not whole; hnswlib itself does not notice a full disk.
        """
        self._graph.save_index(path)
        if os.path.getsize(path) != self._graph.index_file_size():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    def add(self, ids: Ids, rows: Matrix) -> None:
        """Add rows; an id's vector never changes, so one that is there only comes back."""
        wanted = ids.tolist()
        fresh = np.array([i not in self._live and i not in self._deleted for i in wanted], bool)
        self._add_fresh(ids[fresh], rows[fresh])
        for back in self._deleted.intersection(wanted):
            self._graph.unmark_deleted(back)
        self._deleted.difference_update(wanted)
        self._live.update(wanted)

    def remove(self, ids: Collection[int]) -> None:
        """Mark ids as deleted; those that are not there are ignored."""
        for one in self._live.intersection(ids):
            self._graph.mark_deleted(one)
            self._live.discard(one)
            self._deleted.add(one)

    def search(
        self, query: Vector, k: int, allowed: Collection[int] | None, scan_limit: int
    ) -> list[tuple[int, float]]:
        """Return the k best (id, cosine), ties by id; exact where few may be found.

        ``scan_limit`` is the number of allowed vectors up to which all are looked at.
        """
        within = self._live if allowed is None else self._live.intersection(allowed)
        wanted = min(k, len(within))
        if not wanted:
            return []
        few = len(within) <= scan_limit if allowed is not None else wanted * 2 > len(within)
        few = few or not query.any()  # nothing leads a walk whose distances are all alike
        found = None if few else self._walk(query, wanted, None if allowed is None else within)
        if found is None:
            return self._scan(query, wanted, within)
        return best_first(found, exact_cosines(self._rows(found), query), wanted)

    def recall(self, sample: int) -> float:
        """Return the share of a sample of live vectors that a search for them finds."""
        step = max(1, len(self._live) // sample)
        asked = sorted(self._live)[::step]
        if not asked:
            return 1.0
        rows = self._rows(np.array(asked, dtype=np.int64))
        hits = 0
        for row in rows:
            found = self._walk(row, 1, None)
            hits += found is not None and float(self._rows(found)[0] @ row) > 1.0 - 1e-4
        return hits / len(asked)

    def _add_fresh(self, ids: Ids, rows: Matrix) -> None:
        if not len(ids):
            return
        needed = len(self._live) + len(self._deleted) + len(ids)
        if needed > self._graph.get_max_elements():
            self._graph.resize_index(int(needed * _ROOM_SHARE))
        self._graph.add_items(rows, ids, num_threads=1)

    def _walk(self, query: Vector, k: int, allowed: set[int] | None) -> Ids | None:
        """Search the graph; None when it does not reach as many as were asked for."""
        accept = None if allowed is None else allowed.__contains__
        try:
            labels, _ = self._graph.knn_query(query, k=k, num_threads=1, filter=accept)
        except RuntimeError:
            # "Cannot return the results in a contiguous 2D array": fewer were reached.
            return None
        found: Ids = labels[0].astype(np.int64)
        return found

    def _scan(self, query: Vector, k: int, within: Iterable[int]) -> list[tuple[int, float]]:
        best: list[tuple[int, float]] = []
        for piece in _pieces(within):
            merged = np.concatenate([np.array([i for i, _ in best], dtype=np.int64), piece])
            best = best_first(merged, exact_cosines(self._rows(merged), query), k)
        return best

    def _rows(self, ids: Ids) -> Matrix:
        rows = self._graph.get_items(ids, return_type="numpy")
        return np.asarray(rows, dtype=np.float32).reshape(len(ids), self._dimension)


def _pieces(ids: Iterable[int]) -> Iterator[Ids]:
    remaining = iter(ids)
    while piece := list(islice(remaining, _SCAN_ROWS)):
        yield np.array(piece, dtype=np.int64)
