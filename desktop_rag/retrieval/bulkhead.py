"""A limit on how many calls of a retriever run at the same time."""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass

from desktop_rag.retrieval.protocols import ContentRetriever


@dataclass(slots=True, eq=False)
class Place:
    """The right of one call to run; ``given_up`` once nobody waits for it any longer."""

    kind: type
    given_up: bool = False


class Bulkhead:
    """Gives each kind of retriever so many places, for all questions together. Thread-safe.

    Where there are more threads than places, a retriever that hangs cannot take all of them:
    the calls behind it wait for a place and not in a thread, and once every place is held by
    a call that was given up, further ones are refused until one of those ends.

    Args:
        most: places of each kind, > 0.

    Raises:
        ValueError: ``most`` is not positive.
    """

    def __init__(self, most: int) -> None:
        if most <= 0:
            raise ValueError(f"most must be greater than 0, not {most}")
        self._most = most
        self._lock = threading.Lock()
        self._taken: defaultdict[type, set[Place]] = defaultdict(set)

    def enter(self, retriever: ContentRetriever) -> Place | None:
        """Return a place for a call, None while all are taken."""
        with self._lock:
            taken = self._taken[type(retriever)]
            if len(taken) >= self._most:
                return None
            place = Place(type(retriever))
            taken.add(place)
            return place

    def leave(self, place: Place) -> None:
        """Give a place back when its call has ended."""
        with self._lock:
            self._taken[place.kind].discard(place)

    def is_shut(self, retriever: ContentRetriever) -> bool:
        """Whether all places are held by calls that were given up."""
        with self._lock:
            taken = self._taken[type(retriever)]
            return len(taken) >= self._most and all(place.given_up for place in taken)
