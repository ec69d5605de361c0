"""The terms by which keywords are found: of documents and of questions, in agreement.

* A word gives its stem, by script: English for Latin letters, Russian for Cyrillic, and
  so on. Accents and case make no difference.
* What is joined by punctuation gives its parts and the whole: ``HT-2024-0815`` gives
  ht, 2024, 0815 and ht-2024-0815. Words joined by hyphens are their parts alone; after
  a prefix the joined word too, so that e-mail and email meet. Decimals have no parts.
* Scripts written without spaces give pairs of neighbouring characters and single
  characters; a question gives pairs, and single characters only where one stands alone.
"""

from __future__ import annotations

import itertools
import re
import threading
import unicodedata
from collections.abc import Iterator

import Stemmer

from desktop_rag.text.folding import fold_for_keywords
from desktop_rag.text.stopwords import (
    CHINESE_QUESTION_WORDS,
    CHINESE_STOP_CHARACTERS,
    ENGLISH_STOP_WORDS,
)

_LONGEST_TERM = 64
"""Longer words keep so many characters; longer compounds are their parts alone."""

_LONGEST_CACHED = 40
_MOST_TERMS_CACHED = 4
_CACHE_ENTRIES = 50_000
"""About 10 MB when full; beyond it the commonest words are soon there again. A sentence of a
script without spaces is one chunk with many terms, hardly ever the same: it is not kept."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\U00020000-\U0003134f"
)
"""Thai, Lao, Burmese, Khmer, kana, Han and Hangul (whose words carry their particles)."""


def _combining_marks() -> str:
    """Return the marks that belong to words of Indic and other scripts."""
    codes = range(0x0300, 0x1E00)
    return "".join(chr(code) for code in codes if unicodedata.category(chr(code))[0] == "M")


_WORD = f"(?:[^\\W_]++|[{_combining_marks()}]++)++"
_JOINT = r"(?:[-.'@&]|_+|(?<=\d),(?=\d))"
_COMPOUND = re.compile(rf"(?<![^\W_])\.{_WORD}|{_WORD}(?:{_JOINT}{_WORD})*(?:\+\+|#)?")
"""A word, words joined by single signs, .NET, C++ or C#."""

_PARTS = re.compile(_WORD)
_RUN = re.compile(f"([{_UNSPACED}]+)")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_PREFIXES = frozenset(
    """
    anti by co counter data inter intra macro micro multi non off on over post pre pseudo
    quasi re semi sub super ultra under web
    """.split()  # noqa: SIM905  - a list of words is easier to read as text
)
"""Words that begin so, or with a single letter, are written with and without the hyphen.
Joining every hyphenated word as well cost up to .009 nDCG@10 (med), for a rare whole
counts more than the parts that other texts share."""

_DOTTED_LETTERS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_CONTRACTION = re.compile(r"(.+?)(?:'s|n't|'re|'ve|'ll|'d|'m)")

_SCRIPTS = (
    (re.compile("[a-z]+"), Stemmer.Stemmer("english", 0)),
    (re.compile("[\u0400-\u052f]+"), Stemmer.Stemmer("russian", 0)),
    (re.compile("[\u0370-\u03ff]+"), Stemmer.Stemmer("greek", 0)),
    (re.compile("[\u0620-\u06ff]+"), Stemmer.Stemmer("arabic", 0)),
    (re.compile("[\u0900-\u097f]+"), Stemmer.Stemmer("hindi", 0)),
    (re.compile("[\u0b80-\u0bff]+"), Stemmer.Stemmer("tamil", 0)),
)
"""The stemmer of each script's most spoken language that has one."""

_stemmer_lock = threading.Lock()
_cache: dict[str, tuple[str, ...]] = {}


def analyse(text: str) -> list[str]:
    """Return the terms of a document's text in order; no term holds white space.

    Never raises, whatever the text. Stop words are terms too, so that a question of stop
    words alone finds something.
    """
    terms: list[str] = []
    known = _cache
    for chunk in fold_for_keywords(text).split():
        found = known.get(chunk)
        terms += _chunk_terms(chunk) if found is None else found
    return terms


