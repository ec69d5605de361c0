"""OpenDocument spreadsheets (ods)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.odf_package import OdfPackage
from desktop_rag.ingestion.parsers.odf_tables import repeats, row_cells
from desktop_rag.ingestion.parsers.office_package import attribute
from desktop_rag.ingestion.parsers.workbook import WorkbookText
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, forget, local_name

_TAGS = ("{*}table", "{*}table-row")


class OdsParser:
    """Reads spreadsheets as they are shown: the file holds the words of every cell."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a spreadsheet; see ``Parser``."""
        package = OdfPackage(source, name)
        with package.archive:
            text = WorkbookText()
            try:
                for (_, title), rows in groupby(_rows(package), key=lambda row: row[:2]):
                    text.add(title, (cells for _, _, cells in rows))
            except (BrokenPart, BrokenXml):
                text.break_off()
            title, metadata = package.properties()
            return text.finish("ods", name, title, metadata)


def _rows(package: OdfPackage) -> Iterator[tuple[int, str, list[str]]]:
    """Yield (sheet number, sheet name, cells) of all rows; a sheet begins with a blank one."""
    number, title, depth = 0, "", 0
    for event, element in package.stream(_TAGS, ("start", "end")):
        if local_name(element) == "table":
            depth += 1 if event == "start" else -1
            if event == "start" and depth == 1:
                number += 1
                title = attribute(element, "name")
                yield number, title, []
        elif event == "end" and depth == 1:
            cells = row_cells(element)
            for _ in range(repeats(element) if cells else 0):
                yield number, title, list(cells)
            forget(element)
