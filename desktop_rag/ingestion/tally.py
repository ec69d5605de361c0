"""Counts what came of one request to bring the library up to date."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Literal

Outcome = Literal[
    "added", "updated", "moved", "removed", "unchanged", "failed", "skipped", "recognised"
]
"""What became of a file; one each, and one more when its pages were recognised later."""


class Tally:
    """Thread-safe counters with a count of what is still open.

    Made with one thing open, the search for changes; each file that has to be read
    is opened when it is found and closed when its fate is known.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open = 1
        self._counts: Counter[str] = Counter()
        self._error: Exception | None = None

    def opened(self, count: int = 1) -> None:
        """More files have to be read."""
        with self._changed:
            self._open += count

    def closed(self, outcome: Outcome | None = None) -> None:
        """One of the open things is done; None: nothing to count."""
        with self._changed:
            if outcome is not None:
                self._counts[outcome] += 1
            self._open -= 1
            self._changed.notify_all()

    def abort(self, error: Exception) -> None:
        """The search for changes failed in a way that it should not."""
        with self._changed:
            self._error = error
        self.closed()

    def raise_error(self) -> None:
        """Raise what the search for changes failed with, if it did."""
        with self._changed:
            if self._error is not None:
                raise self._error

    def count(self, what: str, number: int = 1) -> None:
        """Add to a counter: an ``Outcome``, or segments, embedded, reused, tokens."""
        if number:
            with self._changed:
                self._counts[what] += number

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is open; False if the time is over first."""
        with self._changed:
            return self._changed.wait_for(lambda: self._open <= 0, timeout)

    @property
    def counts(self) -> dict[str, int]:
        """All counters so far."""
        with self._changed:
            return dict(self._counts)
