"""The order in which the lines of a page are read: column by column, tables by rows.

A recursive cut in two directions. A page is a pile of bands, from top to bottom; a band is
as high as its gutters (upright white stripes with lines on both sides) go through. A
band with gutters is either columns of text, each a small page of its own, or the rows
of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import median

from desktop_rag.ingestion.parsers.pdf_lines import (
    Line,
    joined_fragments,
    needs_space,
    rows_of,
)

_GUTTER = 0.9
"""The least width of a gutter, in font sizes: that from which fragments stay apart."""

_KEPT = 0.6
"""A band without gutters goes on above columns if it leaves them this much of theirs; a
centred title does not."""

_CORE = 0.25
"""Boxes of lines overlap; half of the height around the middle never does."""

_WHOLE = 0.48
_CELL_LINES = 8
"""A "cell" of more lines is a table that no level cut goes through."""

_DEPTH = 6
_ALIGNED = 0.5
"""With this share of lines beside a line of the next column, columns may be table cells."""

_WORDY = 4
_WORDY_HAN = 10
"""Words, or Han characters, that a line of running text usually has at least."""

_LEAST_LINES = 2

_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_MARKER = re.compile(r"\d{1,3}(?:\.\d{1,3})*[.)]?|[a-zA-Z][.)]|\([\w]{1,3}\)|[^\w\s]")
_MARKER_GAP = 2.5
"""How far, in font sizes, a number or bullet stands before its item."""

_NUMERIC = re.compile(r"[\d\s.,%$€£¥()+±–-]+|[—–-]")

Stripe = tuple[float, float]


def reading_order(lines: Iterable[Line]) -> list[list[Line]]:
    """Return the page's columns in reading order, each a list of lines from the top.

    The rows of a table come as single lines, their cells separated by tabs.
    """
    columns: list[list[Line]] = []
    _order(joined_fragments(lines), columns, 0)
    return columns


def _order(lines: list[Line], columns: list[list[Line]], depth: int) -> None:
    for band in _bands(lines):
        gutters = _column_gutters(band) if depth < _DEPTH else []
        if gutters:
            for part in _parts(band, gutters):
                _order(part, columns, depth + 1)
        else:
            columns.append(list(_rows(band)))


def _bands(lines: list[Line]) -> list[list[Line]]:
    """Cut a region into bands, each as high as its gutters go through."""
    bands: list[list[Line]] = []
    band: list[Line] = []
    gutters: list[Stripe] = []
    for group in _levels(lines):
        own = _gutters(group)
        shared = _gutters([*band, *group]) if band and (gutters or own) else own
        narrowed = not gutters and _widest(shared) < _KEPT * _widest(own)
        if band and (gutters or own) and (not shared or narrowed):
            bands.append(band)
            band, gutters = list(group), own
        else:
            band.extend(group)
            gutters = shared
    if band:
        bands.append(band)
    return bands


def _levels(lines: Iterable[Line], part: float = _CORE) -> Iterable[list[Line]]:
    """Yield groups of lines between which a level cut through the region is possible.

    ``part`` of each line's height, to both sides of its middle, must not be cut.
    """
    group: list[Line] = []
    bottom = float("-inf")
    for line in sorted(lines, key=lambda line: line.middle):
        core = part * (line.y1 - line.y0)
        if group and line.middle - core > bottom:
            yield group
            group = []
        group.append(line)
        bottom = max(bottom, line.middle + core)
    if group:
        yield group


def _gutters(lines: Sequence[Line]) -> list[Stripe]:
    """Return the upright stripes without ink that have lines on both sides."""
    if len(lines) < 2:
        return []
    width = _GUTTER * median(line.size for line in lines)
    gutters: list[Stripe] = []
    ordered = sorted((line.x0, line.x1) for line in lines)
    right = ordered[0][1]
    for x0, x1 in ordered[1:]:
        if x0 - right >= width:
            gutters.append((right, x0))
        right = max(right, x1)
    return gutters


def _widest(gutters: Sequence[Stripe]) -> float:
    return max((right - left for left, right in gutters), default=0.0)


def _parts(lines: list[Line], gutters: Sequence[Stripe]) -> list[list[Line]]:
    parts: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    for line in lines:
        parts[sum(line.x0 >= x1 for _, x1 in gutters)].append(line)
    return parts


def _column_gutters(band: list[Line]) -> list[Stripe]:
    """Return the gutters between columns of text, none where a table's cells stand."""
    gutters = _gutters(band)
    if not gutters:
        return []
    between_texts = [g for g in gutters if all(map(_is_wordy, _parts(band, [g])))]
    if between_texts:
        return between_texts
    parts = _parts(band, gutters)
    if min(map(len, parts)) < _LEAST_LINES:
        return []
    return gutters if _aligned_share(parts) < _ALIGNED or _are_lists(parts) else []


