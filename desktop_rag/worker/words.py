"""Finding a quote on a page again, character by character."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import pymupdf

from desktop_rag.ingestion.parsers.pdf_columns import reading_order
from desktop_rag.ingestion.parsers.pdf_lines import page_lines
from desktop_rag.ingestion.parsers.pdf_open import TEXT_FLAGS

_MARGIN = 0.6
"""Points by which a character's middle may be outside of its line's stored box."""

_GAP = 0.2
"""Of a character's height: a wider gap on a line parts two words."""

_HYPHENS = "-\u00ad\u2010\u2011"
"""A passage has its lines joined, so hyphens are not compared, and neither is white space."""

Box = tuple[float, float, float, float]


class PageWords:
    """The characters of a page with their boxes, taken out of it once."""

    def __init__(self, page: pymupdf.Page) -> None:
        self._characters = list(_characters(page))
        self._lines = _all_lines(page)

    def find(self, text: str, near: Sequence[Box]) -> list[Box]:
        """Return the boxes of a quote, one for each line of the page; [] when it is not there.

        The lines are looked through in reading order: first those of ``near``, then all.
        """
        wanted = "".join(_folded(text))
        if not wanted:
            return []
        for lines in (near, self._lines):
            found = _match(wanted, _by_line(self._characters, lines))
            if found:
                return found
        return []

    def find_all(self, text: str) -> list[list[Box]]:
        """Return every place of some words, each one box a line; in reading order."""
        wanted = "".join(_folded(text))
        return list(_matches(wanted, _by_line(self._characters, self._lines))) if wanted else []


def page_words(page: pymupdf.Page) -> Iterator[tuple[str, float, float, float, float, int]]:
    """Yield the words of a page in reading order, with their box and the number of their line."""
    characters = list(_characters(page))
    for number, line in enumerate(_by_line(characters, _all_lines(page))):
        word, box = "", None
        for character, own in line:
            gap = box is not None and own[0] - box[2] > _GAP * (own[3] - own[1])
            if box is not None and (character.isspace() or gap):
                yield word, *box, number
                word, box = "", None
            if not character.isspace():
                word, box = word + character, own if box is None else _union(box, own)
        if box is not None:
            yield word, *box, number


def _match(wanted: str, lines: Sequence[Sequence[tuple[str, Box]]]) -> list[Box]:
    return next(_matches(wanted, lines), [])


def _matches(wanted: str, lines: Sequence[Sequence[tuple[str, Box]]]) -> Iterator[list[Box]]:
    letters: list[str] = []
    owners: list[tuple[int, Box]] = []
    for number, line in enumerate(lines):
        for character, box in line:
            for letter in _folded(character):
                letters.append(letter)
                owners.append((number, box))
    text = "".join(letters)
    start = text.find(wanted)
    while start >= 0:
        boxes: dict[int, Box] = {}
        for number, box in owners[start : start + len(wanted)]:
            boxes[number] = _union(boxes[number], box) if number in boxes else box
        yield list(boxes.values())
        start = text.find(wanted, start + len(wanted))


def _folded(text: str) -> Iterator[str]:
    """Yield what is compared of a text, character by character."""
    for character in unicodedata.normalize("NFKC", text).casefold():
        if character not in _HYPHENS and not character.isspace() and character.isprintable():
            yield character


def _characters(page: pymupdf.Page) -> Iterator[tuple[str, Box]]:
    for block in page.get_text("rawdict", flags=TEXT_FLAGS)["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                for character in span["chars"]:
                    yield character["c"], character["bbox"]


def _all_lines(page: pymupdf.Page) -> list[Box]:
    lines = page_lines(page.get_text("dict", flags=TEXT_FLAGS)).lines
    return [
        (line.x0, line.y0, line.x1, line.y1) for column in reading_order(lines) for line in column
    ]


def _by_line(
    characters: Iterable[tuple[str, Box]], lines: Sequence[Box]
) -> list[list[tuple[str, Box]]]:
    """Sort characters into lines, each from the left; those of no line are left out."""
    sorted_in: list[list[tuple[str, Box]]] = [[] for _ in lines]
    for character, box in characters:
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for index, (x0, y0, x1, y1) in enumerate(lines):
            if x0 - _MARGIN <= x <= x1 + _MARGIN and y0 - _MARGIN <= y <= y1 + _MARGIN:
                sorted_in[index].append((character, box))
                break
    for line in sorted_in:
        line.sort(key=lambda item: item[1][0])
    return sorted_in


def _union(first: Box, second: Box) -> Box:
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )
