"""Rows of a sheet to a table: where its header is, and how much of it is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from zlib import crc32

from desktop_rag.domain.document import BlockKind
from desktop_rag.ingestion.parsers.assembly import BETWEEN_CELLS, Assembly, row_line
from desktop_rag.ingestion.parsers.limits import limits_in_force, weight
from desktop_rag.ingestion.parsers.office_package import clean

_HEAD_ROWS = 20
"""The header is looked for in so many rows."""

_HEADER_SHARE = 0.6
"""A header fills at least this share of the columns of the fullest row."""

_PART = 256
"""Rows; a long table is cut into blocks behind a row whose own words say so, after so many
rows on average, so that a row put in at the beginning moves few of the cuts."""

_LONGEST_PART = 4 * _PART
_NUMBER = re.compile(r"[-+(]?[\W_]*\d[\d.,:/\s'’-]*(?:e[-+]?\d+)?[\W_]*\)?", re.I)
_LONGEST_NUMBER = 40
_YEAR = re.compile(r"(?:19|20)\d\d")
"""Years name columns more often than they are in them."""


@dataclass(slots=True)
class Allowance:
    """How many bytes of text the sheets of one file may still give."""

    text: int = field(default_factory=lambda: limits_in_force().text)


def add_rows(
    assembly: Assembly, rows: Iterator[Sequence[str]], page: int | None, allowance: Allowance
) -> bool:
    """Append the rows of one sheet.

    Titles above the header become paragraphs. Every further block of the table names the
    same header, which the splitter repeats.

    Returns:
        Whether all of them were taken; if not, the allowance ended before the rows did.
    """
    filled = (row for row in rows if any(row))
    head = list(islice(filled, _HEAD_ROWS))
    first, header_rows = header_of(head)
    for row in head[:first]:
        words = clean(BETWEEN_CELLS.join(filter(None, _once(row))))
        assembly.add(BlockKind.PARAGRAPH, words, page=page)
    writer = _Writer(assembly, page, allowance, header_rows)
    for row in chain(head[first:], filled):
        if not writer.add(clean(row_line(row))):
            break
    writer.flush()
    return not writer.is_full


def header_of(head: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return the row at which a sheet's table begins, and how many rows are its header."""
    widest = max((_filled(row) for row in head), default=0)
    if widest < 2 or len(head) < 2:
        return 0, 0
    least = max(2.0, _HEADER_SHARE * widest)
    first = next((n for n, row in enumerate(head) if _filled(_once(row)) >= least), 0)
    if is_data_row(head[first]) or first + 1 >= len(head):
        return first, 0
    spans = any(one and one == other for one, other in pairwise(head[first]))
    if spans and first + 2 < len(head) and not any(map(_is_number, head[first + 1])):
        return first, 2
    return first, 1


def _once(row: Sequence[str]) -> list[str]:
    """Return a row with a cell that covers all of its columns said once."""
    said = {cell for cell in row if cell}
    return [next(iter(said))] if len(said) == 1 else list(row)


def _filled(row: Sequence[str]) -> int:
    return sum(1 for cell in row if cell)


def is_data_row(row: Sequence[str]) -> bool:
    """Whether most of a row's cells are numbers, so that it names no columns."""
    numbers = sum(map(_is_number, row))
    return numbers * 2 > _filled(row)


def _is_number(cell: str) -> bool:
    if len(cell) > _LONGEST_NUMBER or _YEAR.fullmatch(cell):
        return False
    return _NUMBER.fullmatch(cell) is not None


class _Writer:
    """Collects rows and appends them block by block."""

    def __init__(
        self, assembly: Assembly, page: int | None, allowance: Allowance, header_rows: int
    ) -> None:
        self._assembly = assembly
        self._page = page
        self._allowance = allowance
        self._header_rows = header_rows
        self._header: tuple[int, int] | None = None
        self._lines: list[str] = []
        self.is_full = False

    def add(self, line: str) -> bool:
        """Take one row; returns whether there was room for it."""
        if not line:
            return True
        self._allowance.text -= weight(line) + 1
        if self._allowance.text < 0:
            self.is_full = True
            return False
        self._lines.append(line)
        if len(self._lines) >= _PART // 4 and (
            crc32(line.encode("utf-8", "replace")) % _PART == 0 or len(self._lines) >= _LONGEST_PART
        ):
            self.flush()
        return True

    def flush(self) -> None:
        """Append what was collected."""
        header_rows = self._header_rows if self._header is None else 0
        self._header = self._assembly.table_lines(
            self._lines, header_rows, self._page, self._header
        )
        self._lines = []
