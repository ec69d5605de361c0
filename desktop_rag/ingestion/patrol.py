"""Decides which sources are looked at again although nothing was heard of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from desktop_rag.domain.files import Source, SourceState
from desktop_rag.ingestion.listing import folder_of
from desktop_rag.ingestion.watcher import OnChange, Watcher, watches_exhausted

TICK_SECONDS = 10.0
"""How often the roots are asked for. Nothing at all happens in between."""

_RECONCILE_SECONDS = 300.0
"""A watched source is looked at this often, for what the system failed to tell."""

_RESTFUL = 500.0
"""A look from time to time takes at most a five-hundredth of the time in between; where a
source is not watched, a twentieth."""

_POLLING = 20.0
_BURST = 200
"""So many events at once may have been more than the system's queue holds."""


@dataclass(slots=True)
class _Post:
    """What is known of one source's watching."""

    source: Source
    watched: bool
    reason: str
    root: tuple[int, int] | None
    looked_at: float
    seconds: float = 0.0
    heard: int = 0

    def due(self, now: float) -> bool:
        if self.heard >= _BURST:
            return True
        if self.watched:
            pause = max(_RECONCILE_SECONDS, _RESTFUL * self.seconds)
        else:
            pause = max(TICK_SECONDS, _POLLING * self.seconds)
        return now - self.looked_at >= pause


class Patrol:
    """Watches sources where that can be, and says when to look at which again.

    Used by the upkeep's thread alone, but for ``heard``.

    Args:
        on_change: told where something may have changed, from the watching thread.
    """

    def __init__(self, on_change: OnChange) -> None:
        self._watcher = Watcher(on_change)
        self._posts: dict[int, _Post] = {}
        self._next_tick = time.monotonic() + TICK_SECONDS

    def follow(self, sources: Iterable[Source]) -> None:
        """Watch these sources and no others."""
        present = {source.id: source for source in sources}
        for source_id in self._posts.keys() - present.keys():
            self._watcher.unwatch(source_id)
            del self._posts[source_id]
        for source in present.values():
            post = self._posts.get(source.id)
            if post is None or post.source.path != source.path:
                self._posts[source.id] = self._post(source)
            else:
                post.source = source

    def heard(self, source_id: int) -> None:
        """Count an event of a source."""
        post = self._posts.get(source_id)
        if post is not None:
            post.heard += 1

    def looked(self, source_ids: Mapping[int, float]) -> None:
        """Sources were looked at as a whole; the values are the seconds that it took."""
        now = time.monotonic()
        for source_id, seconds in source_ids.items():
            post = self._posts.get(source_id)
            if post is not None:
                post.looked_at, post.seconds, post.heard = now, seconds, 0

    @property
    def next_tick(self) -> float:
        """When ``tick`` is to be called next (monotonic seconds)."""
        return self._next_tick

    def tick(self) -> list[int]:
        """Return the sources to look at now."""
        now = time.monotonic()
        self._next_tick = now + TICK_SECONDS
        deaf = {source.id for source in self._watcher.deaf()}
        return [
            source_id
            for source_id, post in list(self._posts.items())
            if self._is_strange(post, source_id in deaf) or post.due(now)
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about sources whose changes are noticed late."""
        return tuple(
            f"Changes in “{os.path.basename(post.source.path) or post.source.path}” are noticed "
            f"after {round(max(TICK_SECONDS, _POLLING * post.seconds))} seconds or more, "
            f"because {post.reason}."
            for post in list(self._posts.values())
            if not post.watched and post.source.state is SourceState.AVAILABLE
        )

    def close(self) -> None:
        """End all watching."""
        self._watcher.close()
        self._posts.clear()

    def _is_strange(self, post: _Post, deaf: bool) -> bool:
        """Whether the root went, came, or is another folder than the one that is watched."""
        root = _identity(folder_of(post.source))
        if root == post.root and not (deaf and root is not None):
            return False
        self._posts[post.source.id] = self._post(post.source)
        return True

    def _post(self, source: Source) -> _Post:
        folder = folder_of(source)
        root = _identity(folder)
        watched = root is not None and self._watcher.watch(source)
        reason = "the system tells of no changes there"
        if watched and watches_exhausted(folder):
            watched, reason = False, "the system can watch no more folders"
        return _Post(source, watched, reason, root, time.monotonic())


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
