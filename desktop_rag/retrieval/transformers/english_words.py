"""Whether a word is well spelt English, by the vocabulary of the English model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

_ENDINGS = (
    *(("s", ""), ("es", ""), ("es", "e"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")),
    *(("er", ""), ("er", "e"), ("ers", ""), ("ers", "e"), ("ly", ""), ("ally", ""), ("ies", "y")),
    *(("ied", "y"), ("ness", ""), ("able", ""), ("able", "e"), ("ative", "y"), ("ative", "e")),
    *(("", "s"), ("", "ed"), ("e", "ing"), ("", "ing"), ("", "ly"), ("", "al"), ("", "ation")),
)
"""What a word ends with, and what its relatives have in its place."""

_BEGINNINGS = ("un", "re", "non", "pre", "over", "under", "mis", "dis", "in", "im", "sub", "inter")
_LEAST_REST = 4


class TokenCounter(Protocol):
    """Counts a model's tokens."""

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        ...


class EnglishWords:
    """Knows the 21,000 words that are one token each, and their relatives.

    Args:
        counter: of a model with an English WordPiece vocabulary; upper and lower case alike.
    """

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter

    def has(self, word: str) -> bool:
        """Return whether the word or a near relative of it is in the vocabulary."""
        lower = word.lower()
        return any(self._counter.count(one) == 1 for one in _relatives(lower))


def _relatives(word: str) -> Iterator[str]:
    yield word
    for beginning in ("", *_BEGINNINGS):
        rest = word.removeprefix(beginning)
        if beginning and rest == word:
            continue
        if len(rest) >= _LEAST_REST:
            yield rest
            yield from _inflected(rest)


def _inflected(word: str) -> Iterator[str]:
    for ending, other in _ENDINGS:
        stem = word.removesuffix(ending)
        if word.endswith(ending) and len(stem) >= _LEAST_REST - 1:
            yield stem + other
            doubled = ending and not other and stem[-1] == stem[-2]
            if doubled:
                yield stem[:-1]
