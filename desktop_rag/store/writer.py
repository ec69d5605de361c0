"""The one connection that writes, on a thread of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from desktop_rag.store.failures import failures_known

T = TypeVar("T")


class Writer:
    """Runs pieces of work one after another, each in one transaction.

    A piece that fails is rolled back and its error is raised where it was asked for;
    the thread goes on with the next.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-writer")

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what ``work`` returns, once it is committed.

        Raises:
            KnownError: the disk is full, or another failure that a user can act on.
        """
        return self._thread.submit(self._transaction, work).result()

    def run_outside(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what ``work`` returns; for what no transaction may hold (checkpoints)."""
        return self._thread.submit(self._guarded, work).result()

    def close(self) -> None:
        """Finish what was asked for and close the connection."""
        self._thread.submit(self._connection.close).result()
        self._thread.shutdown()

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def committed(connection: sqlite3.Connection) -> T:
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                # A full disk rolls back by itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            return result

        return self._guarded(committed)

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with failures_known(self._folder):
            return work(self._connection)
