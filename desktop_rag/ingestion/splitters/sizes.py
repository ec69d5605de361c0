"""How large segments and their parents are, and counting text in a model's tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

_CACHE_ENTRIES = 100_000
_LONGEST_WORD = 100
"""WordPiece gives one unknown token for a word of more characters than this."""

_LONG_WORD = re.compile(rf"\w{{{_LONGEST_WORD + 1}}}")

_CHARACTERS_PER_TOKEN = 4
"""What a word too long for the vocabulary counts for, as if it had been cut up."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_PIECE = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|[^\w\s]")
"""BERT's own first cut: Han characters and punctuation stand alone, other words are
whole. So the tokens of a text are the sum over its pieces, and pieces repeat."""


@dataclass(frozen=True, slots=True)
class SegmentSizes:
    """Sizes in the model's tokens, without special tokens and context line.

    Args:
        target: what segments aim at; none is half as long again. With title and heading
            before it, the model then reads about 100 tokens. Vector search alone, nDCG@10,
            targets 100 / 72 / 64: squad2_dev_half (700 questions) .854 / .883 / .893, cran
            .527 / .531 / .524, med .805 / .808 / .805, xquad_zh .902 / .920 / .932,
            cmrc2018 .962 / .973 / .973. Shorter ones cost hardly more tokens.
        parent: what their parents aim at.

    Raises:
        ValueError: a size is out of its range.
    """

    target: int = 64
    parent: int = 450

    def __post_init__(self) -> None:
        if not 16 <= self.target <= 200:
            raise ValueError(f"target must be between 16 and 200, not {self.target}")
        if self.parent < self.target:
            raise ValueError(f"parent must be at least target ({self.target}), not {self.parent}")

    @property
    def longest(self) -> int:
        """The longest segment, far below any model's limit."""
        return self.target * 3 // 2

    @property
    def longest_parent(self) -> int:
        """The longest parent."""
        return max(self.longest, self.parent * 4 // 3)


class TextCounter(Protocol):
    """Counts texts in a model's own tokens, special ones not counted."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""
        ...

    def count_all(self, texts: Sequence[str]) -> list[int]:
        """Return ``count`` of each text."""
        ...


class SizeCounter:
    """Counts tokens word by word, remembering each word's count.

    It agrees with the model's tokenizer on ASCII, and but for one or two tokens around
    symbols elsewhere, at a tenth of the cost.
    """

    def __init__(self, counter: TextCounter) -> None:
        self._counter = counter
        self._known: dict[str, int] = {}

    def exact(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text as the model's tokenizer counts them."""
        doubtful = [text for text in texts if not text.isascii() or _LONG_WORD.search(text)]
        counted = iter(self._counter.count_all(doubtful) if doubtful else ())
        certain = set(texts).difference(doubtful)
        return [self.count(text) if text in certain else next(counted) for text in texts]

    def count(self, text: str) -> int:
        """Return the size of ``text`` in tokens."""
        known = self._known
        total = 0
        for piece in _PIECE.findall(text):
            size = known.get(piece)
            total += self._learn(piece) if size is None else size
        return total

    def _learn(self, piece: str) -> int:
        if len(piece) > _LONGEST_WORD:
            return -(-len(piece) // _CHARACTERS_PER_TOKEN)
        if len(self._known) >= _CACHE_ENTRIES:
            self._known.clear()
        size = self._known[piece] = self._counter.count(piece)
        return size


SizeCounters = Mapping[str, SizeCounter]
"""A counter by language ("en", "zh")."""
