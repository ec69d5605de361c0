"""Connections that read, each used by one thread at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_rag.store.database import open_reader
from desktop_rag.store.failures import failures_known


class ReaderPool:
    """As many reading connections as there are readers at the same moment."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Give a connection on which every query sees the same state of the library."""
        connection = self._take()
        try:
            with failures_known(self._folder):
                connection.execute("BEGIN")
                yield connection
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._give_back(connection)

    def close(self) -> None:
        """Close the idle connections; those in use are closed as they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise RuntimeError("the library is closed")
            if self._idle:
                return self._idle.pop()
        return open_reader(self._folder)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()
