"""What the library knows of its files as a whole, and the words that are in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from desktop_rag.domain.catalog import CatalogFile
from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.filter import Filter
from desktop_rag.store import segments as reading
from desktop_rag.store.codec import pack_ids, unpack_metadata, unpack_text
from desktop_rag.store.core import StoreCore
from desktop_rag.store.filter_sql import matching_files
from desktop_rag.store.records import StoredSegment
from desktop_rag.store.texts import IN_IDS

_FILES = (
    "SELECT f.id, f.path, "
    "CASE WHEN f.status = 'ready' AND f.change > ? THEN 'reading' ELSE f.status END, "
    "d.kind, d.title, f.document_id, f.mtime_ns, f.ctime_ns, d.metadata "
    "FROM files AS f LEFT JOIN documents AS d ON d.id = f.document_id "
    "WHERE f.status <> 'ignored' ORDER BY f.id"
)


class CatalogStore(StoreCore):
    """Looks at all files and at all words, never at the k best."""

    def catalog(self, condition: Filter | None = None) -> list[CatalogFile]:
        """Return all files that are not ignored, by id; of a condition, those that match.

        A file that was not read matches no condition.

        Raises:
            ValueError: a stored value and the condition's are of different types.
        """
        with self._snapshot() as connection:
            rows = connection.execute(_FILES, (self._derived.reached,)).fetchall()
            if condition is None:
                return [_file(row) for row in rows]
            matching = set(matching_files(connection, condition))
            return [_file(row) for row in rows if row[0] in matching]

    def authors(self, most: int = 200) -> list[str]:
        """Return who wrote the documents, those of most documents first."""
        with self._snapshot() as connection:
            rows = connection.execute(
                "SELECT json_extract(metadata, '$.author') AS author FROM documents "
                "WHERE author IS NOT NULL AND author <> '' GROUP BY author "
                "ORDER BY COUNT(*) DESC, author LIMIT ?",
                (most,),
            )
            return [str(row[0]) for row in rows]

    def files_named(self, terms: Sequence[str]) -> set[int]:
        """Return the files that have all of these terms in name, title and headings."""
        self._derived.apply_pending()
        return set(self._derived.names.having_all(terms))

    def passages_having(self, terms: Sequence[str]) -> dict[int, StoredSegment]:
        """Return, for each document that has a passage with all of these terms, the first."""
        self._derived.apply_pending()
        texts = self._derived.passages.having_all(terms)
        with self._snapshot() as connection:
            return reading.first_segments(connection, texts)

    def term_frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many passages, or names of files, each term is, 0 for nowhere.

        What was removed may count for a while.
        """
        wanted = list(dict.fromkeys(terms))
        in_text = self._derived.passages.frequencies(wanted)
        in_names = self._derived.names.frequencies(wanted)
        return {term: max(in_text[term], in_names[term]) for term in wanted}

    def terms_beginning(self, prefix: str) -> list[tuple[str, int]]:
        """Return the terms of passages that begin so, each with its number of passages."""
        return self._derived.passages.beginning(prefix)

    def texts_like(self, term: str, edits: int, k: int) -> list[str]:
        """Return at most k texts with a term that so many edits make this one (see ``like``)."""
        return self._texts(self._derived.passages.like(term, edits, k))

    def texts_having(self, terms: Sequence[str], k: int) -> list[str]:
        """Return, as their model reads them, the k best texts for these terms."""
        hits = self._derived.passages.search(terms, k)
        return self._texts([found for found, _ in hits])

    def _texts(self, text_ids: Sequence[int]) -> list[str]:
        """Return those that are still held by a document, in the order of ids."""
        with self._snapshot() as connection:
            found = dict(_held_texts(connection, text_ids))
        return [found[text_id] for text_id in text_ids if text_id in found]


def _held_texts(connection: sqlite3.Connection, text_ids: Iterable[int]) -> list[tuple[int, str]]:
    return connection.execute(
        f"SELECT id, text FROM texts WHERE id {IN_IDS} "
        "AND EXISTS (SELECT 1 FROM segments WHERE text_id = texts.id)",
        (pack_ids(text_ids),),
    ).fetchall()


def _file(row: tuple) -> CatalogFile:  # type: ignore[type-arg]
    return CatalogFile(
        id=row[0],
        path=unpack_text(row[1]),
        status=FileStatus(row[2]),
        kind=row[3] or "",
        title=row[4] or "",
        document_id=row[5],
        mtime_ns=row[6] or 0,
        ctime_ns=row[7] or 0,
        metadata=unpack_metadata(row[8] or "{}"),
    )
