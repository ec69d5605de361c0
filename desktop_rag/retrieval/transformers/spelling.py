"""Words that are nowhere in the library, near one that is: both are searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.transformers.edits import edits
from desktop_rag.retrieval.wording import spelling_note
from desktop_rag.text.analysis import analyse
from desktop_rag.text.stopwords import ENGLISH_STOP_WORDS

_LETTERS = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_WORD = re.compile(
    rf"(?<![{_LETTERS}\d_@./\\'’-])[{_LETTERS}]{{4,}}(?![{_LETTERS}\d_@'’-]|[./\\]\w)"
)
"""A word of Latin letters that stands alone: no part of an identifier, address or path."""

_ANY_WORD = re.compile(rf"[{_LETTERS}]+")

_TWO_EDITS_FROM = 9
"""Words so long may have two slips; shorter ones have other words within two."""

_OTHER_FIRST_FROM = 5
"""Words so long may have a slip in the first letter, which few people make."""

_MOST_WORDS = 3
_LONGEST = 40
"""Words of a question; a longer one is found by its other words."""

_LOOKED_AT = 20
_TRIED = 5
_LEAST_STEM = 4
_LONGEST_ENDING = 6
_SAME = 2
"""Letters in which a word and another's stem must begin alike: that keeps it below 5 ms."""


class WordStore(Protocol):
    """Knows the words of the library."""

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return how often each term is there, 0 for nowhere."""
        ...

    def terms_beginning(self, prefix: str) -> Sequence[tuple[str, int]]:
        """Return the terms that begin so, with their frequencies."""
        ...

    def texts_like(self, term: str, edits: int, k: int) -> Sequence[str]:
        """Return texts with a term so many edits away."""
        ...

    def texts_having(self, terms: Sequence[str], k: int) -> Sequence[str]:
        """Return the best texts for terms."""
        ...


class SpellingQueryTransformer:
    """Searches a question also as it was probably meant.

    A word is taken for misspelt when the library has it nowhere, no dictionary knows it,
    and a word of the library is one slip away, or two where it is long. The nearest one
    wins, then the most frequent one; one that begins with the same letter before all
    others. Words of other scripts, in capitals or with digits are left alone.

    Args:
        store: the words of the library.
        is_word: whether a word is known to be well spelt.
    """

    def __init__(self, store: WordStore, is_word: Callable[[str], bool]) -> None:
        self._store = store
        self._is_word = is_word

    def transform(self, query: Query) -> list[Query]:
        """Return the query, and behind it the corrected one if there is one."""
        if len(query.text.split()) > _LONGEST:
            return [query]
        meant: dict[str, str] = {}
        for word in self._unknown(query.text):
            correction = self._correction(word)
            if correction:
                meant[word] = correction
        if not meant:
            return [query]
        text = _WORD.sub(lambda found: meant.get(found.group(), found.group()), query.text)
        note = spelling_note(query.text, list(meant.items()))
        return [query, Query(text, query.context, note)]

    def _unknown(self, text: str) -> list[str]:
        words = [word for word in dict.fromkeys(_WORD.findall(text)) if not word.isupper()]
        terms = {word: analyse(word) for word in words}
        known = self._store.term_frequencies(term for own in terms.values() for term in own)
        unknown = (
            word
            for word in words
            if word.lower() not in ENGLISH_STOP_WORDS
            and terms[word]
            and not any(known[term] for term in terms[word])
            and not self._is_word(word)
        )
        return [word for word, _ in zip(unknown, range(_MOST_WORDS), strict=False)]

    def _correction(self, word: str) -> str:
        """Return the word that is meant, "" where there is none.

        Terms are stems, which tell less apart than words: those near are compared as written.
        """
        [term, *_] = analyse(word)
        most = 2 if len(word) >= _TWO_EDITS_FROM else 1
        others = self._store.terms_beginning(term[0])
        found = self._meant(word, _nearest(term, others, most), most)
        if not found:
            found = self._meant(word, _nearest_stems(word.lower(), others, most), most)
        if not found and len(word) >= _OTHER_FIRST_FROM:
            found = self._meant(word, _nearest(term, self._terms_like(term), 1), 1)
        return found.lower() if word.islower() else found[:1].upper() + found[1:]

    def _terms_like(self, term: str) -> Sequence[tuple[str, int]]:
        texts = self._store.texts_like(term, 1, _LOOKED_AT)
        words = {word for text in texts for word in _ANY_WORD.findall(text)}
        terms = {one for word in words for one in analyse(word)}
        return list(self._store.term_frequencies(terms).items())

    def _meant(self, word: str, near: Iterable[str], most: int) -> str:
        """Return the nearest word as written, the more frequent one first."""
        written = [self._as_written(one, word) for one in near]
        close = [(_distance(word, one, most), one) for one in written if one]
        best = min(close, key=lambda pair: pair[0], default=(most + 1, ""))
        return best[1] if best[0] <= most else ""

    def _as_written(self, term: str, word: str) -> str:
        """Return the word of the library's texts that has a term and is nearest, or ""."""
        written = {
            one
            for text in self._store.texts_having([term], _LOOKED_AT)
            for one in _ANY_WORD.findall(text)
            if analyse(one) == [term]
        }
        return min(written, key=lambda one: (_distance(word, one, len(word)), one), default="")


def _distance(word: str, other: str, most: int) -> int:
    """Return the edits between two words, an "s" at the end of one of them not counted."""
    one, two = word.lower(), other.lower()
    return min(
        edits(one, two, most),
        edits(one.removesuffix("s"), two, most),
        edits(one, two.removesuffix("s"), most),
    )


def _nearest(term: str, others: Iterable[tuple[str, int]], most: int) -> list[str]:
    """Return the few terms within so many edits, by edits, then the most frequent first."""
    near = ((edits(term, other, most), -count, other) for other, count in others)
    return _best(near, most)


def _nearest_stems(word: str, others: Iterable[tuple[str, int]], most: int) -> list[str]:
    """Return the few terms near the beginning of a word, whose own stem a slip has spoilt."""
    near = (
        (min(edits(word[:end], other, most) for end in _ends(word, other)), -count, other)
        for other, count in others
        if other.startswith(word[:_SAME]) and _shortest(word) <= len(other) < len(word)
    )
    return _best(near, most)


def _shortest(word: str) -> int:
    return max(_LEAST_STEM, len(word) - _LONGEST_ENDING)


def _ends(word: str, stem: str) -> range:
    return range(len(stem) - 1, min(len(stem) + 1, len(word)) + 1)


def _best(near: Iterable[tuple[int, int, str]], most: int) -> list[str]:
    close = sorted(one for one in near if one[0] <= most and one[2].isalpha())
    return [other for _, _, other in close[:_TRIED]]
