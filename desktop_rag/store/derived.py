"""The two derived indexes, kept in step with SQLite through the change log."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from desktop_rag.store.changes import complete_since, last_change, pending
from desktop_rag.store.checking import finds_itself, has_all
from desktop_rag.store.codec import pack_ids, unpack_strings, unpack_text
from desktop_rag.store.failures import failures_known
from desktop_rag.store.keyword_index import KeywordIndex
from desktop_rag.store.readers import ReaderPool
from desktop_rag.store.texts import (
    IN_IDS,
    Space,
    live_ids,
    live_of,
    spaces_of,
    terms_of,
    vector_ids,
    vectors_of,
)
from desktop_rag.store.vector_files import GraphFiles
from desktop_rag.store.vector_index import VectorIndex

log = logging.getLogger(__name__)

Analyse = Callable[[str], list[str]]
"""Gives the keyword terms of a text."""

BODY = {"body": 1.0}
NAMES = {"name": 3.0, "title": 2.0, "headings": 1.0}
"""People look for a file by its name first, then by its title."""

_PIECE = 2000
_NAME_ROWS = (
    "SELECT f.id, f.path, d.title, d.headings FROM files AS f "
    "JOIN documents AS d ON d.id = f.document_id"
)


class DerivedIndexes:
    """Applies changes one batch at a time; searches go to the indexes directly."""

    def __init__(
        self,
        folder: Path,
        readers: ReaderPool,
        spaces: Mapping[str, Space],
        exact_limit: int,
        analyse: Analyse,
    ) -> None:
        self._folder = folder
        self._readers = readers
        self._analyse = analyse
        self._lock = threading.Lock()
        with readers.snapshot() as connection:
            query = "SELECT value FROM library WHERE name = 'id'"
            library: str = connection.execute(query).fetchone()[0]
        self.vectors = {
            name: VectorIndex(
                space, GraphFiles(folder / "vectors" / name), readers, library, exact_limit
            )
            for name, space in spaces.items()
        }
        self.passages = KeywordIndex(folder / "keywords" / "passages", library, BODY)
        self.names = KeywordIndex(folder / "keywords" / "names", library, NAMES)

    @property
    def reached(self) -> int:
        """The last change that every index has passed."""
        keywords = min(self.passages.reached, self.names.reached)
        return min([keywords, *(index.reached for index in self.vectors.values())])

    @property
    def log_needed_from(self) -> int:
        """The change after which the log must be kept for the next start."""
        saved = [index.needs_log_from for index in self.vectors.values()]
        keywords = [self.passages.reached, self.names.reached]
        return min([*keywords, *(change for change in saved if change is not None)])

    def open(self) -> None:
        """Bring the indexes up to date, and make those anew that disagree with SQLite."""
        with self._readers.snapshot() as connection:
            since, newest = complete_since(connection), last_change(connection)
        for index in self.vectors.values():
            index.open(since, newest)
        if not since <= self.passages.reached <= newest:
            self.rebuild_passages()
        if not since <= self.names.reached <= newest:
            self.rebuild_names()
        self.apply_pending()
        for repair in self.disagreements().values():
            repair()
        for index in self.vectors.values():
            index.maintain()

    def apply_pending(self) -> None:
        """Apply all that is logged; afterwards a search sees everything committed before.

        Raises:
            KnownError: the disk is full. Nothing is lost: the log is applied again.
        """
        with self._failures():
            while self._apply_some():
                pass

    def maintain(self) -> None:
        """Begin in the background what has become due."""
        for index in self.vectors.values():
            index.maintain()

    def disagreements(self, thorough: bool = False) -> dict[str, Callable[[], None]]:
        """Return what is wrong with an index, in words, with what makes it right.

        Args:
            thorough: look at each entry, and whether a sample finds itself; otherwise the
                entries of words and names are counted alone.
        """
        with self._lock, self._readers.snapshot() as connection:
            wrong: dict[str, Callable[[], None]] = {}
            for name, index in self.vectors.items():
                ids = vector_ids(connection, index.space.id).tolist()
                if index.ids() != set(ids) or (thorough and not finds_itself(connection, index)):
                    wrong[f"Passages cannot all be found by meaning ({name})."] = index.rebuild
            passages = _count(connection, "SELECT COUNT(DISTINCT text_id) FROM segments")
            if self.passages.count != passages or (
                thorough and not has_all(connection, self.passages)
            ):
                wrong["Passages cannot all be found by their words."] = self.rebuild_passages
            named = [row[0] for row in connection.execute(f"{_NAME_ROWS} ORDER BY f.id")]
            if self.names.count != len(named) or (thorough and not self.names.has_exactly(named)):
                wrong["Files cannot all be found by their names."] = self.rebuild_names
        return wrong

    def rebuild_keywords(self) -> None:
        """Make both keyword indexes anew; no word of a removed file is left in them."""
        self.rebuild_passages()
        self.rebuild_names()

    def rebuild_passages(self) -> None:
        """Make the index of passages anew."""
        with self._failures(), self._lock, self._readers.snapshot() as connection:
            self.passages.clear()
            ids = live_ids(connection).tolist()
            for at in range(0, len(ids), _PIECE):
                for text_id, terms in terms_of(connection, ids[at : at + _PIECE]):
                    self.passages.add(text_id, {"body": terms})
            self.passages.commit(last_change(connection))

    def rebuild_names(self) -> None:
        """Make the index of files anew."""
        with self._failures(), self._lock, self._readers.snapshot() as connection:
            self.names.clear()
            for file_id, terms in self._names(connection, _NAME_ROWS, ()):
                self.names.add(file_id, terms)
            self.names.commit(last_change(connection))

    def tidy(self) -> None:
        """Leave no merge unfinished and no unused file behind."""
        with self._failures(), self._lock:
            self.passages.tidy()
            self.names.tidy()

    def save_if_due(self) -> None:
        """Save the graphs that have changed much."""
        with self._failures():
            for index in self.vectors.values():
                index.save_if_due(always=False)

    def close(self) -> None:
        """Stop background work and save."""
        with self._failures(), ExitStack() as each:
            each.callback(self._close_keywords)
            for index in self.vectors.values():
                each.callback(index.close)

    def _apply_some(self) -> bool:
        """Apply one batch; return False when there was none."""
        with self._lock, self._readers.snapshot() as connection:
            batch = pending(connection, self.reached)
            if batch is None:
                return False
            live = live_of(connection, batch.texts)
            by_space = spaces_of(connection, live)
            for index in self.vectors.values():
                mine = by_space.get(index.space.id, [])
                ids, rows = vectors_of(connection, mine, index.space.dimension)
                index.apply(batch.texts - live, ids, rows, batch.newest)
            self.passages.remove(batch.texts)
            for text_id, terms in terms_of(connection, live):
                self.passages.add(text_id, {"body": terms})
            self.names.remove(batch.files)
            where = f"{_NAME_ROWS} WHERE f.id {IN_IDS}"
            for file_id, names in self._names(connection, where, (pack_ids(batch.files),)):
                self.names.add(file_id, names)
            self.passages.commit(batch.newest)
            self.names.commit(batch.newest)
            return True

    def _names(
        self, connection: sqlite3.Connection, sql: str, arguments: tuple[object, ...]
    ) -> Iterator[tuple[int, dict[str, str]]]:
        for file_id, path, title, headings in connection.execute(sql, arguments):
            texts = {
                "name": Path(unpack_text(path)).name,
                "title": title,
                "headings": "\n".join(unpack_strings(headings)),
            }
            yield file_id, {key: " ".join(self._analyse(text)) for key, text in texts.items()}

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Make known errors of failures, and let go of writers that may have broken."""
        with failures_known(self._folder):
            try:
                yield
            except BaseException:
                with self._lock:
                    self.passages.abandon()
                    self.names.abandon()
                raise

    def _close_keywords(self) -> None:
        with self._lock:
            self.passages.close()
            self.names.close()


def _count(connection: sqlite3.Connection, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])
