"""LaTeX: sections, lists and listings by the lines of the file's own text."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.line_blocks import LineBlocks
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.text import read_text

_LEVELS = {
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
}
_SECTION = re.compile(
    r"\s*\\(?P<name>part|chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?"
    r"\{(?P<words>(?:[^{}]|\{[^{}]*\})+)\}.*"
)
_CODE = re.compile(r"\s*\\begin\{(?P<name>verbatim|lstlisting|minted|alltt)\*?\}.*")
_TABLE = re.compile(r"\s*\\begin\{(?P<name>tabular|longtable|tabularx|tabulary)\*?\}.*")
_ITEM = re.compile(r"\s*\\item\b")
_FRAME = re.compile(
    r"\s*\\(?:begin|end|label|maketitle|tableofcontents|centering|vspace|newpage|clearpage"
    r"|bibliography\w*|usepackage|documentclass|input|include|includegraphics)\b[^a-z].*"
    r"|\s*\\(?:maketitle|tableofcontents|centering|newpage|clearpage)"
)
_BEGINNING = re.compile(r"\\begin\{document\}")
_STATED = re.compile(
    r"\\(?P<name>title|author|date)(?:\[[^\]]*\])?\{(?P<words>(?:[^{}]|\{[^{}]*\})+)\}"
)
_COMMAND = re.compile(r"\\(?:thanks|footnote)\{[^{}]*\}|\\[a-zA-Z]+\*?|\\\\|[{}~]")


class LatexParser:
    """Reads LaTeX; the canonical text is the file's own, without the preamble in blocks."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a file; see ``Parser``."""
        text, encoding = read_text(content_of(source), name)
        lines = LineBlocks(text)
        number = _body_of(lines)
        while number < len(lines):
            number = _take(lines, number)
        lines.close()
        if not lines.blocks:
            for line in range(len(lines)):
                lines.take(line)
        stated = {m["name"]: _COMMAND.sub(" ", m["words"]) for m in _STATED.finditer(text)}
        values = {key: " ".join(words.split()) for key, words in stated.items()}
        title = values.pop("title", "")
        return lines.finish(Format.LATEX.value, encoding, title, values)


def _body_of(lines: LineBlocks) -> int:
    begun = (n + 1 for n in range(len(lines)) if _BEGINNING.search(lines[n]))
    return next(begun, 0)


def _take(lines: LineBlocks, number: int) -> int:
    """Take what begins at a line; return the line after it."""
    line = lines[number]
    if (section := _SECTION.fullmatch(line)) is not None:
        lines.heading(number, _LEVELS[section["name"]], section.span("words"))
    elif (code := _CODE.fullmatch(line)) is not None:
        return _take_inside(lines, number + 1, code["name"], BlockKind.CODE)
    elif (table := _TABLE.fullmatch(line)) is not None:
        return _take_inside(lines, number + 1, table["name"], BlockKind.TABLE)
    elif not line or _FRAME.fullmatch(line):
        lines.close()
    elif _ITEM.match(line):
        lines.begin(number, BlockKind.LIST_ITEM)
    elif not line.lstrip().startswith("%"):
        lines.go_on(number)
    return number + 1


def _take_inside(lines: LineBlocks, number: int, name: str, kind: BlockKind) -> int:
    lines.close()
    end = f"\\end{{{name}"
    while number < len(lines) and end not in lines[number]:
        lines.take(number, kind)
        number += 1
    lines.close()
    return number + 1
