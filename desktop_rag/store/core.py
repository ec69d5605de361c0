"""What every part of the knowledge store works with."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from desktop_rag.store.applier import Applier
from desktop_rag.store.derived import Analyse, DerivedIndexes
from desktop_rag.store.readers import ReaderPool
from desktop_rag.store.texts import Space
from desktop_rag.store.writer import Writer

T = TypeVar("T")


class Leases:
    """Texts that somebody relies on before a document holds them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hashes: set[str] = set()

    def take(self, hashes: Collection[str]) -> None:
        """Keep these from being collected."""
        with self._lock:
            self._hashes.update(hashes)

    def end(self, hashes: Collection[str]) -> None:
        """Let go of these."""
        with self._lock:
            self._hashes.difference_update(hashes)

    def current(self) -> frozenset[str]:
        """Return all that are relied on."""
        with self._lock:
            return frozenset(self._hashes)


class StoreCore:
    """The connections, the indexes, and how changes get from one to the other."""

    _outdated: frozenset[str] = frozenset()
    """Spaces that hold the vectors of a former model (see ``ModelStore``)."""

    def __init__(
        self,
        folder: Path,
        writer: Writer,
        spaces: dict[str, Space],
        exact_limit: int,
        analyse: Analyse,
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._spaces = spaces
        self._analyse = analyse
        self._leases = Leases()
        self._readers = ReaderPool(folder)
        self._derived = DerivedIndexes(folder, self._readers, spaces, exact_limit, analyse)
        try:
            self._derived.open()
        except BaseException:
            self._derived.close()
            self._readers.close()
            raise
        self._applier = Applier(self._derived)
        self._closing = threading.Lock()
        # Closed from the last to the first, each even when one before it has failed.
        self._open_parts: tuple[Callable[[], None], ...] = (
            writer.close,
            self._readers.close,
            self._derived.close,
            self._applier.close,
        )

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return self._writer.run(work)

    def _snapshot(self) -> AbstractContextManager[sqlite3.Connection]:
        return self._readers.snapshot()

    def _changed(self) -> None:
        """Have the indexes follow what was committed."""
        self._applier.notify()

    def _space(self, name: str) -> Space:
        """Return a space.

        Raises:
            ValueError: the store was opened without it.
        """
        space = self._spaces.get(name)
        if space is None:
            raise ValueError(f"the library was opened without the space {name!r}")
        return space