def analyse_query(text: str) -> list[str]:
    """Return the distinct terms of a question in order, without stop words.

    Stop words are kept when there is nothing else, and where they are written as
    acronyms (IT, WHO). Never raises; a text without any word gives no terms.
    """
    wanted: dict[str, None] = {}
    stops: dict[str, None] = {}
    shouted = text.isupper()
    for raw in text.split():
        acronym = not shouted and _is_acronym(raw)
        for chunk in fold_for_keywords(raw).split():
            for term, is_stop in _question_terms(chunk):
                (stops if is_stop and not acronym else wanted)[term] = None
    return list(wanted or stops)


def stems_of(words: str) -> list[str]:
    """Return the stem of each word between white space, folded, in order; signs are dropped."""
    parts = (_PARTS.findall(word) for word in fold_for_keywords(words).split())
    return [_stem("".join(part)) for part in parts if part]


def _chunk_terms(chunk: str) -> tuple[str, ...]:
    terms: list[str] = []
    for piece, unspaced in _pieces(chunk):
        if unspaced:
            terms += piece
            terms += _pairs(piece)
        else:
            for word in _words(piece):
                terms += _word_terms(word)
    result = tuple(terms)
    if len(chunk) <= _LONGEST_CACHED and len(result) <= _MOST_TERMS_CACHED:
        if len(_cache) >= _CACHE_ENTRIES:
            _cache.clear()
        _cache[chunk] = result
    return result


def _question_terms(chunk: str) -> Iterator[tuple[str, bool]]:
    """Yield each term of a folded piece of a question, and whether it is a stop word."""
    for piece, unspaced in _pieces(chunk):
        if unspaced:
            yield from _question_run_terms(piece)
            continue
        for word in _words(piece):
            stop = word in ENGLISH_STOP_WORDS
            for term in _word_terms(word):
                yield term, stop or term in ENGLISH_STOP_WORDS


def _question_run_terms(run: str) -> Iterator[tuple[str, bool]]:
    for part in CHINESE_QUESTION_WORDS.split(run):
        if len(part) == 1:
            yield part, part in CHINESE_STOP_CHARACTERS
        for pair in _pairs(part):
            yield pair, False
    for word in CHINESE_QUESTION_WORDS.findall(run):
        for term in _pairs(word) or [word]:
            yield term, True


def _pieces(chunk: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a chunk, and whether their script is written without spaces."""
    if chunk.isascii():
        yield chunk, False
        return
    for number, piece in enumerate(_RUN.split(chunk)):
        if piece:
            yield piece, number % 2 == 1


def _pairs(run: str) -> list[str]:
    return [first + second for first, second in itertools.pairwise(run)]


def _words(piece: str) -> Iterator[str]:
    """Yield words and compounds, without the endings of contractions."""
    for match in _COMPOUND.finditer(piece):
        word = match.group()
        if "'" in word and (contraction := _CONTRACTION.fullmatch(word)):
            word = contraction.group(1)
        yield word


def _word_terms(word: str) -> list[str]:
    parts = _PARTS.findall(word)
    if parts == [word]:
        return [_stem(word)]
    if _DOTTED_LETTERS.fullmatch(word):
        return [word.replace(".", "")[:_LONGEST_TERM]]
    if _GROUPED_NUMBER.fullmatch(word):
        return [word.replace(",", "")[:_LONGEST_TERM]]
    if _DECIMAL.fullmatch(word):
        return [word[:_LONGEST_TERM]]
    terms = [_stem(part) for part in parts]
    if _HYPHENATED.fullmatch(word):
        if len(parts) == 2 and (len(parts[0]) == 1 or parts[0] in _PREFIXES):
            terms.append(_stem("".join(parts)))
    elif len(word) <= _LONGEST_TERM:
        terms.append(word)
    return terms


def _stem(word: str) -> str:
    word = word[:_LONGEST_TERM]
    for script, stemmer in _SCRIPTS:
        if script.fullmatch(word):
            with _stemmer_lock:
                stem: str = stemmer.stemWord(word)
            return stem
    return word


def _is_acronym(raw: str) -> bool:
    return raw.isupper() and sum(map(str.isalpha, raw)) > 1
