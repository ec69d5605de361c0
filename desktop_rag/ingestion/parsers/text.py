"""Plain text: paragraphs, and a title and chapter lines where they show themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import Block, BlockKind, Coverage, Document, ParsedDocument
from desktop_rag.ingestion.parsers.encodings import decode
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import empty_file, not_text

LONGEST_TITLE = 250
"""Code points; what is longer than this is a paragraph whatever its place."""

_LINE = re.compile(r"[^\r\n\v\f\x85\u2028\u2029]+")
_SENTENCE_END = re.compile(r"[.!。！…;；:：,，、]['\"”’)）»」』\]]*$")
_INNER_SENTENCE_END = re.compile(
    r"[.!?。！？]['\"”’)）»」』\]]*(?:\s+[A-Z\d\"“]|(?=[\u4e00-\u9fff]))"
)
_CHAPTER = re.compile(
    r"(?i:chapter|part|section|article|appendix|annex|schedule)\s+(?i:\d+|[ivxlc]+|[a-z])\b"
    r"(?:\s*[.:–—-].*|\s+[A-Z\"“].*)?"
    r"|第\s*[〇零一二三四五六七八九十百千\d]+\s*[章节節編编篇部卷回条條](?:[\s:：].*|.{0,30})?"
)
_LONGEST_CHAPTER_LINE = 100
_BINARY_SHARE = 0.05
"""Above this share of control characters, what was decoded is no text."""

_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_WRAPPED_LINES = (40, 120)
"""Lines of text that a program broke at a column are this long, in code points."""


class TextParser:
    """Reads text in any usual encoding.

    The canonical text is the file's text, unchanged but for a byte order mark and NUL
    characters.
    """

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a text file; see ``Parser``."""
        text, encoding = read_text(source, name)
        return parse_text(text, encoding)


def read_text(source: Path | bytes, name: str) -> tuple[str, str]:
    """Return the text of a file without NUL, and the encoding it was taken to have.

    Raises:
        KnownError: there is no text, or it is no text.
    """
    decoded = decode(content_of(source))
    text = decoded.text.replace("\0", "")
    if not text.strip():
        raise empty_file(name)
    sample = text[:100_000]
    if len(_CONTROL.findall(sample)) > _BINARY_SHARE * len(sample):
        raise not_text(name)
    return text, decoded.encoding


def parse_text(text: str, encoding: str | None = None) -> ParsedDocument:
    """Find the structure of plain text that is already decoded."""
    blocks = tuple(_blocks(text))
    first = blocks[0]
    is_title = first.kind is BlockKind.HEADING
    return ParsedDocument(
        document=Document(text),
        blocks=blocks,
        coverage=Coverage(read=1),
        kind=Format.TEXT.value,
        title=" ".join(text[first.start : first.end].split()) if is_title else "",
        encoding=encoding,
    )


def _blocks(text: str) -> Iterator[Block]:
    lines = list(_lines(text))
    first = _title(text, lines)
    if first:
        start, end, _ = lines[0]
        yield Block(BlockKind.HEADING, start, end, level=1)
    yield from _paragraphs(text, lines[first:])


def _lines(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, follows a blank line) of every line that is not blank."""
    last_end = 0
    for match in _LINE.finditer(text):
        start, end = _trimmed(text, match.start(), match.end())
        if start < end:
            breaks = text.count("\n", last_end, start) or text.count("\r", last_end, start)
            yield start, end, breaks > 1
            last_end = end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    line = text[start:end]
    start += len(line) - len(line.lstrip())
    return start, max(start, end - (len(line) - len(line.rstrip())))


def _title(text: str, lines: list[tuple[int, int, bool]]) -> int:
    """Return 1 if the first line is the document's title, else 0.

    A title is one short line with more text after it. Titles of articles may end in a
    full stop, or be of two sentences: then an unbroken paragraph must follow at once, much
    longer than the title and than a line that a program has wrapped.
    """
    if len(lines) < 2 or lines[0][1] - lines[0][0] > LONGEST_TITLE:
        return 0
    title = text[lines[0][0] : lines[0][1]]
    if not any(map(str.isalnum, title)):
        return 0
    following, apart = lines[1][1] - lines[1][0], lines[1][2]
    inner = _INNER_SENTENCE_END.search(title) is not None
    if not inner and not _SENTENCE_END.search(title):
        return 0 if _looks_wrapped(lines) and not apart else 1
    longer = following > max(_WRAPPED_LINES[1], 1.5 * len(title))
    return int(longer and not apart)


def _looks_wrapped(lines: list[tuple[int, int, bool]]) -> bool:
    """Whether the first line is but the beginning of a paragraph broken at a column."""
    (start, end, _), (next_start, next_end, _) = lines[:2]
    low, high = _WRAPPED_LINES
    if not low <= end - start <= high or next_end - next_start > high:
        return False
    return abs((end - start) - (next_end - next_start)) <= 0.25 * (end - start)


def _paragraphs(text: str, lines: list[tuple[int, int, bool]]) -> Iterator[Block]:
    group: list[tuple[int, int, bool]] = []
    for line in lines:
        if line[2] and group:
            yield from _group_blocks(text, group)
            group = []
        group.append(line)
    if group:
        yield from _group_blocks(text, group)


def _group_blocks(text: str, group: list[tuple[int, int, bool]]) -> Iterator[Block]:
    """Yield the blocks of lines that stand together without a blank line between them."""
    if len(group) == 1 and _is_chapter(text[group[0][0] : group[0][1]]):
        yield Block(BlockKind.HEADING, group[0][0], group[0][1], level=2)
    elif _is_wrapped(group):
        yield Block(BlockKind.PARAGRAPH, group[0][0], group[-1][1])
    else:
        for start, end, _ in group:
            if _is_chapter(text[start:end]):
                yield Block(BlockKind.HEADING, start, end, level=2)
            else:
                yield Block(BlockKind.PARAGRAPH, start, end)


def _is_chapter(line: str) -> bool:
    if len(line) > _LONGEST_CHAPTER_LINE or _SENTENCE_END.search(line):
        return False
    return _CHAPTER.fullmatch(line) is not None


def _is_wrapped(group: list[tuple[int, int, bool]]) -> bool:
    """Whether the lines are one paragraph, broken at a column by a program."""
    lengths = [end - start for start, end, _ in group[:-1]]
    if not lengths:
        return True
    low, high = _WRAPPED_LINES
    return max(lengths) <= high and sum(n >= low for n in lengths) >= 0.7 * len(lengths)
