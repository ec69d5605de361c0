"""What is done when there is time: settling, checking, counting."""

from __future__ import annotations

import logging
import sqlite3

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.store.changes import last_change, prune
from desktop_rag.store.checking import database_problems
from desktop_rag.store.core import StoreCore
from desktop_rag.store.database import folder_bytes
from desktop_rag.store.file_store import REMOVED
from desktop_rag.store.ocr_store import collect_unheld_pages
from desktop_rag.store.records import IndexState, IndexStats, StoreStats, VerifyReport
from desktop_rag.store.sql import NOTE, put_note
from desktop_rag.store.texts import collect_unused

log = logging.getLogger(__name__)

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
                "SELECT value FROM library WHERE name = ?", (f"{NOTE}{name}",)
            ).fetchone()
        return None if row is None else str(row[0])

    def set_note(self, name: str, value: str) -> None:
        """Note something about the library as a whole, for its next start; "" forgets it."""
        self._write(lambda connection: put_note(connection, name, value))

    def verify(self, repair: bool = False) -> VerifyReport:
        """Check the database and that the indexes agree with it; repair the indexes if asked.

        Every entry of the indexes is looked at, and a sample of passages must find itself.

        Raises:
            KnownError: the database cannot be read at all.
        """
        problems = self._problems()
        if problems:
            return VerifyReport(False, tuple(problems), unsound=True)
        self.flush()
        wrong = self._derived.disagreements(thorough=True)
        found = tuple(wrong)
        if not (repair and wrong):
            return VerifyReport(not found, found)
        for name, again in wrong.items():
            log.warning("repairing: %s", name)
            again()
        left = (*self._problems(), *self._derived.disagreements(thorough=True))
        return VerifyReport(not left, found, repaired=not left)

    def _problems(self) -> list[str]:
        with self._snapshot() as connection:
            return database_problems(connection)

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
