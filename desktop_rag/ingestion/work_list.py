"""The documents that were read and are not stored yet, most urgent first."""

from __future__ import annotations

import bisect
import threading

from desktop_rag.ingestion.parsers.formats import CONTAINERS
from desktop_rag.ingestion.work import Reading, Work

_TEXTS_AHEAD = 400
_WORKS_AHEAD = 3
_MOST_WORKS = 400
"""Reading goes on while fewer texts than the first wait, or fewer documents than the
second: a library of small files has its texts ahead, one of large files its documents."""


class WorkList:
    """Thread-safe; the embedding stage takes from it what the reading stage puts in."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._works: list[Work] = []
        self._by_key: dict[str, Work] = {}

    def put(self, work: Work) -> None:
        """Add a document."""
        with self._lock:
            bisect.insort(self._works, work, key=lambda each: each.rank)
            self._by_key[work.key] = work

    def follow(self, key: str, reading: Reading) -> bool:
        """Let a file share the document with this key, if it is here."""
        with self._lock:
            work = self._by_key.get(key)
            if work is None or work.prepared.kind in CONTAINERS:
                return False  # what lies in a file is read with it
            work.followers.append(reading)
            return True

    def remove(self, work: Work) -> list[Reading] | None:
        """Take a document out; return the files that share it, None if it is not here."""
        with self._lock:
            if work not in self._works:
                return None
            self._works.remove(work)
            if self._by_key.get(work.key) is work:
                del self._by_key[work.key]
            return list(work.followers)

    def admits(self, rank: tuple[int, int]) -> bool:
        """Whether a document of this rank may be read: what is ahead of it is little."""
        works = texts = 0
        with self._lock:
            for work in self._works:
                if work.rank > rank:
                    break
                works += 1
                texts += len(work.missing)
        return works < _WORKS_AHEAD or (texts < _TEXTS_AHEAD and works < _MOST_WORKS)

    def all(self) -> list[Work]:
        """Return the documents, most urgent first."""
        with self._lock:
            return list(self._works)

    @property
    def bytes_done(self) -> int:
        """How much of these files has its vectors, in bytes of the files."""
        return int(sum(work.job.size * work.share_done for work in self.all()))

    @property
    def tokens_missing(self) -> int:
        """How much the model has still to read of them."""
        return sum(work.tokens_missing for work in self.all())
