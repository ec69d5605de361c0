"""The smallest pieces that a block may be cut into: sentences, lines, rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from desktop_rag.domain.document import Block, BlockKind
from desktop_rag.ingestion.splitters.cuts import Sized, noise_of
from desktop_rag.text.sentences import sentences

Count = Callable[[str], int]
Span = tuple[int, int]

_NEW_BLOCK = 0.0
_NEW_ITEM = 0.03
_NEW_SECTION = -0.3
_NEW_LINE = 0.03
_NEW_SENTENCE = 0.05
_INSIDE_SENTENCE = 0.5
_AFTER_COLON = 0.3
"""What cutting costs, in the unit of ``cuts.cut``: .25 is a segment half as long as it
should be. A section's beginning is worth a short segment, a sentence's middle is not."""

_LONG_LINE = 120
"""A line longer than what programs break lines at ends where its writer meant it to."""

_CLAUSE = re.compile(r"[^,;:|，；：、\n—–]*[,;:|，；：、\n—–]*\s*")
_WORD = re.compile(r"\S+\s*")
_LINE = re.compile(r"[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A range of the canonical text that is not cut, with its size and boundary cost.

    ``block`` is the number of its block within the run.
    """

    start: int
    end: int
    block: int
    sized: Sized


def units_of(
    text: str, block: Block, number: int, language: str, count: Count, longest: int
) -> Iterator[Unit]:
    """Yield the units of one block, none larger than ``longest`` where it can be cut."""
    previous_end = block.start
    for position, (start, end) in enumerate(_spans(text, block, language)):
        cost = _first_cost(block) if position == 0 else _cost(text, block, previous_end, start)
        if _after_colon(text, start):
            cost += _AFTER_COLON
        for piece, (low, high, size) in enumerate(_sized(text, start, end, count, longest)):
            boundary = cost if piece == 0 else _INSIDE_SENTENCE
            noise = noise_of(text[low : low + 64])
            yield Unit(low, high, number, Sized(size, boundary + noise))
        previous_end = end


def _spans(text: str, block: Block, language: str) -> Iterator[Span]:
    content = text[block.start : block.end]
    if block.kind in (BlockKind.TABLE, BlockKind.CODE):
        spans = [match.span() for match in _LINE.finditer(content)]
    elif block.kind is BlockKind.HEADING:
        spans = [(0, len(content))]
    else:
        spans = sentences(content, language)
    for start, end in spans:
        if not content[start:end].isspace() and start < end:
            yield block.start + start, block.start + end


def _first_cost(block: Block) -> float:
    if block.kind is BlockKind.HEADING:
        return _NEW_SECTION
    return _NEW_ITEM if block.kind is BlockKind.LIST_ITEM else _NEW_BLOCK


def _cost(text: str, block: Block, previous_end: int, start: int) -> float:
    gap = text[previous_end:start]
    if block.kind in (BlockKind.TABLE, BlockKind.CODE):
        return _NEW_BLOCK if gap.count("\n") > 1 else _NEW_LINE
    if "\n" in gap and "\n" not in text[max(0, previous_end - _LONG_LINE) : previous_end]:
        return _NEW_LINE
    return _NEW_SENTENCE


def _after_colon(text: str, start: int) -> bool:
    return text[max(0, start - 8) : start].rstrip().endswith((":", "："))


def _sized(
    text: str, start: int, end: int, count: Count, longest: int
) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, size) of a span, cut up where it is too long."""
    size = count(text[start:end])
    if size <= longest:
        yield start, end, size
        return
    for pattern in (_CLAUSE, _WORD):
        pieces = [m.span() for m in pattern.finditer(text, start, end) if m.end() > m.start()]
        packed = list(_packed(text, pieces, count, longest))
        if len(packed) > 1:
            for low, high in packed:
                yield from _sized_piece(text, low, high, count, longest)
            return
    yield from _sliced(start, end, size, longest)


def _sized_piece(
    text: str, start: int, end: int, count: Count, longest: int
) -> Iterator[tuple[int, int, int]]:
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    if start < end:
        yield from _sized(text, start, end, count, longest)


def _packed(text: str, pieces: list[Span], count: Count, longest: int) -> Iterator[Span]:
    """Yield neighbouring pieces joined as far as half of ``longest`` allows."""
    room = longest // 2
    start, filled = pieces[0][0], 0
    for low, high in pieces:
        size = count(text[low:high])
        if filled and filled + size > room:
            yield start, low
            start, filled = low, 0
        filled += size
    yield start, pieces[-1][1]


def _sliced(start: int, end: int, size: int, longest: int) -> Iterator[tuple[int, int, int]]:
    """Yield even slices of a word that is longer than a segment may be."""
    slices = -(-size // max(1, longest // 2))
    step = max(1, -(-(end - start) // slices))
    for low in range(start, end, step):
        high = min(end, low + step)
        yield low, high, -(-size * (high - low) // (end - start))
