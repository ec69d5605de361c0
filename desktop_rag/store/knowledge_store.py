"""The knowledge store: SQLite is the truth, two indexes follow it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.catalog_store import CatalogStore
from desktop_rag.store.chat_search import ChatSearchStore
from desktop_rag.store.chats import ChatStore
from desktop_rag.store.cited import CitedStore
from desktop_rag.store.database import open_database
from desktop_rag.store.derived import Analyse
from desktop_rag.store.document_store import DocumentStore
from desktop_rag.store.file_store import FileStore
from desktop_rag.store.model_store import ModelStore
from desktop_rag.store.ocr_store import OcrStore
from desktop_rag.store.search_store import SearchStore
from desktop_rag.store.segment_store import SegmentStore
from desktop_rag.store.sources import SourceStore
from desktop_rag.store.texts import Space
from desktop_rag.store.transfer import TransferStore
from desktop_rag.store.upkeep import UpkeepStore
from desktop_rag.store.writer import Writer
from desktop_rag.text.analysis import analyse

EXACT_LIMIT = 50_000
"""Vectors up to which a scan is quick (1.2 ms for 20,000, 2.8 ms for 40,000, 4.8 ms for
60,000 of 384 dimensions on two cores) and a graph is not worth the time to build it."""


class KnowledgeStore(
    SourceStore,
    FileStore,
    DocumentStore,
    SegmentStore,
    ModelStore,
    OcrStore,
    SearchStore,
    CatalogStore,
    ChatStore,
    ChatSearchStore,
    CitedStore,
    TransferStore,
    UpkeepStore,
):
    """Everything that is kept of a library, in one folder that one process owns.

    Every method may be called from any thread and returns when what it did is
    committed. A file is READY once both indexes have passed its last change.
    """

    @classmethod
    def open(
        cls,
        folder: Path,
        spaces: Mapping[str, int],
        exact_limit: int = EXACT_LIMIT,
        analyse: Analyse = analyse,
    ) -> KnowledgeStore:
        """Open the library in ``folder``, made when there is none.

        Indexes that are missing, damaged or disagree with the database are made anew.

        Args:
            folder: the data folder; created for its owner alone.
            spaces: dimension by name of each model's space.
            exact_limit: vectors of a space up to which it is searched exactly.
            analyse: gives the keyword terms of file names, titles and added segments.

        Raises:
            KnownError: the library is of a newer version (it is left untouched), was made
                with another model, is damaged, or cannot be written.
            ValueError: a dimension or the limit is not positive.
        """
        if exact_limit < 1 or any(dimension < 1 for dimension in spaces.values()):
            raise ValueError("dimensions and exact_limit must be at least 1")
        writer = Writer(open_database(folder), folder)
        try:
            known = writer.run(lambda connection: _spaces(connection, spaces, folder))
            return cls(folder, writer, known, exact_limit, analyse)
        except BaseException:
            writer.close()
            raise

    def close(self) -> None:
        """Finish what was begun, save what is due, and let go of the folder.

        Closing again does nothing.

        Raises:
            KnownError: the disk is full, so the indexes could not be saved; nothing is
                lost by that, and all else is closed.
        """
        with self._closing:
            steps, self._open_parts = self._open_parts, ()
        with ExitStack() as closed_in_turn:
            for close in steps:
                closed_in_turn.callback(close)


def _spaces(
    connection: sqlite3.Connection, wanted: Mapping[str, int], folder: Path
) -> dict[str, Space]:
    connection.executemany(
        "INSERT INTO spaces (name, dimension) VALUES (?, ?) ON CONFLICT DO NOTHING",
        list(wanted.items()),
    )
    stored = {
        name: Space(space_id, name, dimension)
        for space_id, name, dimension in connection.execute(
            "SELECT id, name, dimension FROM spaces"
        )
    }
    for name, dimension in wanted.items():
        if stored[name].dimension != dimension:
            raise KnownError(
                "Made with another model",
                f"This library was made with another form of the model “{name}”. Install "
                "the program again, or start a new library.",
                str(folder),
            )
    return {name: stored[name] for name in wanted}
