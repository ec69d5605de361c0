"""The default splitter: small segments to find, under larger parents to read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.document import BlockKind, Document, LineBox, ParsedDocument
from desktop_rag.domain.prepared import PreparedParent
from desktop_rag.domain.segment import Place, TextSegment
from desktop_rag.ingestion.parsers.text import parse_text
from desktop_rag.ingestion.plain import plain_text_of, without_leaders, without_targets
from desktop_rag.ingestion.splitters.cuts import NOISE, Sized, cut, noise_of
from desktop_rag.ingestion.splitters.sections import Run, runs_of
from desktop_rag.ingestion.splitters.sizes import SegmentSizes, SizeCounters
from desktop_rag.ingestion.splitters.splitter import INDEX
from desktop_rag.ingestion.splitters.units import Count, Unit, units_of
from desktop_rag.ingestion.splitters.wide_tables import columns_of

_MARKED_UP = "markdown"
_WIDEST_HEADER = 3
"""A header of more tokens than so many segments is not repeated whole: in a table of a hundred
columns, what a segment holds is a few cells of one row."""

_PARENT_IN_BLOCK = 0.3
_PARENT_AT_HEADING = -0.2
"""What beginning a parent in the middle of a block, or at a heading, costs."""


@dataclass(frozen=True, slots=True)
class SplitSegment:
    """A segment's place, and of which parts of blocks it is made.

    ``header`` is the header row that a table's later segments repeat. ``size`` counts
    tokens of the words themselves.
    """

    place: Place
    parts: tuple[tuple[int, int, BlockKind], ...]
    header: tuple[int, int] | None
    size: int


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """Parents, and segments that point at them by their ordinal."""

    parents: tuple[PreparedParent, ...]
    segments: tuple[SplitSegment, ...]


@dataclass(slots=True)
class _Draft:
    """A segment before its parent is known; ``cost`` is that of a parent beginning here."""

    run: Run
    first: int
    parts: tuple[tuple[int, int, BlockKind], ...]
    header: tuple[int, int] | None
    size: int
    cost: float
    starts_run: bool

    @property
    def start(self) -> int:
        return self.parts[0][0]

    @property
    def end(self) -> int:
        return self.parts[-1][1]


class StructuralSplitter:
    """Splits by pages, sections, blocks and sentences, in the tokens of the models.

    Segments never cross a page or a section of the first two heading levels, hold one
    language, and are whole sentences unless a single one is too long. Their boundaries
    depend on the words around them, so that a small edit changes few of them.

    Args:
        counters: a counter of tokens for each language ("en", "zh").
        sizes: how large segments and parents are.

    Raises:
        ValueError: a language has no counter.
    """

    def __init__(self, counters: SizeCounters, sizes: SegmentSizes | None = None) -> None:
        missing = {"en", "zh"} - set(counters)
        if missing:
            raise ValueError(f"no token counter for: {', '.join(sorted(missing))}")
        self._counters = counters
        self._sizes = sizes or SegmentSizes()

    def split(self, document: Document) -> list[TextSegment]:
        """Split plain text; see ``DocumentSplitter``."""
        split = self.split_parsed(parse_text(document.text))
        return [
            TextSegment(
                document.text[segment.place.start : segment.place.end],
                document.metadata.with_value(INDEX, str(index)),
                segment.place,
            )
            for index, segment in enumerate(split.segments)
        ]

    def split_parsed(self, parsed: ParsedDocument) -> SplitDocument:
        """Split a parsed file; what holds neither letter nor digit is left out."""
        text = parsed.document.text
        plain = plain_text_of(parsed.kind)
        drafts = [
            draft
            for run in runs_of(parsed, plain)
            for draft in self._drafts(text, run, parsed.kind == _MARKED_UP)
            if any(map(str.isalnum, text[draft.start : draft.end]))
        ]
        parents: list[PreparedParent] = []
        segments: list[SplitSegment] = []
        for group in self._parent_groups(drafts):
            segments.extend(_finished(draft, len(parents)) for draft in group)
            parents.append(_parent(group))
        return SplitDocument(tuple(parents), tuple(segments))

    def _drafts(self, text: str, run: Run, marked_up: bool) -> Iterator[_Draft]:
        count = self._counter(run.language, marked_up)
        longest, target, header, is_wide = self._sizes.longest, self._sizes.target, None, False
        if run.is_table and run.blocks[0].header is not None:
            header = run.blocks[0].header
            size = count(text[header[0] : header[1]])
            room = min(size, target // 2)
            longest, target = longest - room, target - room
            is_wide = size > _WIDEST_HEADER * self._sizes.target
        units = list(_units(text, run, count, longest))
        for first, last in cut([unit.sized for unit in units], target, longest):
            draft = _draft(text, run, units, first, last, header)
            if is_wide and draft.header is not None:
                draft.header = columns_of(text, draft.header, draft.start, draft.end)
            yield draft

    def _counter(self, language: str, marked_up: bool) -> Count:
        count = self._counters[language].count
        if marked_up:
            return lambda text: count(without_leaders(without_targets(text)))
        return lambda text: count(without_leaders(text))

    def _parent_groups(self, drafts: Sequence[_Draft]) -> Iterator[Sequence[_Draft]]:
        begin = 0
        for index in range(1, len(drafts) + 1):
            if index == len(drafts) or drafts[index].run.scope != drafts[begin].run.scope:
                scope = drafts[begin:index]
                sized = [Sized(draft.size, draft.cost) for draft in scope]
                for first, last in cut(sized, self._sizes.parent, self._sizes.longest_parent):
                    yield scope[first:last]
                begin = index


def _units(text: str, run: Run, count: Count, longest: int) -> Iterator[Unit]:
    """Yield a run's units; a heading within the run counts as part of what follows it."""
    for number, block in enumerate(run.blocks):
        units = units_of(text, block, number, run.language, count, longest)
        lead = run.leads[number] if number else None
        first = next(units, None)
        if first is None:
            continue
        if lead is None:
            yield first
        else:
            size = first.sized.size + count(text[lead.start : lead.end])
            yield replace(first, sized=replace(first.sized, size=size))
        yield from units