def _are_lists(parts: Sequence[Sequence[Line]]) -> bool:
    """Whether short entries are columns: an index, a list of names.

    They are when there are two of about one width, far apart, and neither holds numbers
    or labels ("Name:").
    """
    if len(parts) != 2:
        return False
    left, right = ((min(x.x0 for x in part), max(x.x1 for x in part)) for part in parts)
    pitch = right[0] - left[0]
    even = abs((right[1] - right[0]) - (left[1] - left[0])) < 0.35 * pitch
    numbers = any(
        sum(_NUMERIC.fullmatch(line.text) is not None for line in part) > 0.3 * len(part)
        for part in parts
    )
    labels = sum(line.text.endswith((":", "：")) for line in parts[0]) > 0.3 * len(parts[0])
    wide = right[0] - left[1] >= 2 * median(line.size for line in parts[0])
    return even and wide and not numbers and not labels


def _aligned_share(parts: Sequence[Sequence[Line]]) -> float:
    """Return the share of lines that stand beside a line of another part."""
    rows = list(rows_of([line for part in parts for line in part]))
    beside = sum(len(row) for row in rows if len(row) > 1)
    total = sum(len(row) for row in rows)
    return beside / total if total else 0.0


def _is_wordy(part: Sequence[Line]) -> bool:
    """Whether most of what a part says is in lines of running text."""
    total = sum(len(line.text) for line in part)
    wordy = [line for line in part if _words(line.text) >= 1]
    return len(wordy) >= _LEAST_LINES and sum(len(x.text) for x in wordy) >= 0.6 * total


def _words(text: str) -> float:
    """Return how much a line says: 1 is as much as running text has at least."""
    return max(len(text.split()) / _WORDY, len(_HAN.findall(text)) / _WORDY_HAN)


def _rows(band: list[Line]) -> Iterable[Line]:
    """Yield a band without columns line by line, what stands side by side as one line.

    In a table whose cells have several lines, lines of neighbouring cells overlap: all of
    a row is between two level cuts that go through the whole band.
    """
    if not _gutters(band):
        yield from map(_row, rows_of(band))
        return
    for level in _levels(band, _WHOLE):
        cells = [part for part in _parts(level, _gutters(level)) if part]
        if len(cells) == 1 or max(map(len, cells)) > _CELL_LINES:
            yield from map(_row, rows_of(level))
        else:
            yield _row([_cell(cell) for cell in cells])


def _cell(lines: Sequence[Line]) -> Line:
    """Return the lines of a cell as one."""
    if len(lines) == 1:
        return lines[0]
    ordered = [line for row in rows_of(lines) for line in row]
    text = ordered[0].text
    for line in ordered[1:]:
        text += (" " if needs_space(text, line.text) else "") + line.text
    return _around(ordered, text)


def _row(row: Sequence[Line]) -> Line:
    """Make one line of what stands side by side."""
    if len(row) == 1:
        return row[0]
    marker = len(row) == 2 and _is_marker(row[0], row[1])
    line = _around(row, (" " if marker else "\t").join(line.text for line in row))
    line.cells = 1 if marker else len(row)
    return line


def _around(lines: Sequence[Line], text: str) -> Line:
    main = max(lines, key=lambda line: len(line.text))
    return Line(
        text,
        min(line.x0 for line in lines),
        min(line.y0 for line in lines),
        max(line.x1 for line in lines),
        max(line.y1 for line in lines),
        main.size,
        all(line.bold for line in lines),
        main.mono,
    )


def _is_marker(left: Line, right: Line) -> bool:
    near = right.x0 - left.x1 < _MARKER_GAP * right.size
    return near and _MARKER.fullmatch(left.text) is not None
