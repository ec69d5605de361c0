"""What is to be looked at next: what was asked for, what came to rest, what is due again."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass

from desktop_rag.ingestion.settling import SettlingPaths
from desktop_rag.ingestion.survey import Paths
from desktop_rag.ingestion.tally import Tally

_SHORTEST_WAIT = 0.05
"""So that many paths that come to rest one after the other are looked at together."""


@dataclass(frozen=True, slots=True)
class Look:
    """A request to compare parts of sources with the store.

    ``spots`` maps source ids to paths in them; None: all sources, whole, as they are when
    the look is asked for. ``heard``: it comes from the watcher, so that what is new may still
    be in the making.
    """

    spots: dict[int, Paths] | None = None
    urgent: bool = False
    heard: bool = False
    tally: Tally | None = None


class Agenda:
    """Thread-safe; one thread takes looks and tells when each is done."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._looks: deque[Look] = deque()
        self._postponed: list[tuple[float, Look]] = []
        self._settling = SettlingPaths()
        self._tick_at: float | None = None
        self._busy = False
        self._closed = False

    def add(self, look: Look) -> None:
        """Ask for a look."""
        with self._changed:
            self._looks.append(look)
            self._changed.notify_all()

    def postpone(self, look: Look, seconds: float) -> None:
        """Ask for a look in a while."""
        with self._changed:
            self._postponed.append((time.monotonic() + seconds, look))
            self._changed.notify_all()

    def hasten(self) -> None:
        """Let postponed looks be made now."""
        with self._changed:
            self._looks.extend(look for _, look in self._postponed)
            self._postponed.clear()
            self._changed.notify_all()

    def note(self, source_id: int, relpath: str, folder: bool) -> None:
        """Something happened at a path; it is looked at when it has come to rest."""
        with self._changed:
            was_quiet = not len(self._settling)
            self._settling.note(source_id, relpath, folder, time.monotonic())
            if was_quiet:
                self._changed.notify_all()

    def is_restless(self, source_id: int, relpath: str) -> bool:
        """Whether something has just happened at a path, so that it will be looked at soon."""
        with self._changed:
            return self._settling.holds(source_id, relpath)

    def tick_at(self, when: float | None) -> None:
        """Set when ``take`` returns an empty look at the latest (monotonic seconds)."""
        with self._changed:
            self._tick_at = when
            self._changed.notify_all()

    def take(self) -> Look | None:
        """Wait for the next look; one with empty ``spots`` is a tick; None once closed."""
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                look = self._due(now)
                if look is not None:
                    self._busy = True
                    return look
                self._changed.wait(self._wait_seconds(now))
        return None

    def done(self) -> None:
        """The look that was taken is over."""
        with self._changed:
            self._busy = False
            self._changed.notify_all()

    @property
    def settled(self) -> bool:
        """Whether nothing is to be looked at."""
        with self._changed:
            return self._is_settled()

    @property
    def scanning(self) -> bool:
        """Whether a look is being made or was asked for."""
        with self._changed:
            return self._busy or bool(self._looks)

    def wait_settled(self, timeout: float | None = None) -> bool:
        """Wait until nothing is to be looked at; False if the time is over first."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._is_settled(), timeout)
            return self._is_settled()

    def close(self) -> None:
        """Give no more looks."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _is_settled(self) -> bool:
        return not (self._busy or self._looks or self._postponed or len(self._settling))

    def _due(self, now: float) -> Look | None:
        if self._looks:
            return self._looks.popleft()
        for entry in self._postponed:
            if entry[0] <= now:
                self._postponed.remove(entry)
                return entry[1]
        spots = self._settling.take_due(now)
        if spots:
            return Look({**spots}, urgent=True, heard=True)
        if self._tick_at is not None and now >= self._tick_at:
            return Look({})
        return None

    def _wait_seconds(self, now: float) -> float | None:
        times = [when for when, _ in self._postponed]
        times += [when for when in (self._settling.next_due(), self._tick_at) if when is not None]
        return max(_SHORTEST_WAIT, min(times) - now) if times else None
