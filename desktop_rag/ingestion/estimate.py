"""How long the rest will take, from how fast the last of the work went."""

from __future__ import annotations

from math import exp

_MEMORY_SECONDS = 20.0
"""Time constant of the smoothing: what happened that long ago counts a third as much."""

_FIRST_SECONDS = 3.0
"""Nothing is said before: the first file says little about the others."""

_STEP_SECONDS = 0.5


class Estimate:
    """A smoothed rate of work a second (see ``effort``), and the time left that it promises."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew, with the next work."""
        self._started: float | None = None
        self._at = 0.0
        self._done = 0
        self._rate: float | None = None

    def observe(self, done: int, now: float) -> None:
        """Note how far the work is at ``now`` (monotonic seconds)."""
        if self._started is None or done < self._done:
            self.reset()
            self._started, self._at, self._done = now, now, done
            return
        elapsed = now - self._at
        if elapsed < _STEP_SECONDS:
            return
        rate = (done - self._done) / elapsed
        keep = 0.0 if self._rate is None else exp(-elapsed / _MEMORY_SECONDS)
        self._rate = keep * (self._rate or 0.0) + (1 - keep) * rate
        self._at, self._done = now, done

    def rest(self, now: float) -> None:
        """The work stands still: the time until it goes on again doesn't count."""
        self._at = now

    def seconds_left(self, left: float, now: float) -> float | None:
        """Return the seconds that ``left`` will take, None while nothing can be said."""
        if self._started is None or now - self._started < _FIRST_SECONDS or not self._rate:
            return None
        return max(0.0, left) / self._rate
