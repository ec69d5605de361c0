"""Paths where something happened, held back until they have come to rest."""

from __future__ import annotations

from dataclasses import dataclass

QUIET_SECONDS = 0.5
"""A path is looked at when nothing was heard of it for so long: longer than the pauses
of a program that writes a file in slices, short enough to find an edit within 2 s."""

PATIENCE_SECONDS = 15.0
"""A path that never rests is looked at all the same after so long."""


@dataclass(slots=True)
class _Noise:
    first: float
    last: float
    folder: bool = False

    @property
    def due(self) -> float:
        return min(self.last + QUIET_SECONDS, self.first + PATIENCE_SECONDS)


class SettlingPaths:
    """Coalesces what is heard of a path; times are monotonic seconds. Not thread-safe."""

    def __init__(self) -> None:
        self._noises: dict[tuple[int, str], _Noise] = {}

    def note(self, source_id: int, relpath: str, folder: bool, now: float) -> None:
        """Something happened at a path of a source, a folder or a file."""
        noise = self._noises.setdefault((source_id, relpath), _Noise(now, now))
        noise.last = now
        noise.folder |= folder

    def take_due(self, now: float) -> dict[int, dict[str, bool]]:
        """Return and forget the paths at rest, by source; True for what was a folder."""
        due: dict[int, dict[str, bool]] = {}
        for key in [key for key, noise in self._noises.items() if noise.due <= now]:
            noise = self._noises.pop(key)
            due.setdefault(key[0], {})[key[1]] = noise.folder
        return due

    def next_due(self) -> float | None:
        """When the first path will be at rest if nothing more is heard; None without any."""
        return min((noise.due for noise in self._noises.values()), default=None)

    def holds(self, source_id: int, relpath: str) -> bool:
        """Whether a path has not come to rest yet."""
        return (source_id, relpath) in self._noises

    def __len__(self) -> int:
        return len(self._noises)
