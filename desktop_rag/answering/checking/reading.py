"""A text as the check reads it: its terms where they stand, and its facts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from desktop_rag.answering.checking.dates import dates_in
from desktop_rag.answering.checking.facts import Fact, FactKind, free_of
from desktop_rag.answering.checking.names import names_in
from desktop_rag.answering.checking.numbers import numbers_in
from desktop_rag.text.analysis import analyse
from desktop_rag.text.folding import fold_for_keywords
from desktop_rag.text.stopwords import CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS

_CODE = r"(?=[A-Za-z0-9_/-]*\d)(?=[A-Za-z0-9_/-]*[A-Za-z])[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)+"
_PIECE = re.compile(
    rf"\n\s*\n|{_CODE}|[\u3400-\u4dbf\u4e00-\u9fff]"
    r"|[^\W_\u3400-\u4dbf\u4e00-\u9fff]+(?:['’][^\W_]+)*|[^\w\s]"
)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_HAN_STEP = 0.5
"""A Chinese character is about half a word."""

_CLAUSE_STEP = 2.0
_SENTENCE_STEP = 8.0
_CLAUSE = frozenset(",;:()，；：、（）—–")
_SENTENCE = frozenset(".!?。！？")


@dataclass(frozen=True, slots=True)
class Term:
    """A term with its distance in words from the beginning; marks lie between words too."""

    term: str
    at: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text's terms in order, without stop words, and its facts; positions are of ``text``."""

    text: str
    terms: tuple[Term, ...]
    facts: tuple[Fact, ...]

    @property
    def words(self) -> frozenset[str]:
        """All terms."""
        return frozenset(one.term for one in self.terms)

    @property
    def plain(self) -> frozenset[str]:
        """All terms but those of numbers and dates, which have many forms."""
        apart = [one for one in self.facts if one.kind is not FactKind.NAME]
        return frozenset(
            one.term for one in self.terms if free_of(apart, one.start, max(one.start + 1, one.end))
        )

    def place(self, fact: Fact) -> float:
        """Return where a fact stands, in the terms' distances."""
        near = [one.at for one in self.terms if one.start >= fact.start and one.end <= fact.end]
        if near:
            return sum(near) / len(near)
        behind = [one.at for one in self.terms if one.end <= fact.start]
        return behind[-1] + 1.0 if behind else 0.0


def read_text(text: str) -> ReadText:
    """Read a text; compatibility forms (full-width figures) count as the usual ones."""
    usual = unicodedata.normalize("NFKC", text)
    return ReadText(usual, tuple(_terms(usual)), tuple(facts_in(usual)))


def facts_in(text: str) -> list[Fact]:
    """Return numbers, dates and names in order; none lies within another of another kind."""
    found = list(dates_in(text))
    names = [one for one in names_in(text) if free_of(found, one.start, one.end)]
    codes = [one for one in names if any(map(str.isdigit, text[one.start : one.end]))]
    found += codes
    for one in numbers_in(text):
        if free_of(found, one.start, one.end):
            found.append(one)
    numbers = [one for one in found if one.kind is not FactKind.NAME]
    found += [one for one in names if one not in codes and free_of(numbers, one.start, one.end)]
    return sorted(found, key=lambda one: one.start)


def _terms(text: str) -> Iterator[Term]:
    at = 0.0
    pieces = list(_PIECE.finditer(text))
    for piece, following in pairwise([*pieces, None]):
        if piece is None:
            continue
        written = piece.group()
        if written.isspace():
            at += _SENTENCE_STEP
        elif _HAN.match(written):
            at += _HAN_STEP
            yield from _of_character(piece, following, at)
        elif written[0].isalnum():
            at += 1.0
            for term in _of_word(written):
                if term not in ENGLISH_STOP_WORDS and written.lower() not in ENGLISH_STOP_WORDS:
                    yield Term(term, at, *piece.span())
        else:
            at += (
                _SENTENCE_STEP
                if written in _SENTENCE
                else _CLAUSE_STEP
                if written in _CLAUSE
                else 0.0
            )


def _of_word(written: str) -> list[str]:
    """Return a word's terms; of a code the whole alone, for its parts are others' too."""
    terms = list(dict.fromkeys(analyse(written)))
    return terms[-1:] if re.fullmatch(_CODE, written) else terms


def _of_character(
    piece: re.Match[str], following: re.Match[str] | None, at: float
) -> Iterator[Term]:
    """Yield the pair that begins with a Chinese character."""
    if (
        following is None
        or not _HAN.match(following.group())
        or following.start() > piece.end() + 1
    ):
        return
    pair = fold_for_keywords(piece.group() + following.group())
    if not CHINESE_STOP_CHARACTERS.issuperset(pair):
        yield Term(pair, at, piece.start(), following.end())
