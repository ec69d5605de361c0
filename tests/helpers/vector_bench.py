"""A database with texts of one space and the vector index over it, without a whole library."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from desktop_rag.store.codec import pack_vector
from desktop_rag.store.database import open_database
from desktop_rag.store.graph_vectors import GraphVectors
from desktop_rag.store.readers import ReaderPool
from desktop_rag.store.texts import Space
from desktop_rag.store.vector_files import GraphFiles
from desktop_rag.store.vector_index import VectorIndex
from desktop_rag.store.vectors import Ids, best_first, exact_cosines

DIMENSION = 64
LIMIT = 50
LIBRARY = "library-id"


def unit_rows(count: int, seed: int = 0, dimension: int = DIMENSION) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def exactly(rows: np.ndarray, query: np.ndarray, k: int, ids: Ids | None = None) -> list:
    ids = np.arange(1, len(rows) + 1) if ids is None else ids
    return best_first(ids, exact_cosines(rows, query), k)


class Bench:
    """A database with texts of one space, and the index over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.connection = open_database(folder)
        self.readers = ReaderPool(folder)
        self.connection.execute("INSERT INTO spaces (name, dimension) VALUES ('en', 64)")
        self.connection.execute(
            "INSERT INTO documents (key, origin, kind, title, language, segments, coverage, "
            "metadata, headings) VALUES ('k', 'file', 'text', '', 'en', 0, '[]', '{}', '[]')"
        )
        self.connection.execute(
            'INSERT INTO parents (document_id, "start", "end", heading_path) '
            "VALUES (1, 0, 1, '[]')"
        )
        self.space = Space(1, "en", DIMENSION)
        self.opened: list[VectorIndex] = []

    def insert(self, rows: np.ndarray, first: int = 1) -> Ids:
        """Store live texts with these vectors; return their ids."""
        ids = np.arange(first, first + len(rows))
        self.connection.execute("BEGIN")
        for text_id, row in zip(ids.tolist(), rows, strict=True):
            self.connection.execute(
                "INSERT INTO texts (id, space_id, hash, tokens, text) VALUES (?, 1, ?, 0, '')",
                (text_id, str(text_id)),
            )
            self.connection.execute(
                "INSERT INTO vectors VALUES (?, ?)", (text_id, pack_vector(row))
            )
            self.connection.execute(
                'INSERT INTO segments (document_id, parent_id, text_id, ordinal, "start", "end", '
                "language, heading_path, lines) VALUES (1, 1, ?, 0, 0, 1, 'en', '[]', x'')",
                (text_id,),
            )
        self.log()
        self.connection.execute("COMMIT")
        return ids

    def log(self) -> int:
        return self.connection.execute(
            "INSERT INTO change_log (texts, files) VALUES ('[]', '[]')"
        ).lastrowid

    def silence(self, ids: Ids) -> None:
        """Take texts out of the database's live ones."""
        self.connection.execute(
            f"DELETE FROM segments WHERE text_id IN ({','.join(map(str, ids.tolist()))})"
        )

    def index(self, limit: int = LIMIT, since: int = 0) -> VectorIndex:
        files = GraphFiles(self.folder / "vectors" / "en")
        index = VectorIndex(self.space, files, self.readers, LIBRARY, limit)
        newest = self.connection.execute("SELECT MAX(change) FROM change_log").fetchone()[0] or 0
        index.open(since, newest)
        self.opened.append(index)
        return index

    def graph(self, limit: int = LIMIT) -> VectorIndex:
        """An index that has built its graph."""
        index = self.index(limit)
        index.maintain()
        index.wait_built()
        assert isinstance(index._vectors, GraphVectors)
        return index

    def close(self) -> None:
        for index in self.opened:
            index.close()
        self.readers.close()
        self.connection.close()


def no_rows() -> tuple[Ids, np.ndarray]:
    """What an index is given when nothing is added."""
    return np.empty(0, np.int64), np.empty((0, DIMENSION), np.float32)
