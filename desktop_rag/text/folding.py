"""Folding text on its way into a model or the keyword search, never in the store.

What is folded cannot be pointed at in its source, so nothing that is shown is folded.
"""

from __future__ import annotations

import functools
import re
import threading
import unicodedata

import opencc

from desktop_rag.foundation.language import CHINESE

_INVISIBLE = re.compile(
    "[\x00\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
"""NUL, soft hyphens, zero-width and direction marks, variation selectors."""

_SPACES = re.compile(r"\s+")
_HAN = "[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]"
_ANY_HAN = re.compile(_HAN)
_BROKEN_CHINESE = re.compile(f"(?<={_HAN})\\s+(?={_HAN})")
_SURROGATE = re.compile("[\ud800-\udfff]")

_MARKS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670]+")
"""Accents of Latin, Greek and Cyrillic; vowel signs of Hebrew and Arabic, mostly left out
in writing, and the Arabic lengthening stroke. Marks of other scripts (Devanagari,
kana) make other letters: they stay."""

_CHINESE_PUNCTUATION = re.compile("([\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u2026]+)")
"""Punctuation that NFKC would make ASCII, which costs the Chinese model .006 nDCG@10
(xquad_zh, by vectors alone)."""

_converter_lock = threading.Lock()


def fold_for_model(text: str, language: str) -> str:
    """Return what the model reads of ``text``.

    Compatibility forms are resolved (NFKC: ligatures, full width, circled numbers),
    soft hyphens and invisible characters dropped and white space collapsed. For the
    language "zh", characters are simplified and Latin letters lower case, for its model's
    vocabulary has neither traditional characters nor capitals; its punctuation
    stays full width, as the model was trained on it.
    """
    if text.isascii():
        text = text.replace("\0", "")
    else:
        text = _INVISIBLE.sub("", text)
        text = _compatible(text) if language == CHINESE else unicodedata.normalize("NFKC", text)
    if language == CHINESE:
        text = _simplified(text).lower()
    return _SPACES.sub(" ", text).strip()


def fold_for_keywords(text: str) -> str:
    """Return ``text`` so that spellings of the same word are the same characters.

    Lower case, compatibility forms resolved, accents and invisible characters
    dropped, Chinese simplified and without white space inside (where lines were
    wrapped). Other white space is as it was.
    """
    if text.isascii():
        return text.lower().replace("\0", "")
    folded = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)).casefold()
    folded = unicodedata.normalize("NFKC", _MARKS.sub("", folded))
    folded = folded.replace("\u2019", "'").replace("\u2010", "-")
    if _ANY_HAN.search(folded):
        folded = _BROKEN_CHINESE.sub("", _simplified(folded))
    return folded


def _compatible(text: str) -> str:
    """Return the NFKC form of ``text`` with its full-width punctuation kept."""
    pieces = _CHINESE_PUNCTUATION.split(text)
    pieces[::2] = [unicodedata.normalize("NFKC", piece) for piece in pieces[::2]]
    return "".join(pieces)


def _simplified(text: str) -> str:
    """Return ``text`` with traditional Chinese characters simplified (OpenCC t2s)."""
    if _ANY_HAN.search(text) is None:
        return text
    text = _SURROGATE.sub("\ufffd", text)
    with _converter_lock:
        result: str = _converter().convert(text)
    return result


@functools.cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")
