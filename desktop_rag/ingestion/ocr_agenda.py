"""Which file's pages are recognised next."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore
    from desktop_rag.store.ocr_store import ScannedFile

_MOST_READINGS = 3
"""Times that a file is read again for the same recognised pages: once, unless its drive went."""


class OcrAgenda:
    """The store knows what is left to be done; this leaves out what cannot be done now.

    Thread-safe.
    """

    def __init__(self, store: KnowledgeStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._lost: set[int] = set()
        self._readings: Counter[tuple[int, str]] = Counter()

    def next(self) -> ScannedFile | None:
        """Return the first file that has something left to be done."""
        while (file := self._store.next_scanned_file(self._left_out())) is not None:
            if file.left or self._readings[self._reading_of(file)] < _MOST_READINGS:
                return file
            self.lose(file.file_id)
        return None

    def has_any_of(self, file_ids: Iterable[int]) -> bool:
        """Whether one of these files has something left to be done."""
        left = set(self._store.scanned_ids()).intersection(file_ids)
        return not left.issubset(self._left_out())

    def lose(self, file_id: int) -> None:
        """Leave a file out until something is heard of it."""
        with self._lock:
            self._lost.add(file_id)

    def heard_of(self, file_ids: Iterable[int]) -> None:
        """Something has happened to these files."""
        with self._lock:
            self._lost.difference_update(file_ids)

    def is_read_again(self, file: ScannedFile) -> None:
        """Note that a file is read together with its recognised pages."""
        self._readings[self._reading_of(file)] += 1

    def _left_out(self) -> set[int]:
        with self._lock:
            return set(self._lost)

    def _reading_of(self, file: ScannedFile) -> tuple[int, str]:
        mark = self._store.recognition_mark(file.content_hash)
        return file.file_id, f"{file.content_hash} {mark}"
