"""Which words of a document stand where in what is shown of it: numbers alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_rag.domain.structure import Look, Span
from desktop_rag.gui.source.offsets import displayable, from_utf16, to_utf16

_MARKDOWN_RULE = re.compile(r"[\s|:-]+")
_BETWEEN = " | "


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that look alike: ``[start, end)`` of the canonical text, and how."""

    start: int
    end: int
    looks: frozenset[Look]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch as it is shown: from ``position`` on, in UTF-16 units of Qt's document."""

    start: int
    end: int
    position: int
    shown: str


class SpanIndex:
    """The spans of a document, to be asked for those within a block."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = sorted(spans, key=lambda span: (span.start, -span.end))
        self._starts = [span.start for span in self._spans]

    def stretches(self, start: int, end: int) -> Iterator[Stretch]:
        """Yield ``[start, end)`` cut where the look changes, without what is hidden."""
        inside = self._inside(start, end)
        cuts = {start, end}
        for span in inside:
            cuts.update({max(start, span.start), min(end, span.end)})
        edges = sorted(cuts)
        for first, last in pairwise(edges):
            looks = {s.look for s in inside if s.start <= first and last <= s.end}
            if Look.HIDDEN not in looks:
                yield Stretch(first, last, frozenset(looks))

    def _inside(self, start: int, end: int) -> list[Span]:
        last = bisect_right(self._starts, end)
        first = bisect_right(self._starts, start)
        # spans do not reach over blocks, but some begin before a cell of a table
        first = max(0, first - _BEFORE)
        return [s for s in self._spans[first:last] if s.start < end and s.end > start]


_BEFORE = 64


class PieceMap:
    """Finds places of the canonical text in Qt's document, and the other way round."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._starts: list[int] = []
        self._positions: list[int] = []

    def add(self, piece: Piece) -> None:
        """Take in the next piece; both its places come after those before."""
        self._pieces.append(piece)
        self._starts.append(piece.start)
        self._positions.append(piece.position)

    def ranges(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return where ``[start, end)`` is shown: one range of Qt's positions a piece."""
        found = []
        index = max(0, bisect_right(self._starts, start) - 1)
        for piece in self._pieces[index:]:
            if piece.start >= end:
                break
            first, last = max(start, piece.start), min(end, piece.end)
            if first < last:
                found.append(
                    (
                        piece.position + to_utf16(piece.shown, first - piece.start),
                        piece.position + to_utf16(piece.shown, last - piece.start),
                    )
                )
        return found

    def offset(self, position: int) -> int:
        """Return what of the canonical text stands at one of Qt's positions, or before it."""
        index = bisect_right(self._positions, position) - 1
        if index < 0:
            return 0
        piece = self._pieces[index]
        inside = from_utf16(piece.shown, position - piece.position)
        return min(piece.end, piece.start + inside)


def piece_of(text: str, start: int, end: int, position: int) -> Piece:
    """Return ``text[start:end]`` as a piece that is shown at ``position``."""
    return Piece(start, end, position, displayable(text[start:end]))


def cells_of(text: str, start: int, end: int, markdown: bool) -> list[tuple[int, int]]:
    """Return where the cells of a table's row stand, without the blanks around them."""
    if markdown:
        return _markdown_cells(text, start, end)
    cells, at = [], start
    while (found := text.find(_BETWEEN, at, end)) >= 0:
        cells.append((at, found))
        at = found + len(_BETWEEN)
    last = end
    if text[at:end].endswith(" |") or text[at:end] == "|":
        last = max(at, end - 2)
        cells.append((at, last))
        at = last = end
    cells.append((at, last))
    return cells


def _markdown_cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    edges = [at for at in range(start, end) if text[at] == "|" and text[at - 1 : at] != "\\"]
    bounds = [start - 1, *edges, end]
    cells = [_trimmed(text, first + 1, last) for first, last in pairwise(bounds)]
    if cells and cells[0][0] == cells[0][1]:
        cells = cells[1:]
    if cells and cells[-1][0] == cells[-1][1]:
        cells = cells[:-1]
    return cells


def rows_of(text: str, start: int, end: int, markdown: bool) -> Iterator[tuple[int, int]]:
    """Yield the rows of a table, one line each; Markdown's rule under the header is none."""
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        rule = markdown and "-" in text[at:stop] and _MARKDOWN_RULE.fullmatch(text, at, stop)
        if stop > at and not rule:
            yield at, stop
        at = stop + 1


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
