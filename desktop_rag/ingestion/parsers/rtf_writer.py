"""Paragraphs, tables and notes of rich text to blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from desktop_rag.domain.document import BlockKind
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.office_package import clean

_LONGEST_HEADING = 250
_LABEL = re.compile(r"(?:[•·▪◦\-–o]\s|\(?[0-9a-zA-Z]{1,4}[.)]\s)")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(slots=True)
class Flow:
    """Text that runs on its own: the body, a note, a header, a property."""

    pieces: list[str] = field(default_factory=list)
    level: int | None = None
    style: int = 0
    in_table: bool = False
    is_listed: bool = False


class RtfWriter:
    """Takes the words of rich text and appends blocks to an assembly."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._flows = [Flow()]
        self._row: list[str] = []
        self._rows: list[list[str]] = []
        self._notes: list[str] = []
        self.levels: dict[int, int] = {}
        self.title = ""

    @property
    def flow(self) -> Flow:
        """The text that is being read."""
        return self._flows[-1]

    def text(self, words: str) -> None:
        """Append words to the paragraph."""
        self.flow.pieces.append(words)

    def begin(self) -> None:
        """Begin a text of its own inside of the one that is being read."""
        self._flows.append(Flow())

    def end(self) -> str:
        """End that text and return its words."""
        return tidy("".join(self._flows.pop().pieces))

    def note(self, words: str, *, at_once: bool) -> None:
        """Keep a note for the end of the paragraph, or append it at once."""
        self._notes.append(words)
        if at_once:
            self._add_notes()

    def reset(self) -> None:
        """Forget what was said of the paragraph before."""
        flow = self.flow
        flow.level, flow.style, flow.in_table, flow.is_listed = None, 0, False, False

    def end_paragraph(self) -> None:
        """End a paragraph; within a note or a cell it is a new line."""
        flow = self.flow
        if len(self._flows) > 1 or flow.in_table:
            flow.pieces.append("\n")
            return
        words = tidy("".join(flow.pieces))
        flow.pieces.clear()
        if not words and not self._notes and not self._rows:
            return
        self.end_table()
        level = flow.level or self.levels.get(flow.style)
        if level and len(words) <= _LONGEST_HEADING:
            words = " ".join(words.split())
            self._assembly.add(BlockKind.HEADING, words, level=level)
            self.title = self.title or words
        else:
            listed = flow.is_listed and _LABEL.match(words)
            self._assembly.add(BlockKind.LIST_ITEM if listed else BlockKind.PARAGRAPH, words)
        self._add_notes()

    def end_cell(self) -> None:
        """End a cell of a table."""
        self._row.append(" ".join(tidy("".join(self.flow.pieces)).split()))
        self.flow.pieces.clear()

    def end_row(self) -> None:
        """End a row of a table."""
        if any(self._row):
            self._rows.append(self._row)
        self._row = []

    def end_table(self) -> None:
        """Append the table whose rows were read, if there is one."""
        self.end_row()
        if self._rows:
            self._assembly.table(self._rows, int(len(self._rows) > 1))
            self._rows = []
            self._add_notes()

    def finish(self) -> None:
        """End whatever is open."""
        while len(self._flows) > 1:
            self.note(self.end(), at_once=False)
        self.flow.in_table = False
        self.end_paragraph()
        self.end_table()
        self._add_notes()

    def _add_notes(self) -> None:
        for note in self._notes:
            self._assembly.add(BlockKind.NOTE, note)
        self._notes.clear()


def tidy(words: str) -> str:
    """Return words without characters nobody sees, halves of characters joined."""
    joined = _SURROGATES.sub(_whole, words)
    lines = (" ".join(line.split()) for line in clean(joined).split("\n"))
    return "\n".join(line for line in lines if line)


def _whole(match: re.Match[str]) -> str:
    return match[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
