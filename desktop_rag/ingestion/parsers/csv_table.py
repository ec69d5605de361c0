"""Tables as text: csv and tsv, whatever stands between the cells."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from desktop_rag.domain.document import Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.limits import ROWS_TOO_LONG
from desktop_rag.ingestion.parsers.problems import empty_file
from desktop_rag.ingestion.parsers.sheets import Allowance, add_rows
from desktop_rag.ingestion.parsers.text import read_text

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 100
_SAMPLE_CHARACTERS = 64_000
_LONGEST_CELL = 131_072
"""A quotation mark that is never closed would make one cell of the rest of the file."""

_SAID = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""How Excel is told what stands between the cells."""


class CsvParser:
    """Reads comma, semicolon, tab and pipe separated values in any usual encoding."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a table as text; see ``Parser``."""
        text, encoding = read_text(source, name)
        said = _SAID.match(text)
        delimiter = said[1] if said else delimiter_of(text)
        assembly = Assembly()
        rows = _rows(text[said.end() if said else 0 :], delimiter)
        whole = add_rows(assembly, rows, None, Allowance())
        if not len(assembly):
            raise empty_file(name)
        missing = () if whole else (UnreadableUnit(1, ROWS_TOO_LONG),)
        return assembly.finish(
            "csv", coverage=Coverage(read=1, unreadable=missing), encoding=encoding
        )


def delimiter_of(text: str) -> str:
    """Return what stands between the cells: what cuts most rows into equally many."""
    sample = text[:_SAMPLE_CHARACTERS]
    if len(sample) < len(text):
        sample = sample[: sample.rfind("\n") + 1] or sample
    return max(_DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def _evenness(sample: str, delimiter: str) -> float:
    """Return the share of rows of the usual width; 0 where nothing is cut."""
    widths = Counter(len(row) for row in islice(_rows(sample, delimiter), _SAMPLE_ROWS) if row)
    if not widths:
        return 0.0
    width, times = max(widths.items(), key=lambda item: (item[1], item[0]))
    return times / widths.total() + min(width, 50) / 1000 if width > 1 else 0.0


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows; from a broken quotation on, quotation marks are marks like others."""
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    whole = 0
    try:
        for row in reader:
            whole = reader.line_num
            yield [cell.strip() for cell in row]
    except csv.Error:
        lines = islice(io.StringIO(text, newline=""), whole, None)
        yield from ([cell.strip('" \r\n') for cell in line.split(delimiter)] for line in lines)
