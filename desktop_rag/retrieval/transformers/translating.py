"""A question's words in the other language, so that files in it are found as well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from desktop_rag.domain.query import Query
from desktop_rag.foundation.language import CHINESE, ENGLISH, language_of
from desktop_rag.text.dictionary import Meanings
from desktop_rag.text.translation import joined, translated

_LONGEST = 400
"""Characters of a question; a pasted page is found by what it has in common."""


class Dictionary(Protocol):
    """Knows what words mean in the other language."""

    def meanings(self, words: Iterable[str]) -> Meanings:
        """Return what each word means, unknown ones left out."""
        ...


class TermStore(Protocol):
    """Knows the words of the library."""

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return how often each term is there, 0 for nowhere."""
        ...


class TranslatingQueryTransformer:
    """Notes a question's translation, word by word, where the library has its language.

    Retrievers and scoring models take it for passages in that language; the question stays
    one query. So nothing changes for a library in one language, and in a library of both,
    questions in the language of their answers lose nothing (squad2_dev_half among the
    passages of cmrc2018: nDCG@10 .926 without and .930 with it; the other way .996 and .996),
    while those in the other are found: xquad_en2zh among squad2_dev_half .26 and .69.

    Args:
        dictionary: what words mean.
        store: the words of the library; of several meanings it decides.
        languages: the languages that there are passages in.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        store: TermStore,
        languages: Callable[[], Collection[str]],
    ) -> None:
        self._dictionary = dictionary
        self._store = store
        self._languages = languages

    def transform(self, query: Query) -> list[Query]:
        """Return the query alone, with its translation where it has one."""
        language = language_of(query.text)
        other = ENGLISH if language == CHINESE else CHINESE
        if other not in self._languages() or len(query.text) > _LONGEST:
            return [query]
        words = translated(
            query.text, language, self._dictionary.meanings, self._store.term_frequencies
        )
        text = joined(words, other)
        return [replace(query, translations=((other, text),)) if text else query]
