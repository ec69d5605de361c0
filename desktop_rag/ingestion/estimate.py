"""How long the rest will take, from how fast the last bytes went."""

from __future__ import annotations

from math import exp

_MEMORY_SECONDS = 20.0
"""Time constant of the smoothing: what happened that long ago counts a third as much."""

_FIRST_SECONDS = 3.0
"""Nothing is said before: the first file says little about the others."""

_STEP_SECONDS = 0.5


class Estimate:
    """A smoothed rate in bytes a second, and the time left that it promises."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew, with the next work."""
        self._started: float | None = None
        self._at = 0.0
        self._bytes = 0
        self._rate: float | None = None

    def observe(self, bytes_done: int, now: float) -> None:
        """Note how far the work is at ``now`` (monotonic seconds)."""
        if self._started is None or bytes_done < self._bytes:
            self.reset()
            self._started, self._at, self._bytes = now, now, bytes_done
            return
        elapsed = now - self._at
        if elapsed < _STEP_SECONDS:
            return
        rate = (bytes_done - self._bytes) / elapsed
        keep = 0.0 if self._rate is None else exp(-elapsed / _MEMORY_SECONDS)
        self._rate = keep * (self._rate or 0.0) + (1 - keep) * rate
        self._at, self._bytes = now, bytes_done

    def rest(self, now: float) -> None:
        """The work stands still: the time until it goes on again doesn't count."""
        self._at = now

    def seconds_left(self, bytes_total: int, now: float) -> float | None:
        """Return the seconds that are left, None while nothing can be said."""
        if self._started is None or now - self._started < _FIRST_SECONDS or not self._rate:
            return None
        return max(0, bytes_total - self._bytes) / self._rate
