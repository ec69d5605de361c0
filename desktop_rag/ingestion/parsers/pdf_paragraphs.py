"""Lines of a column to paragraphs, and what each paragraph is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from desktop_rag.domain.document import BlockKind
from desktop_rag.ingestion.parsers.pdf_lines import Line, needs_space

_BULLET = re.compile(r"[•·‣◦▪▫■□●○◆◇►▶➢✓✔✗–—*-]\s+\S")
_NUMBERED = re.compile(
    r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\]|[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十\d]{1,3}）)\s*\S"
)
_BROKEN_WORD = re.compile(r"\w[-\u00ad\u2010\u2011]$")
_SENTENCE_END = re.compile(r"[.!?:;。！？：；]['\"”’)）\]]*$")
_CAPTION = re.compile(r"(?:figure|fig\.|table|abbildung|chart)\s*\d|[图表圖]\s*\d", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]")

_LONGEST_HEADING = 200
_HEADING_LINES = 3
_HEADING_SIZE = 1.12
"""Times the body's size from which a short paragraph is a heading."""

_NOTE_SIZE = 0.88
_GAP = 1.4
"""Times the usual distance of lines from which a new paragraph begins."""

_INDENT = 0.8
_VERY_SHORT = 0.6
_SHORT = 0.82
"""A line that ends before this share of its column's width ends a paragraph."""


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together; ``continues`` joins it to the one before on its page."""

    kind: BlockKind
    lines: list[Line]
    page: int
    level: int = 0
    continues: bool = False

    @property
    def size(self) -> float:
        """The font size of most of it."""
        return self.lines[0].size


def body_size(pages: Iterable[Iterable[Line]]) -> float:
    """Return the font size, in half points, that most characters have."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[round(line.size * 2) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def paragraphs_of(columns: Sequence[Sequence[Line]], page: int, body: float) -> list[Paragraph]:
    """Return a page's paragraphs in reading order."""
    result: list[Paragraph] = []
    for column in columns:
        for position, lines in enumerate(_groups(column, body)):
            paragraph = Paragraph(_kind(lines, body), lines, page)
            if position == 0:
                paragraph.continues = _carries_over(result, paragraph)
            result.append(paragraph)
    return result


def turned_paragraphs(lines: Iterable[Line], page: int) -> list[Paragraph]:
    """Return lines that are not horizontal, each on its own; none of them is a heading."""
    return [Paragraph(BlockKind.NOTE, [line], page) for line in lines]


def _without_lone_rows(column: Sequence[Line]) -> list[Line]:
    """Make a line of every table row that stands alone: a wide gap is not yet a table."""
    result: list[Line] = []
    for index, line in enumerate(column):
        beside = [*column[max(0, index - 1) : index], *column[index + 1 : index + 2]]
        if line.cells > 1 and not line.table and all(other.cells == 1 for other in beside):
            line = replace(line, text=line.text.replace("\t", " "), cells=1)  # noqa: PLW2901
        result.append(line)
    return result


@dataclass(frozen=True, slots=True)
class _Shape:
    """A column's edges, the usual distance of its lines, and the size of headings."""

    left: float
    right: float
    pitch: float
    heading_size: float


def _groups(lines: Sequence[Line], body: float) -> Iterator[list[Line]]:
    column = _without_lone_rows(lines)
    if not column:
        return
    left = min(line.x0 for line in column)
    right = max(line.x1 for line in column)
    shape = _Shape(left, right, _pitch(column), _HEADING_SIZE * body)
    group = [column[0]]
    for line in column[1:]:
        if _begins_paragraph(group, line, shape):
            yield group
            group = []
        group.append(line)
    yield group


def _pitch(column: Sequence[Line]) -> float:
    """Return the usual distance of neighbouring lines."""
    steps = [
        below.middle - above.middle
        for above, below in pairwise(column)
        if abs(below.size - above.size) < 0.6 and 0 < below.middle - above.middle < 3 * below.size
    ]
    return median(steps) if steps else 1.3 * column[0].size


def _begins_paragraph(group: Sequence[Line], line: Line, shape: _Shape) -> bool:
    above = group[-1]
    if line.table or above.table:
        return line.table != above.table
    if line.cells > 1 or above.cells > 1:
        return (line.cells > 1) != (above.cells > 1) or _is_apart(above, line, 2 * shape.pitch)
    if abs(line.size - above.size) > 0.09 * above.size + 0.1:
        return True
    if line.bold != above.bold and line.size < shape.heading_size:
        return True
    if _is_apart(above, line, shape.pitch) or line.mono != above.mono:
        return True
    return not line.mono and _starts_by_shape(group, line, shape)


