"""reStructuredText: headings, lists, code and tables by the lines of the file's own text."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.line_blocks import LineBlocks, first_heading
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.text import read_text

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1+")
_ITEM = re.compile(r"\s*(?:[-*+•]|(?:\d+|#|[a-zA-Z])[.)]|\(\d+\))\s+\S")
_DIRECTIVE = re.compile(r"\s*\.\.\s+(?P<name>[\w:-]+)::(?P<rest>.*)")
_CODE = frozenset({"code", "code-block", "sourcecode", "literalinclude", "parsed-literal", "math"})
_FIELD = re.compile(r"\s*:(?P<name>[^:]+):\s*(?P<value>.*)")
_GRID = re.compile(r"\s*\+[-=+]+\+")
_SIMPLE = re.compile(r"\s*=+(?:\s+=+)+")
_KEPT_FIELDS = {"author": "author", "authors": "author", "date": "date"}


class RstParser:
    """Reads reStructuredText; levels of headings are in the order in which marks appear."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a file; see ``Parser``."""
        text, encoding = read_text(content_of(source), name)
        walk = _Walk(LineBlocks(text))
        walk.run()
        title = first_heading(walk.lines)
        return walk.lines.finish(Format.RST.value, encoding, title, walk.metadata)


class _Walk:
    def __init__(self, lines: LineBlocks) -> None:
        self.lines = lines
        self.metadata: dict[str, str] = {}
        self._marks: list[tuple[str, bool]] = []
        self._number = 0

    def run(self) -> None:
        while self._number < len(self.lines):
            line = self.lines[self._number]
            if not (self._heading(line) or self._table(line) or self._marked(line)):
                self._text(line)

    def _heading(self, line: str) -> bool:
        """Take a heading: a line with a rule below it, and perhaps one above."""
        over = _RULE.fullmatch(line) is not None and bool(self.lines[self._number + 1])
        words = self._number + over
        rule = self.lines[words + 1]
        title = self.lines[words]
        if not title.strip() or _RULE.fullmatch(title) or not _RULE.fullmatch(rule):
            return False
        if (over and rule != line) or len(rule) < min(len(title), 3):
            return False
        mark = (rule[0], over)
        if mark not in self._marks:
            self._marks.append(mark)
        self.lines.heading(words, self._marks.index(mark) + 1)
        self._number = words + 2
        return True

    def _table(self, line: str) -> bool:
        pattern = _GRID if _GRID.fullmatch(line) else _SIMPLE if _SIMPLE.fullmatch(line) else None
        if pattern is None:
            return False
        first = last = self._number
        rules: list[int] = []
        while self.lines[last] and (pattern is _SIMPLE or self.lines[last].lstrip()[0] in "+|"):
            if pattern.fullmatch(self.lines[last]):
                rules.append(last)
            last += 1
        named = next((n for n in rules[1:-1] if pattern is _SIMPLE or "=" in self.lines[n]), first)
        self.lines.table(first, last, named)
        self._number = last
        return True

    def _marked(self, line: str) -> bool:
        """Take a directive, a comment, a field or what stands for itself."""
        directive = _DIRECTIVE.fullmatch(line)
        if directive is not None:
            self._number += 1
            if directive["name"] in _CODE:
                self._code(_indent(line))
            elif directive["rest"].strip():
                self.lines.begin(self._number - 1, BlockKind.PARAGRAPH)
                self.lines.close()
            return True
        field = _FIELD.fullmatch(line)
        if field is not None:
            key = _KEPT_FIELDS.get(field["name"].lower())
            if key is not None and field["value"]:
                self.metadata.setdefault(key, field["value"])
            self.lines.begin(self._number, BlockKind.PARAGRAPH)
            self._number += 1
            return True
        is_mark = line.lstrip().startswith(".. ") or line.strip() == ".."
        self._number += is_mark
        return is_mark

    def _text(self, line: str) -> None:
        if not line:
            self.lines.close()
        elif _ITEM.match(line):
            self.lines.begin(self._number, BlockKind.LIST_ITEM)
        elif self._number and _ITEM.match(self.lines[self._number - 1]) and _indent(line):
            self.lines.take(self._number, BlockKind.LIST_ITEM)
        elif not _RULE.fullmatch(line):
            self.lines.take(self._number)
        self._number += 1
        if line.endswith("::"):
            self._code(_indent(line))

    def _code(self, indent: int) -> None:
        """Take the lines that are further in than ``indent`` as code."""
        self.lines.close()
        while self._number < len(self.lines):
            line = self.lines[self._number]
            if line and _indent(line) <= indent:
                break
            if not _FIELD.fullmatch(line):
                self.lines.take(self._number, BlockKind.CODE)
            self._number += 1
        self.lines.close()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
