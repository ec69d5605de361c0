"""An answer's text as runs: plain words, bold ones, code, and citation marks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

_RUN = re.compile(
    r"\s*\[(?P<mark>\d{1,3})\]|\*\*(?P<bold>[^*\n]+)\*\*|`(?P<code>[^`\n]+)`"
    r"|^(?P<bullet>[-*])(?= )|^(?P<heading>\#{1,4} )",
    re.MULTILINE,
)


class Kind(Enum):
    """How a run is set."""

    PLAIN = "plain"
    BOLD = "bold"
    CODE = "code"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Run:
    """Words that are set alike; they stand for ``source[start:end]``.

    The words of a mark are its number.
    """

    kind: Kind
    words: str
    start: int
    end: int


def runs(text: str, numbers: Collection[int], start: int = 0) -> Iterator[Run]:
    """Yield the runs of ``text[start:]``; every ``[n]`` of ``numbers`` is a mark.

    A model writes Markdown: bold words, code, lists and headings are understood, all
    else stays as it is written.
    """
    at = start
    for found in _RUN.finditer(text, start):
        run = _special(found, numbers)
        if run is None:
            continue
        if found.start() > at:
            yield Run(Kind.PLAIN, text[at : found.start()], at, found.start())
        if run.words:
            yield run
        at = found.end()
    if at < len(text):
        yield Run(Kind.PLAIN, text[at:], at, len(text))


def split_at(run: Run, bounds: Sequence[int]) -> Iterator[Run]:
    """Cut a run of plain words at the offsets that lie within it; others stay whole."""
    cuts = [one for one in bounds if run.start < one < run.end]
    if run.kind is not Kind.PLAIN or not cuts:
        yield run
        return
    ends = [*cuts, run.end]
    for first, last in zip([run.start, *cuts], ends, strict=True):
        words = run.words[first - run.start : last - run.start]
        yield Run(run.kind, words, first, last)


def settled(text: str, start: int, longest: int) -> int:
    """Return up to where a text that still grows can be set for good, at least ``start``.

    That is the end of the last line, or, where a line gets long, of a word in it. A mark
    and bold words stay whole.
    """
    at = text.rfind("\n", start) + 1
    at = max(at, start)
    if len(text) - at > longest:
        space = text.rfind(" ", at, len(text) - longest // 4)
        if space > at and text.count("**", at, space) % 2 == 0 == text.count("`", at, space) % 2:
            at = space
    return at


def _special(found: re.Match[str], numbers: Collection[int]) -> Run | None:
    where = found.start(), found.end()
    if found["mark"] is not None:
        known = int(found["mark"]) in numbers
        return Run(Kind.MARK, str(int(found["mark"])), *where) if known else None
    if found["bold"] is not None:
        return Run(Kind.BOLD, found["bold"], *where)
    if found["code"] is not None:
        return Run(Kind.CODE, found["code"], *where)
    if found["bullet"] is not None:
        return Run(Kind.PLAIN, "•", *where)
    return Run(Kind.PLAIN, "", *where)
