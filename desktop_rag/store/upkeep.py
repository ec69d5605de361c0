"""What is done when there is time: settling, checking, counting."""

from __future__ import annotations

import logging
import sqlite3

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.store.changes import last_change, prune
from desktop_rag.store.core import StoreCore
from desktop_rag.store.database import folder_bytes
from desktop_rag.store.file_store import REMOVED
from desktop_rag.store.ocr_store import collect_unheld_pages
from desktop_rag.store.records import IndexState, IndexStats, StoreStats, VerifyReport
from desktop_rag.store.texts import collect_unused

log = logging.getLogger(__name__)

_NOTE = "note:"
_COLLECT_AT_ONCE = 1000
"""Texts deleted in one transaction: other writers wait no longer than that takes."""


class UpkeepStore(StoreCore):
    """Keeps the library tidy and true."""

    def flush(self) -> None:
        """Wait until searches see everything that is committed.

        Raises:
            KnownError: the disk is full.
        """
        self._derived.apply_pending()

    def settle(self, cancel: CancelToken | None = None) -> None:
        """Finish all that follows from changes; for when there is nothing else to do.

        Afterwards the indexes are up to date and saved when that is due, texts that
        nothing holds are gone, and so are the words of removed files from every file of
        the library.

        Raises:
            Cancelled: ``cancel`` was set; the next call goes on.
            KnownError: the disk is full.
        """
        token = cancel or CancelToken()
        self.flush()
        token.check()
        self._collect(token)
        if self._write(_has_removed):
            self._derived.rebuild_keywords()
            self._write(_forget_removed)
        token.check()
        self._derived.tidy()
        self._derived.save_if_due()
        self._write(lambda connection: prune(connection, self._derived.log_needed_from))
        self._writer.run_outside(_empty_log)

    def note(self, name: str) -> str | None:
        """Return what was noted under a name, None if nothing was."""
        with self._snapshot() as connection:
            row = connection.execute(
                "SELECT value FROM library WHERE name = ?", (f"{_NOTE}{name}",)
            ).fetchone()
        return None if row is None else str(row[0])

    def set_note(self, name: str, value: str) -> None:
        """Note something about the library as a whole, for its next start."""
        sql = "INSERT OR REPLACE INTO library VALUES (?, ?)"
        self._write(lambda c: c.execute(sql, (f"{_NOTE}{name}", value)).rowcount)

    def verify(self, repair: bool = False) -> VerifyReport:
        """Check the database and that the indexes agree with it; repair the indexes if asked.

        Raises:
            KnownError: the database cannot be read at all.
        """
        self.flush()
        with self._snapshot() as connection:
            problems = _database_problems(connection)
        wrong = self._derived.disagreements()
        if repair:
            for name, again in wrong.items():
                log.warning("repairing: %s", name)
                again()
        found = (*problems, *wrong)
        return VerifyReport(not found, found, repaired=repair and bool(wrong) and not problems)

    def stats(self) -> StoreStats:
        """Return how much there is and how the indexes are."""
        with self._snapshot() as connection:
            newest = last_change(connection)
            segments = _count(connection, "segments")
            texts = _count(connection, "texts")
        indexes = {
            f"vectors:{name}": index.stats(newest) for name, index in self._derived.vectors.items()
        }
        for name in ("passages", "names"):
            index = getattr(self._derived, name)
            state = IndexState.OK if index.reached >= newest else IndexState.BEHIND
            indexes[f"keywords:{name}"] = IndexStats(index.reached, index.count, state)
        return StoreStats(
            segments=segments,
            texts=texts,
            vectors={name: index.count for name, index in self._derived.vectors.items()},
            bytes=folder_bytes(self._folder),
            indexes=indexes,
        )

    def _collect(self, token: CancelToken) -> None:
        """Delete texts and recognised pages that nothing holds."""
        self._write(collect_unheld_pages)
        while self._collect_some() == _COLLECT_AT_ONCE:
            token.check()

    def _collect_some(self) -> int:
        keep = self._leases.current()
        return self._write(lambda c: collect_unused(c, keep, _COLLECT_AT_ONCE))


def _has_removed(connection: sqlite3.Connection) -> bool:
    row = connection.execute("SELECT 1 FROM library WHERE name = ?", (REMOVED,)).fetchone()
    return row is not None


def _forget_removed(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM library WHERE name = ?", (REMOVED,))


def _empty_log(connection: sqlite3.Connection) -> None:
    """Write everything back and leave the write-ahead log empty: it holds old pages."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def _database_problems(connection: sqlite3.Connection) -> list[str]:
    problems = []
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        problems.append("The library's database is damaged.")
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        problems.append("The library's database refers to things that are not in it.")
    without = connection.execute(
        "SELECT 1 FROM texts WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE text_id = texts.id)"
    )
    if without.fetchone() is not None:
        problems.append("Some passages cannot be found by meaning.")
    return problems