def _draft(
    text: str,
    run: Run,
    units: Sequence[Unit],
    first: int,
    last: int,
    header: tuple[int, int] | None,
) -> _Draft:
    inside = units[first:last]
    before = units[first - 1].block if first else -1
    number = inside[0].block
    if header is not None and inside[0].start < header[1]:
        header = None
    cost = noise_of(text[inside[0].start : inside[0].start + 64]) - NOISE / 2
    if before == number:
        cost += _PARENT_IN_BLOCK
    elif before >= 0 and run.paths[before] != run.paths[number]:
        cost += _PARENT_AT_HEADING
    return _Draft(
        run,
        number,
        tuple(_parts(run, inside)),
        header,
        sum(unit.sized.size for unit in inside),
        cost,
        first == 0,
    )


def _parts(run: Run, units: Sequence[Unit]) -> Iterator[tuple[int, int, BlockKind]]:
    """Yield the range of each block that the units cover, and of headings between them."""
    start, end, number = units[0].start, units[0].end, units[0].block
    for unit in units[1:]:
        if unit.block != number:
            yield start, end, run.blocks[number].kind
            start, number = unit.start, unit.block
            lead = run.leads[number]
            if lead is not None:
                yield lead.start, lead.end, lead.kind
        end = unit.end
    yield start, end, run.blocks[number].kind


def _finished(draft: _Draft, parent: int) -> SplitSegment:
    place = Place(
        start=draft.start,
        end=draft.end,
        page=draft.run.page,
        heading_path=draft.run.paths[draft.first],
        language=draft.run.language,
        parent=parent,
        lines=_lines(draft),
    )
    return SplitSegment(place, draft.parts, draft.header, draft.size)


def _lines(draft: _Draft) -> tuple[LineBox, ...]:
    found: list[LineBox] = []
    blocks = draft.run.blocks
    for number in range(draft.first, len(blocks)):
        block = blocks[number]
        if block.start >= draft.end:
            break
        boxes = block.lines
        begin = bisect_left(boxes, draft.start + 1, key=lambda box: box.end)
        for box in boxes[begin:]:
            if box.start >= draft.end:
                break
            found.append(box)
    return tuple(found)


def _parent(group: Sequence[_Draft]) -> PreparedParent:
    first = group[0]
    start = first.run.start if first.starts_run else first.start
    return PreparedParent(start, group[-1].end, first.run.page, first.run.paths[first.first])
