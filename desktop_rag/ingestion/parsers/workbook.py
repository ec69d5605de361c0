"""Workbooks of any format: sheets one after the other, each under its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.domain.metadata import MetadataValue
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.limits import ROWS_TOO_LONG
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.sheets import Allowance, add_rows
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml

SHEET_DAMAGED = "the sheet is damaged"


class WorkbookText:
    """Collects the sheets of a workbook; a sheet's number is its page."""

    def __init__(self) -> None:
        self._assembly = Assembly()
        self._allowance = Allowance()
        self._unreadable: list[UnreadableUnit] = []
        self._sheets = 0
        self._empty = 0

    def add(self, title: str, rows: Iterator[Sequence[str]], notes: Iterable[str] = ()) -> None:
        """Append the next sheet: its rows, then what is noted beside them.

        Rows that break off (``BrokenPart``, ``BrokenXml``) leave what came before.
        """
        self._sheets += 1
        number, before = self._sheets, len(self._unreadable)
        is_empty = True
        try:
            first = next((row for row in rows if any(row)), None)
            if first is not None:
                is_empty = False
                self._assembly.add(BlockKind.HEADING, title, level=1, page=number)
                whole = add_rows(self._assembly, chain((first,), rows), number, self._allowance)
                if not whole:
                    self._miss(number, ROWS_TOO_LONG)
        except (BrokenPart, BrokenXml):
            self._miss(number, SHEET_DAMAGED)
        for note in notes:
            if is_empty:
                is_empty = False
                self._assembly.add(BlockKind.HEADING, title, level=1, page=number)
            self._assembly.add(BlockKind.NOTE, note, page=number)
        self._empty += is_empty and len(self._unreadable) == before

    def break_off(self) -> None:
        """Note that the file is damaged behind the last sheet."""
        self._sheets += 1
        self._miss(self._sheets, SHEET_DAMAGED)

    def finish(
        self, kind: str, name: str, title: str, metadata: Mapping[str, MetadataValue]
    ) -> ParsedDocument:
        """Return the document.

        Raises:
            KnownError: there is not a single word, or no sheet could be read.
        """
        if not len(self._assembly):
            whole = self._sheets and not self._unreadable
            raise no_text(name, "All of its sheets are empty.") if whole else damaged(name)
        unread = len({unit.page for unit in self._unreadable if unit.reason == SHEET_DAMAGED})
        read = self._sheets - self._empty - unread
        coverage = Coverage(read, 0, self._empty, tuple(self._unreadable))
        return self._assembly.finish(
            kind, title=title, metadata=metadata, coverage=coverage, pages=self._sheets
        )

    def _miss(self, number: int, reason: str) -> None:
        self._unreadable.append(UnreadableUnit(number, reason))
