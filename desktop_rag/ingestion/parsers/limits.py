"""How much of one file is read, whatever its format is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from desktop_rag.domain.document import Block, Document, ParsedDocument, UnreadableUnit

TEXT_TOO_LONG = "too long: only the first part was read"
"""Why the rest of a very long document is missing."""

ROWS_TOO_LONG = "too long: only the first rows were read"
"""Why the rest of a table is missing."""

_TOO_LONG = frozenset({TEXT_TOO_LONG, ROWS_TOO_LONG})

TOO_MANY_PAGES = "too many pages: only the first ones were read"
"""Why the last pages of a very long document are missing."""


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """What is read of one file; the rest of a longer one is named in its coverage.

    Args:
        pages: of a document that has pages.
        text: bytes of UTF-8. Reading, splitting and analysing the default takes 586 MB and
            41 s of a processor for Chinese (16 million characters), 403 MB and 36 s for
            36 MB of English (a sheet of 300,000 rows); the limits of a file are 1,500 MB and
            120 s.
        unpacked: bytes that an archive or a compressed document may unpack to in all.
        depth: how deep files may lie inside each other.

    Raises:
        ValueError: a limit is not positive.
    """

    pages: int = 20_000
    text: int = 48_000_000
    unpacked: int = 1 << 30
    depth: int = 3

    def __post_init__(self) -> None:
        if min(self.pages, self.text, self.unpacked, self.depth) <= 0:
            raise ValueError("limits must be greater than 0")


_in_force: ContextVar[ParseLimits] = ContextVar("limits", default=ParseLimits())  # noqa: B039


def limits_in_force() -> ParseLimits:
    """Return the limits of the file that is being read."""
    return _in_force.get()


@contextmanager
def limited(limits: ParseLimits) -> Iterator[None]:
    """Read files within other limits than the usual ones."""
    token = _in_force.set(limits)
    try:
        yield
    finally:
        _in_force.reset(token)


def weight(text: str) -> int:
    """Return the bytes of a text in UTF-8, by which its length is limited."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def bounded(parsed: ParsedDocument) -> ParsedDocument:
    """Return as much of a document as the limits in force allow.

    It ends behind a block or a line. What was left out is in the coverage.
    """
    text, most = parsed.document.text, limits_in_force().text
    if 4 * len(text) <= most or weight(text) <= most:
        return parsed
    end = len(text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore"))
    kept = [block for block in parsed.blocks if block.end <= end]
    broken = next((block for block in parsed.blocks if block.end > end), None)
    if broken is None:  # blanks alone are left out
        return parsed
    line_end = text.rfind("\n", broken.start, end)
    if line_end > broken.start or not kept:
        kept.append(_cut(broken, line_end if line_end > broken.start else end))
    document = Document(text[: kept[-1].end], parsed.document.metadata)
    return cut_off(replace(parsed, document=document, blocks=tuple(kept)), broken.page or 1)


def cut_off(parsed: ParsedDocument, page: int = 1) -> ParsedDocument:
    """Return a document that says of itself, once, that it is read up to ``page`` alone."""
    coverage = parsed.coverage
    if any(unit.reason in _TOO_LONG for unit in coverage.unreadable):
        return parsed
    missing = (*coverage.unreadable, UnreadableUnit(page, TEXT_TOO_LONG))
    return replace(parsed, coverage=replace(coverage, unreadable=missing))


def _cut(block: Block, end: int) -> Block:
    lines = tuple(line for line in block.lines if line.end <= end)
    header = block.header if block.header and block.header[1] < end else None
    return replace(block, end=end, header=header, lines=lines)
