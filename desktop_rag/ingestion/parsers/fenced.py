"""Org and AsciiDoc: headings marked at the line's beginning, blocks between two marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.line_blocks import LineBlocks, first_heading
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.text import read_text


@dataclass(frozen=True, slots=True)
class Marks:
    """How a language marks its lines.

    ``heading`` has the groups "mark" and "words"; ``fence`` begins code that ``closing``
    ends, where "{}" is the beginning's group "end"; ``attribute`` has "name" and "value";
    ``caption`` has "words"; ``byline`` is who wrote it, right below the title.
    """

    heading: re.Pattern[str]
    fence: re.Pattern[str]
    closing: str
    attribute: re.Pattern[str]
    item: re.Pattern[str]
    passed_over: re.Pattern[str]
    table_row: re.Pattern[str]
    table_rule: re.Pattern[str]
    caption: re.Pattern[str]
    byline: re.Pattern[str] | None = None


ORG = Marks(
    heading=re.compile(
        r"(?P<mark>\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s+)?(?:\[#[A-Z]\]\s+)?"
        r"(?P<words>.+?)(?:\s+:[\w@:]+:)?"
    ),
    fence=re.compile(r"\s*#\+begin_(?P<end>src|example|export|verse)\b.*", re.IGNORECASE),
    closing=r"\s*#\+end_{}\s*",
    attribute=re.compile(r"#\+(?P<name>title|author|date):\s*(?P<value>.+)", re.IGNORECASE),
    item=re.compile(r"\s*(?:[-+]|\s\*|\d+[.)])\s+\S"),
    passed_over=re.compile(r"\s*(?:#\+\S+.*|#\s.*|#|:[\w-]+:.*)"),
    table_row=re.compile(r"\s*\|.*"),
    table_rule=re.compile(r"\s*\|[-+|]+"),
    caption=re.compile(r"\s*#\+caption:\s*(?P<words>\S.*)", re.IGNORECASE),
)
ASCIIDOC = Marks(
    heading=re.compile(r"(?P<mark>={1,6}|#{1,6})\s+(?P<words>\S.*)"),
    fence=re.compile(r"(?P<end>-{4,}|\.{4,}|`{3}).*"),
    closing=r"{}",
    attribute=re.compile(r":(?P<name>author|revdate|doctitle):\s*(?P<value>.+)"),
    item=re.compile(r"\s*(?:[*.-]{1,5}|\d+\.)\s+\S"),
    passed_over=re.compile(r"//.*|\[[^\]]*\]|:[!\w-]+:.*|[=*_+]{4,}|\+|include::.*"),
    table_row=re.compile(r"\|.*"),
    table_rule=re.compile(r"\|={3,}"),
    caption=re.compile(r"\.(?P<words>[^\s.].*)"),
    byline=re.compile(r"(?P<author>\w[^<>]*?)\s+<[^<>\s]+@[^<>\s]+>"),
)
_METADATA = {"title": "title", "doctitle": "title", "author": "author"}


class OrgParser:
    """Reads Org files; the canonical text is the file's own."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a file; see ``Parser``."""
        return _parse(source, name, ORG, Format.ORG)


class AsciiDocParser:
    """Reads AsciiDoc files; the canonical text is the file's own."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a file; see ``Parser``."""
        return _parse(source, name, ASCIIDOC, Format.ASCIIDOC)


def _parse(source: Path | bytes, name: str, marks: Marks, kind: Format) -> ParsedDocument:
    text, encoding = read_text(content_of(source), name)
    lines = LineBlocks(text)
    metadata: dict[str, str] = {}
    number = 0
    while number < len(lines):
        number = _take(lines, number, marks, metadata)
    lines.close()
    if not lines.blocks:
        lines.take(0)
    title = metadata.pop("title", "") or first_heading(lines)
    return lines.finish(kind.value, encoding, title, metadata)


def _take(lines: LineBlocks, number: int, marks: Marks, metadata: dict[str, str]) -> int:
    """Take what begins at a line; return the line after it."""
    line = lines[number]
    if (heading := marks.heading.fullmatch(line)) is not None:
        lines.heading(number, len(heading["mark"]), heading.span("words"))
    elif (fence := marks.fence.fullmatch(line)) is not None:
        return _take_code(lines, number + 1, marks.closing.replace("{}", re.escape(fence["end"])))
    elif (attribute := marks.attribute.fullmatch(line)) is not None:
        name = attribute["name"].lower()
        metadata.setdefault(_METADATA.get(name, "date"), attribute["value"].strip())
    elif (caption := marks.caption.fullmatch(line)) is not None:
        lines.caption(number, caption.span("words"))
    elif number == 1 and marks.byline and (byline := marks.byline.fullmatch(line)) is not None:
        metadata.setdefault("author", byline["author"])
        lines.take(number)
    elif marks.table_row.fullmatch(line):
        return _take_table(lines, number, marks)
    elif not line or marks.passed_over.fullmatch(line):
        lines.close()
    elif marks.item.match(line):
        lines.begin(number, BlockKind.LIST_ITEM)
    elif number and line[0].isspace() and marks.item.match(lines[number - 1]):
        lines.take(number, BlockKind.LIST_ITEM)
    else:
        lines.take(number)
    return number + 1


def _take_code(lines: LineBlocks, number: int, closing: str) -> int:
    end = re.compile(closing, re.IGNORECASE)
    lines.close()
    while number < len(lines) and not end.fullmatch(lines[number]):
        lines.take(number, BlockKind.CODE)
        number += 1
    lines.close()
    return number + 1


def _take_table(lines: LineBlocks, first: int, marks: Marks) -> int:
    """Take a table; a rule, or a blank line, after its first row makes that the header."""
    fenced = marks is ASCIIDOC and marks.table_rule.fullmatch(lines[first]) is not None
    last = first + fenced
    while last < len(lines):
        if fenced and marks.table_rule.fullmatch(lines[last]):
            break
        if not fenced and not marks.table_row.fullmatch(lines[last]):
            break
        last += 1
    rows = [n for n in range(first + fenced, last) if lines[n]]
    rows = [n for n in rows if not marks.table_rule.fullmatch(lines[n])]
    if rows:
        after = lines[rows[0] + 1]
        named = len(rows) > 1 and (not after or marks.table_rule.fullmatch(after) is not None)
        lines.table(rows[0], rows[-1] + 1, rows[0] + 1 if named else rows[0])
    return last + fenced
