"""A small grammar: a question is cut into pieces, all of it, and their order must make sense.

Nothing is skipped. A question with a word that no rule knows is none about the library,
which is what keeps questions about what the documents say from being taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from desktop_rag.domain.catalog import DateRange

ReadDate = Callable[[Mapping[str, str], date], DateRange | None]
"""Makes a range of a match's named groups and today; None where there is no such date."""

_MOST_STEPS = 20_000
"""Rules that are tried for one question, some 10 ms; real questions need a few hundred."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of piece: ``letter`` stands for it in the patterns of sentences.

    A piece matches ``before``. With ``after`` it holds a value too, as short as the rest
    allows, that ends where ``after`` matches; ``accept`` says whether it can be one.
    ``data`` is what the piece means where its words don't say it, ``read`` its date,
    ``several`` whether more than one file is asked for.
    """

    letter: str
    before: re.Pattern[str]
    after: re.Pattern[str] | None = None
    data: str = ""
    accept: Callable[[str], bool] = bool
    read: ReadDate | None = None
    several: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a question, with the named groups of its match and its value."""

    rule: Rule
    groups: Mapping[str, str] = field(default_factory=dict)
    value: str = ""

    @property
    def letter(self) -> str:
        """The rule's letter."""
        return self.rule.letter


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language's rules, in the order in which they are tried, and its sentences.

    ``sentences`` match the letters of a whole question, those in ``fillers`` left out.
    ``between`` is what may stand between two pieces, ``hint`` a word that every question
    about the library has, ``courtesies`` what is cut off around it.
    """

    rules: Sequence[Rule]
    sentences: re.Pattern[str]
    fillers: str
    between: re.Pattern[str]
    hint: re.Pattern[str]
    courtesies: re.Pattern[str]

    def readings(self, question: str) -> Iterator[tuple[Piece, ...]]:
        """Yield the ways to cut a question into pieces that make a sentence."""
        text = self.courtesies.sub("", question.strip())
        if self.hint.search(text) is None:
            return
        for pieces in _Cutting(self, text).from_(0):
            if self.sentences.fullmatch(_letters(pieces, self.fillers)):
                yield tuple(piece for piece in pieces if piece.letter not in self.fillers)


class _Cutting:
    """Cuts one text, within a number of steps."""

    def __init__(self, grammar: Grammar, text: str) -> None:
        self._grammar = grammar
        self._text = text
        self._steps = _MOST_STEPS
        self._dead: set[int] = set()

    def from_(self, at: int) -> Iterator[tuple[Piece, ...]]:
        """Yield all ways to cut what begins at ``at``."""
        if at == len(self._text):
            yield ()
            return
        if at in self._dead:
            return
        leads_on = False
        for rule in self._grammar.rules:
            for piece, end in self._pieces(rule, at):
                for others in self.from_(self._next(end)):
                    leads_on = True
                    yield (piece, *others)
        if not leads_on:
            self._dead.add(at)

    def _next(self, end: int) -> int:
        found = self._grammar.between.match(self._text, end)
        return end if found is None else found.end()

    def _pieces(self, rule: Rule, at: int) -> Iterator[tuple[Piece, int]]:
        self._steps -= 1
        found = None if self._steps < 0 else rule.before.match(self._text, at)
        if found is None:
            return
        groups = {name: words for name, words in found.groupdict().items() if words}
        if rule.after is None:
            if found.end() > at:
                yield Piece(rule, groups), found.end()
            return
        for end in rule.after.finditer(self._text, found.end() + 1):
            value = self._text[found.end() : end.start()]
            if rule.accept(unquoted(value)):
                yield Piece(rule, groups, unquoted(value)), end.end()


_QUOTES = "\"'“”‘’「」『』《》«»"


def unquoted(value: str) -> str:
    """Return a value without white space and quotation marks around it."""
    return value.strip().strip(_QUOTES).strip()


def _letters(pieces: Sequence[Piece], fillers: str) -> str:
    return "".join(piece.letter for piece in pieces if piece.letter not in fillers)
