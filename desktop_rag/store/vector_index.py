"""One space's vectors: a matrix while they are few, a graph when they are many."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection

from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.store.changes import last_change
from desktop_rag.store.exact_vectors import ExactVectors
from desktop_rag.store.graph_vectors import GraphVectors
from desktop_rag.store.readers import ReaderPool
from desktop_rag.store.records import IndexState, IndexStats
from desktop_rag.store.shared_lock import SharedLock
from desktop_rag.store.texts import Space, vector_ids, vectors_of
from desktop_rag.store.vector_files import GraphFiles, GraphHeader
from desktop_rag.store.vectors import Ids

log = logging.getLogger(__name__)

_ROOM_SHARE = 1.5
_PIECE = 512
"""Vectors read and added at a time: a build can stop within a second."""

_DELETED_SHARE = 0.25
"""A graph with more deleted entries than this is slower and finds less: it is built anew."""

_SAMPLE = 1000
_LEAST_RECALL = 0.999
"""A graph that does not find its own vectors is no use: such a space stays exact. Vectors
that are all alike tear a graph apart; among 1,500 of them 300 others were found at .997,
without any at 1."""

_GROWTH_BEFORE_RETRY = 1.25
_SAVE_CHANGES = 1000
_SAVE_SHARE = 0.05


class VectorIndex:
    """Searches one space; follows SQLite, which can make it anew at any time."""

    def __init__(
        self, space: Space, files: GraphFiles, readers: ReaderPool, library: str, exact_limit: int
    ) -> None:
        self.space = space
        self._files = files
        self._readers = readers
        self._library = library
        self._exact_limit = exact_limit
        self._lock = SharedLock()
        self._vectors: ExactVectors | GraphVectors = ExactVectors(space.dimension)
        self._reached = 0
        self._saved: GraphHeader | None = None
        self._unsaved = 0
        self._refused_at = 0
        self._builder: threading.Thread | None = None
        self._cancel = CancelToken()

    @property
    def reached(self) -> int:
        """The last change that a search sees."""
        return self._reached

    @property
    def needs_log_from(self) -> int | None:
        """The change after which the log must be kept, None when it is not needed."""
        return None if self._saved is None else self._saved.change

    def open(self, complete_since: int, newest: int) -> None:
        """Load the saved graph if the log can bring it up to date, else read SQLite."""
        loaded = self._load(complete_since, newest)
        if loaded is not None:
            self._vectors = loaded
        else:
            self.rebuild()

    def rebuild(self) -> None:
        """Read everything from SQLite, as a matrix.

        The lock is held all along: a change that is applied afterwards finds either its
        own state or an older one, and brings both up to date.
        """
        fresh = ExactVectors(self.space.dimension)
        with self._lock.alone():
            with self._readers.snapshot() as connection:
                change = last_change(connection)
                ids = vector_ids(connection, self.space.id)
                for at in range(0, len(ids), _PIECE):
                    piece = ids[at : at + _PIECE].tolist()
                    fresh.add(*vectors_of(connection, piece, self.space.dimension))
            self._vectors, self._reached = fresh, change
            self._saved, self._refused_at = None, 0
            self._files.remove()

    def forget_saved(self) -> None:
        """Remove the saved graph: the next start reads SQLite."""
        with self._lock.alone():
            self._saved = None
            self._files.remove()

    def apply(self, gone: Collection[int], ids: Ids, rows: Matrix, change: int) -> None:
        """Follow a change; applying it again changes nothing."""
        with self._lock.alone():
            self._vectors.remove(gone)
            self._vectors.add(ids, rows)
            self._reached = change
            self._unsaved += len(gone) + len(ids)

    def search(
        self, query: Vector, k: int, allowed: Collection[int] | None
    ) -> list[tuple[int, float]]:
        """Return the k best (text id, cosine), ties by id; all there are when fewer."""
        with self._lock.shared():
            if isinstance(self._vectors, ExactVectors):
                return self._vectors.search(query, k, allowed)
            return self._vectors.search(query, k, allowed, self._exact_limit)

    def ids(self) -> set[int]:
        """Return the ids that can be found."""
        with self._lock.shared():
            return self._vectors.ids

    @property
    def count(self) -> int:
        """How many can be found."""
        return len(self._vectors)

    def stats(self, newest: int) -> IndexStats:
        """Return how far it is and how it is."""
        building = self._builder is not None and self._builder.is_alive()
        state = IndexState.BUILDING if building else IndexState.OK
        if self._reached < newest:
            state = IndexState.BEHIND
        return IndexStats(self._reached, len(self._vectors), state)

    def maintain(self) -> None:
        """Begin to build a graph in the background where one is due."""
        if self._due() and (self._builder is None or not self._builder.is_alive()):
            name = f"store-graph-{self.space.name}"
            self._builder = threading.Thread(target=self._build, name=name)
            self._builder.start()

    def wait_built(self) -> None:
        """Wait for a build that is under way."""
        if self._builder is not None:
            self._builder.join()

    def save_if_due(self, always: bool) -> None:
        """Save a graph that has changed enough (``always``: at all) since it was saved."""
        with self._lock.shared():
            graph = self._vectors
            least = 1 if always else max(_SAVE_CHANGES, int(len(graph) * _SAVE_SHARE))
            if isinstance(graph, GraphVectors) and (self._saved is None or self._unsaved >= least):
                header = GraphHeader(
                    library=self._library,
                    space=self.space.name,
                    dimension=self.space.dimension,
                    count=len(graph),
                    deleted=tuple(sorted(graph.deleted)),
                    change=self._reached,
                )
                self._saved = self._files.save(header, graph.save)
                self._unsaved = 0

    def close(self) -> None:
        """Stop a build and save what has changed."""
        self._cancel.cancel()
        self.wait_built()
        self.save_if_due(always=True)

    def _load(self, complete_since: int, newest: int) -> GraphVectors | None:
        found = self._files.load()
        if found is None:
            return None
        header, path = found
        expected = (self._library, self.space.name, self.space.dimension)
        if (header.library, header.space, header.dimension) != expected:
            log.warning("a saved graph is another library's or model's")
            return None
        if header.count <= self._exact_limit:
            return None
        if not complete_since <= header.change <= newest:
            log.warning("a saved graph does not fit the change log")
            return None
        try:
            graph = GraphVectors.load(str(path), header.dimension, header.deleted)
        except RuntimeError:
            log.warning("hnswlib does not take a saved graph", exc_info=True)
            return None
        if len(graph) != header.count:
            log.warning("a saved graph holds %d vectors, not %d", len(graph), header.count)
            return None
        self._saved, self._reached = header, header.change
        return graph

    def _due(self) -> bool:
        vectors = self._vectors
        if isinstance(vectors, ExactVectors):
            least = max(self._exact_limit, int(self._refused_at * _GROWTH_BEFORE_RETRY))
            return len(vectors) > least
        deleted = len(vectors.deleted)
        return deleted > (len(vectors) + deleted) * _DELETED_SHARE

    def _build(self) -> None:
        try:
            if len(self._vectors) <= self._exact_limit:
                self.rebuild()
            else:
                self._build_graph()
        except Cancelled:
            log.info("the build of a graph was stopped")
        except Exception:
            log.exception("the build of a graph failed")

    def _build_graph(self) -> None:
        missing = sorted(self.ids())
        graph = GraphVectors.empty(self.space.dimension, int(len(missing) * _ROOM_SHARE))
        self._add(graph, missing)
        while len(missing := sorted(self.ids() - graph.ids)) > _PIECE:
            self._add(graph, missing)
        recall = graph.recall(_SAMPLE)
        if recall < _LEAST_RECALL:
            log.warning("a graph finds only %.2f of its vectors; searching exactly", recall)
            self._refuse()
            return
        with self._lock.alone():
            wanted = self._vectors.ids
            graph.remove(graph.ids - wanted)
            self._add(graph, sorted(wanted - graph.ids))
            self._vectors = graph
            self._saved, self._unsaved = None, 0

    def _refuse(self) -> None:
        if isinstance(self._vectors, GraphVectors):
            self.rebuild()
        self._refused_at = len(self._vectors)

    def _add(self, graph: GraphVectors, ids: list[int]) -> None:
        for at in range(0, len(ids), _PIECE):
            self._cancel.check()
            with self._readers.snapshot() as connection:
                piece = vectors_of(connection, ids[at : at + _PIECE], self.space.dimension)
            graph.add(*piece)
