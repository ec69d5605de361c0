"""Words in drawings: the boxes of slides and sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from desktop_rag.ingestion.parsers.office_package import clean
from desktop_rag.ingestion.parsers.xml_safe import Element, local_name

_MOST_NESTING = 100

Shape = TypeVar("Shape")
Place = tuple[float, float]
"""Top and left of a shape, in a unit of the format's own."""


def drawn_paragraphs(element: Element, depth: int = 0) -> Iterator[str]:
    """Yield the words of each paragraph inside of a drawing, in order."""
    for item in element:
        name = local_name(item)
        if name == "p":
            words = paragraph_words(item)
            if words:
                yield words
        elif name == "AlternateContent":
            yield from _first_with_words(item, depth)
        elif depth < _MOST_NESTING:
            yield from drawn_paragraphs(item, depth + 1)


def reading_order(placed: Sequence[tuple[Place | None, Shape]], band: float) -> list[Shape]:
    """Return shapes row by row, from left to right; those without a place come first.

    Args:
        placed: shapes with their places.
        band: shapes whose tops are less than this below the highest of a row stand in it.
    """
    ordered = [shape for place, shape in placed if place is None]
    row: list[tuple[float, int, Shape]] = []
    top = 0.0
    known = [(*place, n, shape) for n, (place, shape) in enumerate(placed) if place is not None]
    for y, x, n, shape in sorted(known, key=lambda item: item[:3]):
        if row and y - top >= band:
            ordered += [item[2] for item in sorted(row, key=lambda item: item[:2])]
            row = []
        if not row:
            top = y
        row.append((x, n, shape))
    return ordered + [item[2] for item in sorted(row, key=lambda item: item[:2])]


def paragraph_words(paragraph: Element) -> str:
    """Return the words of a paragraph of a drawing."""
    pieces: list[str] = []
    for item in paragraph.iter():
        name = local_name(item)
        if name == "t":
            pieces.append(item.text or "")
        elif name == "br":
            pieces.append("\n")
    lines = (" ".join(line.split()) for line in clean("".join(pieces)).split("\n"))
    return "\n".join(line for line in lines if line)


def _first_with_words(versions: Element, depth: int) -> Iterator[str]:
    for version in versions:
        words = list(drawn_paragraphs(version, depth + 1))
        if words:
            yield from words
            return
