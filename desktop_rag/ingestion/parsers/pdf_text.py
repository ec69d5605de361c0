"""The canonical text of a PDF: paragraphs as flowing text, every line's box kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.document import Block, BlockKind, LineBox
from desktop_rag.ingestion.parsers.pdf_lines import Line, needs_space
from desktop_rag.ingestion.parsers.pdf_paragraphs import Paragraph, continued
from desktop_rag.ingestion.parsers.sheets import is_data_row

_SOFT_HYPHEN = "\u00ad"
_HYPHENS = "-\u2010\u2011"
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_HYPHENATED = re.compile(r"[^\W\d_]+-[^\W\d_]+")
_URL_END = re.compile(r"(?:https?://|www\.)\S*[/?&=_-]$")
_BY_LINES = (BlockKind.CODE, BlockKind.TABLE)
_HYPHENATED_PREFIXES = frozenset({"all", "ex", "half", "self", "well"})
_LEAST_BROKEN = 3
"""Letters that a word in capitals has before and behind a break; codes have fewer."""


@dataclass(slots=True)
class _Writing:
    pieces: list[str]
    length: int = 0

    def append(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


@dataclass(frozen=True, slots=True)
class _Table:
    """The last block, when it is a table: one of as many columns may be its next part."""

    columns: int
    header: tuple[int, int] | None


class PdfText:
    """Writes paragraphs one after the other; blocks and boxes point into the text.

    Args:
        paragraphs: all of the document's: a word that has a hyphen within a line anywhere
            keeps it where it is broken.
    """

    def __init__(self, paragraphs: Sequence[Paragraph]) -> None:
        self._paragraphs = _carried_over(paragraphs)
        self._hyphenated: frozenset[str] | None = None
        self._words: str | None = None
        self._table: _Table | None = None

    def write(self) -> tuple[str, tuple[Block, ...]]:
        """Return the canonical text and its blocks."""
        writing = _Writing([])
        blocks: list[Block] = []
        for paragraph in self._paragraphs:
            if blocks:
                writing.append("\n\n")
            blocks.append(self._write(paragraph, writing))
        return "".join(writing.pieces), tuple(blocks)

    def _write(self, paragraph: Paragraph, writing: _Writing) -> Block:
        start = writing.length
        by_lines = paragraph.kind in _BY_LINES
        lines = paragraph.lines
        boxes: list[LineBox] = []
        for index, line in enumerate(lines):
            following = lines[index + 1].text if index + 1 < len(lines) else ""
            text, separator = self._ending(line.text, following, by_lines=by_lines)
            boxes.append(_box(line, writing.length, text, paragraph.page))
            writing.append(text)
            writing.append(separator)
        header = self._header(paragraph, boxes[0])
        return Block(
            *(paragraph.kind, start, writing.length, paragraph.level, paragraph.page, header),
            tuple(boxes),
        )

    def _header(self, paragraph: Paragraph, first: LineBox) -> tuple[int, int] | None:
        """Return where a table's header stands, on an earlier page if it goes on from there."""
        above, self._table = self._table, None
        if paragraph.kind is not BlockKind.TABLE:
            return None
        cells = paragraph.lines[0].text.split("\t")
        header: tuple[int, int] | None = first.start, first.end
        if is_data_row(cells):
            goes_on = above is not None and above.columns == len(cells)
            header = above.header if above is not None and goes_on else None
        self._table = _Table(len(cells), header)
        return header

    def _ending(self, text: str, following: str, *, by_lines: bool) -> tuple[str, str]:
        """Return a line as it is written, and what joins it to the following one."""
        broken = text.endswith(_SOFT_HYPHEN)
        if _SOFT_HYPHEN in text:
            text = text.replace(_SOFT_HYPHEN, "")
        if not following:
            return text, ""
        if by_lines:
            return text, "\n"
        if broken or _URL_END.search(text):
            return text, ""
        if text[-1:] and text[-1] in _HYPHENS and len(text) > 1:
            return self._hyphen_ending(text, following)
        return text, " " if needs_space(text, following) else ""

    def _hyphen_ending(self, text: str, following: str) -> tuple[str, str]:
        before, behind = _LAST_WORD.search(text[:-1]), _FIRST_WORD.match(following)
        if before is not None and behind is not None:
            keeps = self._keeps_hyphen(before[0], behind[0])
            return (text, "") if keeps else (text[:-1], "")
        joined = text[-2].isalnum() and following[0].isalnum()
        return text, "" if joined else " "

    def _keeps_hyphen(self, before: str, behind: str) -> bool:
        """Whether a hyphen at a line's end belongs to the word."""
        if behind[0].isupper():
            if f"{before}{behind}" in self._all_words():
                return False
            shouted = before.isupper() and behind.isupper()
            return not shouted or min(len(before), len(behind)) < _LEAST_BROKEN
        if len(before) == 1 or before.lower() in _HYPHENATED_PREFIXES:
            return True
        return f"{before}-{behind}".lower() in self._vocabulary()

    def _vocabulary(self) -> frozenset[str]:
        if self._hyphenated is None:
            self._hyphenated = frozenset(
                word.lower()
                for paragraph in self._paragraphs
                for line in paragraph.lines
                if "-" in line.text
                for word in _HYPHENATED.findall(line.text)
            )
        return self._hyphenated

    def _all_words(self) -> str:
        if self._words is None:
            self._words = "\n".join(line.text for p in self._paragraphs for line in p.lines)
        return self._words


def _carried_over(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Join paragraphs with their continuation in the next column."""
    result: list[Paragraph] = []
    for paragraph in paragraphs:
        above = continued(result) if paragraph.continues else None
        if above is None:
            result.append(replace(paragraph, lines=list(paragraph.lines)))
        else:
            above.lines.extend(paragraph.lines)
    return result


def _box(line: Line, start: int, text: str, page: int) -> LineBox:
    corners = (round(value, 1) for value in (line.x0, line.y0, line.x1, line.y1))
    return LineBox(start, start + len(text), page, *corners)
