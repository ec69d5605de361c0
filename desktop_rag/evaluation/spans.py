"""How well the passages found cover the characters that an answer needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Passage(NamedTuple):
    """A range of a document's text, in code points."""

    document: str
    start: int
    end: int


class SpanScore(NamedTuple):
    """Shares of characters, 0 to 1.

    ``recall`` is of those needed, ``precision`` of those found; ``iou`` is what is both,
    of all that is either. Characters found twice are read twice, so they count twice
    among those found.
    """

    recall: float
    precision: float
    iou: float


def score_passages(found: Sequence[Passage], needed: Sequence[Passage]) -> SpanScore:
    """Compare the passages found with those needed.

    Raises:
        ValueError: nothing is needed.
    """
    wanted = _length(_merged(needed))
    if not wanted:
        raise ValueError("a question needs at least one character")
    given = _length(found)
    both = wanted + _length(_merged(found)) - _length(_merged([*found, *needed]))
    return SpanScore(both / wanted, both / given if given else 0.0, both / (wanted + given - both))


def _length(passages: Sequence[Passage]) -> int:
    return sum(passage.end - passage.start for passage in passages)


def _merged(passages: Sequence[Passage]) -> list[Passage]:
    return list(_unions(sorted(passages)))


def _unions(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield sorted passages, those that touch as one."""
    current: Passage | None = None
    for passage in passages:
        if current is None:
            current = passage
        elif passage.document == current.document and passage.start <= current.end:
            current = current._replace(end=max(current.end, passage.end))
        else:
            yield current
            current = passage
    if current is not None:
        yield current
