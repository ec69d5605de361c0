"""What the model reads of a segment: a context line and the words, within its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.domain.segment import Place
from desktop_rag.embedding.manifest import load_manifest
from desktop_rag.embedding.tokens import BertTokenCounter
from desktop_rag.ingestion.splitters.sections import nearest_heading
from desktop_rag.ingestion.splitters.sizes import SizeCounter, SizeCounters, TextCounter
from desktop_rag.text.folding import fold_for_model

SPECIAL_TOKENS = 2
"""[CLS] before and [SEP] behind every text."""

CONTEXT_SEPARATOR = " › "
_TITLE_TOKENS = 40
_HEADING_TOKENS = 24
"""The most that title and heading may take of what the model reads."""


@dataclass(frozen=True, slots=True)
class TextSpace:
    """The model of one language, as far as preparing texts for it needs to know.

    ``name`` is the model's name, ``max_tokens`` counts the special tokens.
    """

    name: str
    max_tokens: int
    counter: TextCounter


def text_spaces(models_dir: Path) -> dict[str, TextSpace]:
    """Return the space of each language ("en", "zh") of the models in a folder.

    Raises:
        KnownError: the models' manifest cannot be read.
    """
    return {
        spec.language: TextSpace(spec.name, spec.max_tokens, BertTokenCounter(spec))
        for spec in load_manifest(models_dir)
    }


@dataclass(frozen=True, slots=True)
class Reading:
    """A segment's place, its context line ("" for none) and its folded words."""

    place: Place
    context: str
    words: str

    @property
    def text(self) -> str:
        """What the model reads."""
        return f"{self.context}\n{self.words}" if self.context else self.words


class ContextLines:
    """Makes context lines, each heading's once: document title › nearest heading."""

    def __init__(self, title: str, counters: SizeCounters) -> None:
        self._title = title
        self._counters = counters
        self._lines: dict[tuple[str, str], str] = {}

    def line(self, place: Place) -> str:
        """Return the context line of a segment at ``place``, "" where there is none."""
        key = (nearest_heading(place.heading_path, self._title), place.language)
        if key not in self._lines:
            self._lines[key] = self._make(*key)
        return self._lines[key]

    def _make(self, heading: str, language: str) -> str:
        counter = self._counters[language]
        parts = (
            shortened(fold_for_model(words, language), limit, counter)
            for words, limit in ((self._title, _TITLE_TOKENS), (heading, _HEADING_TOKENS))
        )
        return CONTEXT_SEPARATOR.join(part for part in parts if part)


def shortened(text: str, limit: int, counter: SizeCounter) -> str:
    """Return the beginning of ``text`` that has at most ``limit`` tokens."""
    size = counter.count(text)
    while size > limit:
        text = text[: min(len(text) - 1, len(text) * limit // size)].rstrip()
        size = counter.count(text)
    return text


def fitting(
    readings: Sequence[Reading], limits: Mapping[str, int], counters: SizeCounters
) -> list[tuple[Reading, int]]:
    """Return readings in order with their tokens, special ones counted.

    One over its model's limit (compatibility characters that fold into many, words that a
    transformer added) is halved until its parts fit; they share its place. ``limits``
    has each language's, special tokens counted.
    """
    sizes = _sizes(readings, counters)
    result: list[tuple[Reading, int]] = []
    for reading, size in zip(readings, sizes, strict=True):
        if size <= limits[reading.place.language] or len(reading.words) < 2:
            result.append((reading, size))
        else:
            result.extend(fitting(_halves(reading), limits, counters))
    return result


def _sizes(readings: Sequence[Reading], counters: SizeCounters) -> list[int]:
    sizes = [0] * len(readings)
    for language, counter in counters.items():
        places = [i for i, r in enumerate(readings) if r.place.language == language]
        counts = counter.exact([readings[i].text for i in places])
        for index, count in zip(places, counts, strict=True):
            sizes[index] = count + SPECIAL_TOKENS
    return sizes


def _halves(reading: Reading) -> list[Reading]:
    words = reading.words
    middle = len(words) // 2
    space = words.find(" ", middle, middle + middle // 2)
    middle = space if space > 0 else middle
    return [
        replace(reading, words=half.strip())
        for half in (words[:middle], words[middle:])
        if any(map(str.isalnum, half))
    ]
