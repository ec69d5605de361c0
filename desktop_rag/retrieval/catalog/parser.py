"""From a question to a query of the catalog, or to none: in doubt, none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from desktop_rag.domain.catalog import CatalogAction, CatalogQuery, DateMeaning, DateRange, Mention
from desktop_rag.foundation.language import CHINESE as CHINESE_LANGUAGE
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.catalog import chinese_dates, english_dates
from desktop_rag.retrieval.catalog.chinese import CHINESE
from desktop_rag.retrieval.catalog.english import ENGLISH
from desktop_rag.retrieval.catalog.grammar import Grammar, Piece, unquoted
from desktop_rag.retrieval.catalog.nouns import NOUN_BY_KEY
from desktop_rag.retrieval.filter_expression import split_question

_LONGEST = 200
"""Characters; questions about the library are short."""

_ONCE = "DAFPhio"
_SEVERAL = 5
"""How many the newest files are, when no number is said."""

_OR = re.compile(r"\s+or\s+|\s*(?:或者|或是|或)\s*", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+|\s*(?:以及|并且|和|及|、)\s*", re.IGNORECASE)
_BOTH = re.compile(r"(?:both|either)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^\s*(?:the|an?|any)\s+", re.IGNORECASE)
_NUMBERS: Mapping[str, Callable[[str], int]] = {
    "en": english_dates.number,
    "zh": chinese_dates.number,
}


class CatalogQuestions:
    """Understands questions about the library, in English and Chinese.

    Args:
        today: the day that "last week" is seen from.
    """

    def __init__(self, today: Callable[[], date] = date.today) -> None:
        self._today = today

    def parse(self, question: str) -> CatalogQuery | None:
        """Return what is asked of the library, None where that is not certain.

        Conditions typed as ``type:pdf`` are left out; where there is nothing else, the
        files that they leave are to be listed.
        """
        words, condition = split_question(question)
        if not words.strip():
            return None if condition is None else CatalogQuery(CatalogAction.LIST)
        if len(words) > _LONGEST:
            return None
        language = "zh" if language_of(words) == CHINESE_LANGUAGE else "en"
        grammar: Grammar = CHINESE if language == "zh" else ENGLISH
        queries = (
            _query(pieces, self._today(), _NUMBERS[language]) for pieces in grammar.readings(words)
        )
        return next((query for query in queries if query is not None), None)


def _query(
    pieces: Sequence[Piece], today: date, number: Callable[[str], int]
) -> CatalogQuery | None:
    """Return the query that pieces make, None where they don't go together."""
    by_letter: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_letter.setdefault(piece.letter, []).append(piece)
    dates = _dates(by_letter, today)
    if not _goes_together(by_letter, dates):
        return None
    noun = next((piece.rule.data for piece in pieces if piece.letter in "ds"), "")
    return CatalogQuery(
        action=_action(by_letter),
        kind=next((piece.rule.data for piece in pieces if piece.letter in "kKL"), ""),
        noun=noun,
        nouns=NOUN_BY_KEY[noun].words if noun else (),
        folder=_value(by_letter, "FGY"),
        author=_value(by_letter, "AB"),
        dates=dates,
        meaning=_meaning(by_letter),
        topic=_ARTICLE.sub("", _value(by_letter, "P")),
        mentions=_mentions(_value(by_letter, "M")),
        unread="U" in by_letter,
        most=_most(pieces, number),
    )


def _goes_together(by_letter: Mapping[str, Sequence[Piece]], dates: DateRange | None) -> bool:
    """Whether nothing is said twice, a date is one, and only a mail is from someone."""
    if any(len(by_letter.get(letter, ())) > 1 for letter in _ONCE):
        return False
    if "D" in by_letter and dates is None:
        return False
    kinds = [piece.rule.data for letter in "kKL" for piece in by_letter.get(letter, ())]
    return ("B" not in by_letter or kinds == ["mail"]) and not _is_doubtful_news(by_letter)


def _is_doubtful_news(by_letter: Mapping[str, Sequence[Piece]]) -> bool:
    """Whether this is "what was added", without files, and not seen from today.

    Then it may as well be about something in the documents.
    """
    if any(letter in by_letter for letter in "tukKLdsFGY"):
        return False
    added = by_letter["h"][0].rule.data == DateMeaning.ARRIVED.value
    return not added or by_letter["D"][0].rule.data != english_dates.RELATIVE


def _action(by_letter: Mapping[str, Sequence[Piece]]) -> CatalogAction:
    if by_letter.keys() & {"c", "C"}:
        return CatalogAction.COUNT
    if by_letter.keys() & {"n", "N"} or by_letter.keys() >= {"z", "u"}:
        return CatalogAction.NEWEST
    if by_letter.keys() & {"o", "O"}:
        return CatalogAction.OLDEST
    return CatalogAction.LIST


def _meaning(by_letter: Mapping[str, Sequence[Piece]]) -> DateMeaning:
    how = by_letter.get("h")
    return DateMeaning(how[0].rule.data) if how else DateMeaning.STATED


def _dates(by_letter: Mapping[str, Sequence[Piece]], today: date) -> DateRange | None:
    named = by_letter.get("D")
    if named is None or named[0].rule.read is None:
        return None
    return named[0].rule.read(named[0].groups, today)


def _value(by_letter: Mapping[str, Sequence[Piece]], letters: str) -> str:
    found = (piece.value for letter in letters for piece in by_letter.get(letter, ()))
    return next(found, "")


def _most(pieces: Sequence[Piece], number: Callable[[str], int]) -> int:
    words = (piece.groups.get("most") or piece.groups.get("most2") for piece in pieces)
    found = next((one for one in words if one), None)
    if found is not None:
        return max(1, number(found))
    return _SEVERAL if any(piece.rule.several for piece in pieces) else 1


def _mentions(words: str) -> tuple[Mention, ...]:
    """Return "A or B" as alternatives, "A and B" as what a file must have both of."""
    alternatives = _OR.split(_BOTH.sub("", words, count=1)) if words else []
    split = (
        tuple(words for part in _AND.split(one) if (words := unquoted(_ARTICLE.sub("", part))))
        for one in alternatives
    )
    return tuple(one for one in split if one)
