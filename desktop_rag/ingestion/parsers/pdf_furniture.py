"""Running headers, footers and page numbers: what a page says on behalf of the book."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from desktop_rag.ingestion.parsers.pdf_lines import Line, PageLines, rows_of

_OUTER_ROWS = 2
_ROWS = 4
_ZONE = 0.15
"""Headers and footers are among the first and last two rows of a page, or the first and last
four in the outer 15 % of its height."""

_JITTER = 4.0
"""Points by which the same footer may stand higher or lower from page to page."""

_LEAST_PAGES = 3
_DENSITY = 0.4
"""Of the pages between its first and last, those on which a header is (left pages, right
pages, and pages without)."""

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
    for number, page in enumerate(pages):
        for line in _edge_lines(page):
            if line.size <= _LARGE * body_size:
                places[_key(line.text)].append((number, line))
    removed = {
        id(line)
        for key, found in places.items()
        for cluster in _same_height(found)
        if _is_furniture(key, cluster)
        for _, line in cluster
    }
    return [[line for line in page.lines if id(line) not in removed] for page in pages]


def _edge_lines(page: PageLines) -> list[Line]:
    """Return the lines of the outer rows, and of a few more in the outer zones."""
    rows = list(rows_of(page.lines))
    zone = _ZONE * page.height
    edge: dict[int, Line] = {}
    for number, row in enumerate(rows):
        from_edge = min(number, len(rows) - 1 - number)
        outside = not zone < row[0].middle < page.height - zone
        if from_edge < _OUTER_ROWS or (outside and from_edge < _ROWS):
            edge.update((id(line), line) for line in row)
    return list(edge.values())


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
    return len(pages) >= _LEAST_PAGES and len(pages) >= _DENSITY * span