def _is_apart(above: Line, line: Line, pitch: float) -> bool:
    step = line.middle - above.middle
    return step > _GAP * max(pitch, 1.05 * line.size) or step < 0


def _starts_by_shape(group: Sequence[Line], line: Line, shape: _Shape) -> bool:
    """Whether indent, marker or a short line before say that a paragraph begins."""
    above = group[-1]
    if _BROKEN_WORD.search(above.text):
        return False
    left, right = shape.left, shape.right
    ended = _SENTENCE_END.search(above.text) is not None
    short = above.x1 < left + _SHORT * (right - left)
    if _BULLET.match(line.text) or _CAPTION.match(line.text):
        return True
    if short and _ends_early(above, line, left, right):
        return True
    if _NUMBERED.match(line.text) and (short or ended):
        return True
    indent = line.x0 - above.x0
    if indent > _INDENT * line.size:
        hanging = len(group) == 1 and _is_item(group[0].text)
        return not hanging and (ended or short) and line.x0 - left < 0.3 * (right - left)
    if indent < -_INDENT * line.size and len(group) > 1:
        return ended and abs(group[-2].x0 - above.x0) < 1.0
    return short and ended


def _ends_early(above: Line, line: Line, left: float, right: float) -> bool:
    """Whether a line without a full stop is so short that it must be the last of its own.

    Han characters fill their lines; among words that holds for lines far from full.
    """
    if not needs_space(above.text, line.text):
        return True
    return above.x1 < left + _VERY_SHORT * (right - left) and not line.text[0].islower()


def _is_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBERED.match(text))


def _kind(lines: Sequence[Line], body: float) -> BlockKind:
    first = lines[0]
    if first.cells > 1:
        return BlockKind.TABLE if len(lines) > 1 else BlockKind.PARAGRAPH
    if all(line.mono for line in lines) and len(lines) > 1:
        return BlockKind.CODE
    if _CAPTION.match(first.text):
        return BlockKind.CAPTION
    if _is_heading(lines, body):
        return BlockKind.HEADING
    if _is_item(first.text):
        return BlockKind.LIST_ITEM
    return BlockKind.NOTE if first.size < _NOTE_SIZE * body else BlockKind.PARAGRAPH


def _is_heading(lines: Sequence[Line], body: float) -> bool:
    text = " ".join(line.text for line in lines)
    if len(lines) > _HEADING_LINES or len(text) > _LONGEST_HEADING:
        return False
    letters = len(_LETTERS.findall(text))
    if letters < 2 or text.rstrip().endswith((".", ",", ";", "。", "，", "；")):
        return False
    if lines[0].size >= _HEADING_SIZE * body:
        return True
    return lines[0].bold and lines[0].size >= 0.95 * body and len(text) <= 120


def _carries_over(page: Sequence[Paragraph], below: Paragraph) -> bool:
    """Whether a paragraph goes on at the top of the next column (footnotes are between)."""
    above = continued(page)
    if above is None or below.kind is not BlockKind.PARAGRAPH:
        return False
    if above.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
        return False
    if abs(above.size - below.size) > 0.3:
        return False
    end, start = above.lines[-1].text, below.lines[0].text
    if _SENTENCE_END.search(end):
        return False
    return start[0].islower() or end.endswith("-") or not needs_space(end, start)


def continued(page: Sequence[Paragraph]) -> Paragraph | None:
    """Return the last paragraph of a page before its footnotes."""
    return next((p for p in reversed(page) if p.kind is not BlockKind.NOTE), None)


def set_levels(paragraphs: Sequence[Paragraph], body: float) -> None:
    """Give headings their levels: the larger, the higher; bold ones of body size are last."""
    headings = [p for p in paragraphs if p.kind is BlockKind.HEADING]
    sizes: list[float] = []
    for size in sorted({p.size for p in headings if p.size >= _HEADING_SIZE * body}, reverse=True):
        if not sizes or size < sizes[-1] - 0.6:
            sizes.append(size)
    for heading in headings:
        rank = sum(size > heading.size + 0.6 for size in sizes)
        in_sizes = heading.size >= _HEADING_SIZE * body
        heading.level = min(6, (rank if in_sizes else len(sizes)) + 1)
