"""Source code: its lines, under the functions and classes that show themselves."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.formats import Format, suffix_of
from desktop_rag.ingestion.parsers.line_blocks import LineBlocks
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.text import read_text

_LONGEST_HEADING = 200
_DEEPEST_INDENT = 8
_DEFINITION = re.compile(
    r"\s*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub"
    r"(?:\([\w: ]+\))?|override|virtual|sealed|partial|open|data|inline|unsafe|extern|local|const"
    r"|suspend|case|declare)\s+)*"
    r"(?:(?:def|class|function\*?|func|fn|interface|struct|enum|union|impl|trait|module|namespace"
    r"|package|object|protocol|extension|sub|procedure|subroutine|record|macro_rules!|defmodule"
    r"|defp?|type)\s+[\w$.<~\"'(]"
    r"|(?i:create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?"
    r"(?:table|view|function|procedure|trigger|index)\s+\S))"
)
_METHOD = re.compile(
    r"\s+(?:(?:public|private|protected|internal|static|final|override|virtual|async)\s+)+"
    r"[\w<>\[\],.? ]+\([^;]*$"
)
_C_FUNCTION = re.compile(r"[A-Za-z_][\w\s*&<>:,~]*[\s*&]~?[\w:]+\s*\([^;={}]*\)?[^;=]*$")
_C_LIKE = frozenset({".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".m", ".mm", ".d"})
_C_STATEMENT = re.compile(r"(?:return|else|if|for|while|switch|case|typedef|using|goto)\b")
_SHELL_FUNCTION = re.compile(r"[\w-]+\s*\(\)\s*\{?$")


class CodeParser:
    """Reads source code; the canonical text is the file's own."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read source code; see ``Parser``."""
        text, encoding = read_text(content_of(source), name)
        return parse_code(text, encoding, suffix_of(name), Format.CODE.value)


def parse_code(text: str, encoding: str, suffix: str, kind: str) -> ParsedDocument:
    """Find the definitions in source code that is already decoded."""
    lines = LineBlocks(text)
    for number in range(len(lines)):
        line = lines[number]
        if _is_definition(line, suffix):
            indent = min(len(line) - len(line.lstrip()), _DEEPEST_INDENT)
            lines.heading(number, 2 if indent == 0 else 3 if indent <= 4 else 4)
        else:
            lines.take(number, BlockKind.CODE)
    return lines.finish(kind, encoding)


def _is_definition(line: str, suffix: str) -> bool:
    if not line or len(line) > _LONGEST_HEADING or line.lstrip()[:1] in "#/*-;%":
        return False
    if len(line) - len(line.lstrip()) > _DEEPEST_INDENT:
        return False
    if _DEFINITION.match(line) or _METHOD.fullmatch(line):
        return not line.endswith(";")
    if suffix in _C_LIKE and not _C_STATEMENT.match(line):
        return _C_FUNCTION.fullmatch(line) is not None
    return _SHELL_FUNCTION.fullmatch(line) is not None
