"""Finding words in a text, whatever their case, and counting them."""

from __future__ import annotations

from dataclasses import dataclass

_MOST_COUNTED = 10_000


@dataclass(frozen=True, slots=True)
class Found:
    """One place of some words: ``[start, end)`` in code points; the ``number``-th of ``count``.

    ``number`` is 0 where they are too many to be counted.
    """

    start: int
    end: int
    number: int
    count: int


class TextSearch:
    """Looks through one text; every place of the last words is known at once."""

    def __init__(self, text: str) -> None:
        folded = text.lower()
        self._folds = len(folded) == len(text)
        self._text = folded if self._folds else text
        self._words = ""
        self._places: list[int] = []

    def find(self, words: str, at: int, backwards: bool = False) -> Found | None:
        """Return the first place at or behind ``at``, or before it; around the end, if needed."""
        wanted = words.lower() if self._folds else words
        if wanted != self._words:
            self._words, self._places = wanted, self._all(wanted)
        if not self._places:
            return None
        if backwards:
            index = max((n for n, place in enumerate(self._places) if place < at), default=-1)
        else:
            index = next((n for n, place in enumerate(self._places) if place >= at), 0)
        start = self._places[index]
        number = index % len(self._places) + 1
        many = len(self._places) >= _MOST_COUNTED
        return Found(start, start + len(wanted), 0 if many else number, len(self._places))

    def _all(self, wanted: str) -> list[int]:
        places: list[int] = []
        at = self._text.find(wanted) if wanted else -1
        while at >= 0 and len(places) < _MOST_COUNTED:
            places.append(at)
            at = self._text.find(wanted, at + len(wanted))
        return places
