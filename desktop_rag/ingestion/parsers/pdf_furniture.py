"""Running headers, footers and page numbers: what a page says on behalf of the book."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from desktop_rag.ingestion.parsers.pdf_lines import Line, PageLines, rows_of

_OUTER_ROWS = 2
_ROWS = 4
_ZONE = 0.15
"""Headers and footers are among the first and last two rows of a page, or the first and last
four in the outer 15 % of its height."""

_LEAST_WHITE = 0.3
"""Lines of one text have less white between their boxes."""

_JITTER = 4.0
"""Points by which the same footer may stand higher or lower from page to page."""

_LEAST_PAGES = 3
_DENSITY = 0.4
"""Of the pages between its first and last, those on which a header is (left pages, right
pages, and pages without)."""

_FIRST_PAGE = 500
"""The largest number with which the pages of a part of a book are counted from."""

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivxlc]{1,7}")
_PAGE_NUMBER = re.compile(
    r"[-–—|\s]*(?:page|p\.|seite|第)?\s*#\s*(?:页|頁)?(?:\s*(?:of|/|von|共)\s*#\s*(?:页|頁)?)?[-–—|\s]*"
)
_LARGE = 1.2
"""Times the body's size: larger lines are titles, as on slides, not headers."""


def without_furniture(pages: Sequence[PageLines], body_size: float) -> list[list[Line]]:
    """Return each page's lines without what is repeated at its edges.

    A line is furniture when the same words (numbers aside) stand at the same height on
    several pages. The same words elsewhere on the page are left alone.
    """
    places: dict[str, list[tuple[int, Line]]] = defaultdict(list)
    page_rows = [list(rows_of(page.lines)) for page in pages]
    for number, (page, rows) in enumerate(zip(pages, page_rows, strict=True)):
        for line in _edge_lines(rows, page.height):
            if line.size <= _LARGE * body_size:
                places[_key(line.text)].append((number, line))
    repeated = {
        id(line)
        for key, found in places.items()
        for cluster in _same_height(found)
        if _is_furniture(key, cluster)
        for _, line in cluster
    }
    if not repeated:
        return [page.lines for page in pages]
    return [_peeled(page, rows, repeated) for page, rows in zip(pages, page_rows, strict=True)]


def _peeled(page: PageLines, rows: list[list[Line]], repeated: set[int]) -> list[Line]:
    """Take repeated rows off a page from both edges, as far as they reach.

    They end where there is white: what stands close to the text below it belongs to it.
    A page of nothing else keeps its lines, but for its number.
    """
    flags = [_is_removable(row, page.height, repeated) for row in rows]
    if all(flags):
        return [line for line in page.lines if not _is_page_number(line)]
    top = _run(rows, flags)
    bottom = _run(rows[::-1], flags[::-1])
    removed = {id(line) for row in [*rows[:top], *rows[len(rows) - bottom :]] for line in row}
    return [line for line in page.lines if id(line) not in removed]


def _is_removable(row: list[Line], height: float, repeated: set[int]) -> bool:
    if not all(id(line) in repeated for line in row):
        return False
    outside = not _ZONE * height < row[0].middle < (1 - _ZONE) * height
    return outside or all(map(_is_page_number, row))


def _is_page_number(line: Line) -> bool:
    return _PAGE_NUMBER.fullmatch(_key(line.text)) is not None


def _run(rows: list[list[Line]], flags: list[bool]) -> int:
    """Return how many of the first rows may go, up to a gap before the next one."""
    count = flags.index(False) if False in flags else len(flags)
    while 0 < count < len(rows) and _white(rows[count - 1], rows[count]) < _LEAST_WHITE:
        count -= 1
    return count


def _white(row: list[Line], other: list[Line]) -> float:
    """Return the white between two rows, in sizes of the first one's font."""
    below = min(line.y0 for line in other) - max(line.y1 for line in row)
    above = min(line.y0 for line in row) - max(line.y1 for line in other)
    return max(below, above) / row[0].size


def _edge_lines(rows: list[list[Line]], height: float) -> Iterator[Line]:
    """Yield the lines of the outer rows, and of a few more in the outer zones."""
    inner = range(_ROWS, max(_ROWS, len(rows) - _ROWS))
    for number, row in enumerate(rows):
        if number in inner:
            continue
        from_edge = min(number, len(rows) - 1 - number)
        outside = not _ZONE * height < row[0].middle < (1 - _ZONE) * height
        if from_edge < _OUTER_ROWS or outside:
            yield from row


def _key(text: str) -> str:
    key = _DIGITS.sub("#", text.casefold())
    return "#" if _ROMAN.fullmatch(key) else key


def _same_height(found: list[tuple[int, Line]]) -> list[list[tuple[int, Line]]]:
    clusters: list[list[tuple[int, Line]]] = []
    for number, line in sorted(found, key=lambda item: item[1].middle):
        if clusters and line.middle - clusters[-1][0][1].middle <= _JITTER:
            clusters[-1].append((number, line))
        else:
            clusters.append([(number, line)])
    return clusters


def _is_furniture(key: str, cluster: Sequence[tuple[int, Line]]) -> bool:
    pages = sorted({number for number, _ in cluster})
    if _PAGE_NUMBER.fullmatch(key) and len(pages) >= 2:
        return True
    span = pages[-1] - pages[0] + 1
    often = len(pages) >= _LEAST_PAGES and len(pages) >= _DENSITY * span
    return often and _numbers_follow_pages(cluster)


def _numbers_follow_pages(cluster: Sequence[tuple[int, Line]]) -> bool:
    """Whether the numbers in a repeated line are always the same, or count the pages.

    Others are what the line is about: the number of an invoice, a date.
    """
    pages = [number for number, _ in cluster]
    for values in zip(*(_DIGITS.findall(line.text) for _, line in cluster), strict=False):
        offsets = {int(value[-9:]) - page for value, page in zip(values, pages, strict=True)}
        counts = len(offsets) == 1 and abs(next(iter(offsets))) <= _FIRST_PAGE
        if not counts and len(set(values)) > 1:
            return False
    return True
