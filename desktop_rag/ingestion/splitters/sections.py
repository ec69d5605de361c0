"""Blocks to runs: what may be in one segment, and under which headings it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from desktop_rag.domain.document import Block, BlockKind, ParsedDocument
from desktop_rag.foundation.language import language_of
from desktop_rag.ingestion.plain import PlainText

TOP_LEVELS = 2
"""Headings down to this level begin a section that no segment crosses. The first level is
often the document's own title, so the sections of most documents are on the second."""

_LETTER = re.compile(r"[^\W\d_]")
_FEW_LETTERS = 12
"""A block with fewer letters has the language of the blocks before it."""

_LANGUAGE_SAMPLE = 20_000


@dataclass(slots=True)
class Run:
    """Neighbouring blocks that may share segments.

    ``scope`` is the number of the page and section that parents stay in; ``paths`` has
    the headings above each block, ``leads`` the heading right before it, if there is one;
    ``start`` includes that of the first.
    """

    scope: int
    start: int
    page: int | None
    language: str
    is_table: bool
    blocks: list[Block] = field(default_factory=list)
    paths: list[tuple[str, ...]] = field(default_factory=list)
    leads: list[Block | None] = field(default_factory=list)


def runs_of(parsed: ParsedDocument, plain: PlainText) -> list[Run]:
    """Group a document's blocks into runs."""
    return _Grouping(parsed, plain).runs()


class _Grouping:
    """The walk over the blocks, with the headings it is under."""

    def __init__(self, parsed: ParsedDocument, plain: PlainText) -> None:
        self._text = parsed.document.text
        self._blocks = parsed.blocks
        self._title = parsed.title
        self._plain = plain
        self._path: list[tuple[int, str]] = []
        self._pending: Block | None = None
        self._runs: list[Run] = []
        self._scope = 0
        self._fresh = True
        self._page: int | None = None
        self._language = language_of(self._text[:_LANGUAGE_SAMPLE])

    def runs(self) -> list[Run]:
        """Return the runs; called once."""
        for block in self._blocks:
            if block.page != self._page:
                self._page, self._fresh = block.page, True
            if block.kind is BlockKind.HEADING:
                self._enter(block)
            else:
                self._append(block)
                self._pending = None
        last = self._pending
        if last is not None and not self._append_heading(last) and not self._runs:
            self._append(last)  # there is nothing but a title
        return self._runs

    def _enter(self, heading: Block) -> None:
        """Go under a heading; one that is followed by the next is text like any other."""
        chained = self._pending is not None and self._append_heading(self._pending)
        if heading.level <= TOP_LEVELS and not chained:
            self._fresh = True
        while self._path and self._path[-1][0] >= heading.level:
            self._path.pop()
        words = self._plain(self._text[heading.start : heading.end], heading.kind)
        self._path.append((heading.level, " ".join(words.split())))
        self._pending = heading

    def _append_heading(self, heading: Block) -> bool:
        """Keep a heading without text below it as text, unless it is the title."""
        if self._path[-1][1] == self._title and self._title:
            return False
        self._append(heading)
        return True

    def _append(self, block: Block) -> None:
        language = self._language_of(block)
        is_table = block.kind is BlockKind.TABLE
        run = self._runs[-1] if self._runs else None
        if self._fresh:
            self._scope += 1
        if (
            run is None
            or self._fresh
            or (run.language, run.is_table) != (language, is_table)
            or is_table
        ):
            start = self._pending.start if self._pending is not None else block.start
            run = Run(self._scope, min(start, block.start), block.page, language, is_table)
            self._runs.append(run)
        self._fresh = False
        run.leads.append(self._pending if self._pending is not block else None)
        run.blocks.append(block)
        run.paths.append(tuple(words for _, words in self._path))

    def _language_of(self, block: Block) -> str:
        text = self._text[block.start : block.end]
        if len(text) >= _FEW_LETTERS and _has_letters(text, _FEW_LETTERS):
            self._language = language_of(text)
        return self._language


def _has_letters(text: str, least: int) -> bool:
    return sum(1 for _ in zip(_LETTER.finditer(text), range(least), strict=False)) >= least


def headings_of(parsed: ParsedDocument, plain: PlainText) -> Iterator[str]:
    """Yield the words of every heading but the title, in order."""
    for block in parsed.blocks:
        if block.kind is BlockKind.HEADING:
            raw = parsed.document.text[block.start : block.end]
            words = " ".join(plain(raw, block.kind).split())
            if words and words != parsed.title:
                yield words


def nearest_heading(path: Sequence[str], title: str) -> str:
    """Return the innermost heading that is not the title, "" if there is none."""
    return next((words for words in reversed(path) if words != title), "")
