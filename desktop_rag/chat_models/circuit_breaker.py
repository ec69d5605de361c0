"""Leaves a model alone for a while that fails again and again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FAILURES = 3
REST_SECONDS = 30.0


class CircuitBreaker:
    """Opens after so many failures in a row; later lets one call try. Thread-safe.

    While it is open, nothing is asked. After ``rest_seconds`` it is half open: one call goes
    through, and its end decides whether the others may follow.

    Args:
        failures: in a row until it opens, > 0.
        rest_seconds: how long it stays open, ≥ 0.
        clock: the time in seconds, never going back.

    Raises:
        ValueError: a number is out of its range.
    """

    def __init__(
        self,
        failures: int = FAILURES,
        rest_seconds: float = REST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if failures <= 0 or rest_seconds < 0:
            raise ValueError(f"failures > 0 and rest >= 0, not {failures} and {rest_seconds}")
        self._most = failures
        self._rest = rest_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._opened: float | None = None
        self._trying = False

    @property
    def is_open(self) -> bool:
        """Whether calls are held back just now."""
        with self._lock:
            return self._opened is not None and not self._may_try()

    def enter(self) -> bool:
        """Whether a call may begin; who is told yes must call one of the three below."""
        with self._lock:
            if self._opened is None:
                return True
            if not self._may_try():
                return False
            self._trying = True
            return True

    def succeeded(self) -> None:
        """A call has ended well."""
        with self._lock:
            self._failed, self._opened, self._trying = 0, None, False

    def failed(self) -> None:
        """A call has failed."""
        with self._lock:
            self._failed += 1
            self._trying = False
            if self._failed >= self._most:
                self._opened = self._clock()

    def given_up(self) -> None:
        """A call was cancelled, which says nothing about the model."""
        with self._lock:
            self._trying = False

    def _may_try(self) -> bool:
        opened = self._opened
        return not self._trying and opened is not None and self._clock() - opened >= self._rest
