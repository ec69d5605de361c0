"""Joins parts of a text up to a size, in characters or in a model's tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.embedding.model import TokenCounter

BLANKS = "".join(map(chr, range(0x21)))
"""What Java's ``trim`` takes away; a no-break space stays."""


@dataclass(frozen=True, slots=True)
class TextSize:
    """Sizes in tokens of ``counter``, in characters (code points) without one."""

    counter: TokenCounter | None

    def of(self, text: str) -> int:
        """Return the size of ``text``; what is blank counts its characters."""
        if self.counter is None or not text.strip(BLANKS):
            return len(text)
        return self.counter.count(text)

    @property
    def unit(self) -> str:
        """What is counted."""
        return "characters" if self.counter is None else "tokens"


class SegmentBuilder:
    """The segment being filled: perhaps an overlap with the one before, then parts.

    Args:
        max_size: the most it takes, ``delimiter`` between the parts included.
        sizes: how to measure.
        delimiter: what joins the parts.
    """

    def __init__(self, max_size: int, sizes: TextSize, delimiter: str) -> None:
        self._max_size = max_size
        self._sizes = sizes
        self._delimiter = delimiter
        self._delimiter_size = sizes.of(delimiter)
        self._text: list[str] = []
        self._bound = 0
        self._tails: list[str] = []

    @property
    def tails(self) -> Sequence[str]:
        """The overlap it begins with and the shorter ones it may be cut down to."""
        return self._tails

    @property
    def size(self) -> int:
        """The size of the parts joined."""
        if self._sizes.counter is not None:
            self._bound = self._sizes.of("".join(self._text))
        return self._bound

    @property
    def text(self) -> str:
        """The parts joined, trimmed."""
        return "".join(self._text).strip(BLANKS)

    @property
    def has_news(self) -> bool:
        """Whether it holds more than the overlap that it began with."""
        return self.text != (self._tails[0].strip(BLANKS) if self._tails else "")

    def start(self, tails: Sequence[str]) -> None:
        """Begin again, with the first (the longest) of ``tails`` if there is one."""
        self._tails = list(tails)
        self._text = []
        self._bound = 0
        if self._tails:
            self.append(self._tails[0])

    def has_room(self, part: str) -> bool:
        """Tell whether ``part`` fits after what is there.

        The joined text has at most as many tokens as its parts with the delimiters
        between them, so that it is counted again only where their sum is too much.
        """
        added = self._sizes.of(part) + (self._delimiter_size if self._text else 0)
        if self._bound + added <= self._max_size:
            return True
        return self._sizes.counter is not None and self.size + added <= self._max_size

    def append(self, part: str) -> None:
        """Add ``part``, whether it fits or not."""
        if self._text:
            self._text.append(self._delimiter)
            self._bound += self._delimiter_size
        if part:
            self._text.append(part)
            self._bound += self._sizes.of(part)

    def shorten_for(self, part: str) -> None:
        """Take the overlap's first sentences away until ``part`` fits, if it fits alone."""
        if self._sizes.of(part) > self._max_size:
            return
        while self._tails and not self.has_room(part):
            self.start(self._tails[1:])
