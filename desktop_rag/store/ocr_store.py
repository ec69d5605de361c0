"""Recognised pages: kept by the content of their file, so that no page is recognised twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import astuple, dataclass

from desktop_rag.domain.ocr import RecognisedLine, RecognisedPage
from desktop_rag.store.codec import pack_ids, unpack_coverage, unpack_text
from desktop_rag.store.core import StoreCore
from desktop_rag.store.sql import ids_of
from desktop_rag.store.texts import IN_IDS

_SCANNED = (
    "FROM documents AS d JOIN files AS f ON f.document_id = d.id "
    "WHERE d.scanned > 0 AND f.status = 'ready'"
)
_HELD = "EXISTS (SELECT 1 FROM files WHERE files.content_hash = ?1)"


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file with pages for OCR: those without a result yet, and how many there are in all."""

    file_id: int
    path: str
    content_hash: str
    left: tuple[int, ...]
    pages: int


class OcrStore(StoreCore):
    """What OCR has read, page by page, and what it may read."""

    def recognised_pages(self, content_hash: str) -> dict[int, RecognisedPage]:
        """Return what came of the pages of this content, by page."""
        with self._snapshot() as connection:
            rows = connection.execute(
                "SELECT page, lines, reason FROM ocr_pages WHERE content_hash = ? ORDER BY page",
                (content_hash,),
            ).fetchall()
        return {page: RecognisedPage(page, _lines(lines), reason) for page, lines, reason in rows}

    def recognition_mark(self, content_hash: str) -> str:
        """Return what tells the results for this content from all earlier ones; "" for none.

        Results are only ever added with new ids or deleted, so their number and their
        newest id never come twice.
        """
        with self._snapshot() as connection:
            return _mark(connection, content_hash)

    def put_recognised_page(self, content_hash: str, page: RecognisedPage) -> bool:
        """Keep what came of a page; False when no file has this content any more."""
        lines = json.dumps([astuple(line) for line in page.lines], ensure_ascii=False)

        def work(connection: sqlite3.Connection) -> bool:
            stored = connection.execute(
                "INSERT OR REPLACE INTO ocr_pages (content_hash, page, lines, reason) "
                f"SELECT ?1, ?2, ?3, ?4 WHERE {_HELD}",
                (content_hash, page.page, lines, page.reason),
            )
            return stored.rowcount > 0

        return self._write(work)

    def forget_failed_pages(self, file_ids: Iterable[int]) -> None:
        """Let the pages of these files that could not be recognised be tried again."""
        sql = (
            "DELETE FROM ocr_pages WHERE reason IS NOT NULL AND content_hash IN "
            f"(SELECT content_hash FROM files WHERE id {IN_IDS})"
        )
        wanted = pack_ids(file_ids)
        self._write(lambda connection: connection.execute(sql, (wanted,)).rowcount)

    def next_scanned_file(self, without: Iterable[int] = ()) -> ScannedFile | None:
        """Return the first file that has pages for OCR and is not among ``without``."""
        with self._snapshot() as connection:
            row = connection.execute(
                f"SELECT f.id, f.path, f.content_hash, d.coverage {_SCANNED} "
                "AND f.id NOT IN (SELECT value FROM json_each(?)) ORDER BY f.id LIMIT 1",
                (pack_ids(without),),
            ).fetchone()
            return None if row is None else _scanned(connection, *row)

    def scanned_ids(self, *, textless: bool = False) -> list[int]:
        """Return the files that have pages for OCR; ``textless``: and nothing else to find."""
        condition = "AND d.segments = 0" if textless else ""
        with self._snapshot() as connection:
            return ids_of(connection.execute(f"SELECT f.id {_SCANNED} {condition} ORDER BY f.id"))

    def count_textless(self) -> int:
        """Return how many of the files that count as ready have no word before OCR."""
        with self._snapshot() as connection:
            counted = connection.execute(
                f"SELECT COUNT(*) {_SCANNED} AND d.segments = 0 AND f.change <= ?",
                (self._derived.reached,),
            )
            return int(counted.fetchone()[0])

    def files_with_problem(self, title: str) -> list[int]:
        """Return the files that were not read for this reason."""
        with self._snapshot() as connection:
            return ids_of(
                connection.execute(
                    "SELECT id FROM files WHERE status = 'failed' AND problem_title = ?", (title,)
                )
            )


def collect_unheld_pages(connection: sqlite3.Connection) -> int:
    """Delete the results for content that no file has any more."""
    return connection.execute(
        "DELETE FROM ocr_pages WHERE NOT EXISTS "
        "(SELECT 1 FROM files WHERE files.content_hash = ocr_pages.content_hash)"
    ).rowcount


def _scanned(
    connection: sqlite3.Connection, file_id: int, path: str | bytes, content_hash: str, column: str
) -> ScannedFile:
    pages = unpack_coverage(column).recognisable
    done = {
        row[0]
        for row in connection.execute(
            "SELECT page FROM ocr_pages WHERE content_hash = ?", (content_hash,)
        )
    }
    left = tuple(page for page in pages if page not in done)
    return ScannedFile(file_id, unpack_text(path), content_hash, left, len(done | set(left)))


def _mark(connection: sqlite3.Connection, content_hash: str) -> str:
    number, newest = connection.execute(
        "SELECT COUNT(*), MAX(id) FROM ocr_pages WHERE content_hash = ?", (content_hash,)
    ).fetchone()
    return f"{number}.{newest}" if number else ""


def _lines(column: str) -> tuple[RecognisedLine, ...]:
    return tuple(RecognisedLine(*line) for line in json.loads(column))
