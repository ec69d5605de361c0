"""Acronyms and what they stand for in the library's own text: both are searched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.transformers.definitions import long_form
from desktop_rag.retrieval.wording import acronym_note
from desktop_rag.text.analysis import analyse, analyse_query
from desktop_rag.text.stopwords import ENGLISH_STOP_WORDS

_ACRONYM = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Z0-9&]*[A-Z][A-Z0-9&]*[A-Z])([A-Z][A-Z0-9&]{1,5})s?(?![A-Za-z0-9-])"
)
_WORD = re.compile(r"[A-Za-z]+")
_LOOKED_AT = 60
_LONGEST = 40
"""Words of a question; a longer one is found by its other words."""

_MOST_ACRONYMS = 3
_MOST_PHRASES = 4
_WORDS_OF_PHRASE = range(6, 2, -1)
"""Initials of two letters are in every library, and mostly mean something else."""


class AcronymStore(Protocol):
    """Finds texts by their words."""

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return how often each term is there, 0 for nowhere."""
        ...

    def texts_having(self, terms: Sequence[str], k: int) -> Sequence[str]:
        """Return the best texts for terms."""
        ...


class AcronymQueryTransformer:
    """Searches a question with SLA also with "service level agreement", and the other way.

    What an acronym stands for is looked up when it is asked about, in the texts that have
    it; where none defines it, nothing changes.

    Args:
        store: the texts.
    """

    def __init__(self, store: AcronymStore) -> None:
        self._store = store

    def transform(self, query: Query) -> list[Query]:
        """Return the query, and behind it the one with other words for the same."""
        text = query.text
        if len(text.split()) > _LONGEST:
            return [query]
        pairs = [] if _is_shouted(text) else self._long_forms(text)
        other = text
        for acronym, form in pairs:
            other = _replaced(other, acronym, f"{form} ({acronym})")
        if not pairs and (short := self._short_form(text)) is not None:
            phrase, acronym = short
            pairs = [(phrase, acronym)]
            other = text.replace(phrase, f"{phrase} ({acronym})")
        if other == text:
            return [query]
        return [query, Query(other, query.context, acronym_note(text, pairs))]

    def _long_forms(self, text: str) -> list[tuple[str, str]]:
        """Return the question's acronyms with what they stand for, if it doesn't say so."""
        acronyms = list(dict.fromkeys(_ACRONYM.findall(text)))[:_MOST_ACRONYMS]
        known = ((one, self._defined(one)) for one in acronyms)
        said = text.casefold()
        return [(one, form) for one, form in known if form and form.casefold() not in said]

    def _short_form(self, text: str) -> tuple[str, str] | None:
        """Return a phrase of the question and its acronym in the texts."""
        phrases = _phrases(text)
        counts = self._store.term_frequencies(phrases)
        tried = [initials for initials in phrases if counts[initials]][:_MOST_PHRASES]
        for initials in tried:
            phrase, acronym = phrases[initials], initials.upper()
            if re.search(rf"\b{acronym}\b", text):
                continue
            form = self._defined(acronym)
            if form and analyse_query(form) == analyse_query(phrase):
                return phrase, acronym
        return None

    def _defined(self, acronym: str) -> str:
        return long_form(acronym, self._store.texts_having(analyse(acronym)[:1], _LOOKED_AT))


def _is_shouted(text: str) -> bool:
    """Whether all of a sentence is in capitals, so that they tell nothing."""
    return text.isupper() and len(_WORD.findall(text)) > _MOST_ACRONYMS


def _replaced(text: str, acronym: str, words: str) -> str:
    pattern = rf"(?<![A-Za-z0-9-]){re.escape(acronym)}s?(?![A-Za-z0-9-])"
    return re.sub(pattern, lambda _: words, text)


def _phrases(text: str) -> dict[str, str]:
    """Return the phrases of a question by their initials, the longest first."""
    words = list(_WORD.finditer(text))
    found: dict[str, str] = {}
    for size in _WORDS_OF_PHRASE:
        for first in range(len(words) - size + 1):
            part = words[first : first + size]
            ends = {part[0].group().lower(), part[-1].group().lower()}
            whole = text[part[0].start() : part[-1].end()]
            initials = "".join(word.group()[0] for word in part).lower()
            if not ends & ENGLISH_STOP_WORDS and whole.isascii():
                found.setdefault(initials, whole)
    return found
