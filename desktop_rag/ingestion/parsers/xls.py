"""Excel workbooks of before 2007 (xls)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.merged_cells import Area, MergedCells
from desktop_rag.ingestion.parsers.number_formats import Writer, general, number_writer
from desktop_rag.ingestion.parsers.ole import ole_properties
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged, needs_password
from desktop_rag.ingestion.parsers.workbook import WorkbookText

_ENCRYPTED = "encrypted"


class XlsParser:
    """Reads old workbooks: the values that Excel has saved, as they are shown."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a workbook; see ``Parser``."""
        content = content_of(source)
        book = _opened(content, name)
        text = WorkbookText()
        writers = _Writers(book)
        for number, sheet in enumerate(book.sheet_names()):
            text.add(sheet, _rows(book, number, writers), _notes(book, number))
            book.unload_sheet(number)
        title, metadata = ole_properties(content)
        return text.finish("xls", name, title, metadata)


def _opened(content: bytes, name: str) -> Any:  # noqa: ANN401  - the library has no types
    import xlrd  # needed by the processes that read files alone

    try:
        return xlrd.open_workbook(
            file_contents=content, formatting_info=True, on_demand=True, logfile=io.StringIO()
        )
    except xlrd.XLRDError as error:
        if _ENCRYPTED in str(error).lower():
            raise needs_password(name, "Excel") from error
        raise damaged(name) from error
    except (MemoryError, OSError):
        raise
    except Exception as error:  # the library trusts what the file says of itself
        raise damaged(name) from error


class _Writers:
    """The number formats of a workbook, by the number of a cell's style."""

    def __init__(self, book: Any) -> None:  # noqa: ANN401
        self._book = book
        self.of = cache(self._of)

    def _of(self, style: int) -> Writer:
        try:
            key = self._book.xf_list[style].format_key
            code = self._book.format_map[key].format_str
        except (IndexError, KeyError):
            return general
        return number_writer(code, bool(self._book.datemode)) if code else general


def _rows(book: Any, number: int, writers: _Writers) -> Iterator[list[str]]:  # noqa: ANN401
    try:
        sheet = book.sheet_by_index(number)
        merged = MergedCells(_areas(sheet))
        for row in range(sheet.nrows):
            types, values = sheet.row_types(row), sheet.row_values(row)
            cells = [
                _words(kind, value, sheet, row, column, writers)
                for column, (kind, value) in enumerate(zip(types, values, strict=True))
            ]
            yield merged.fill(row, cells)
    except (MemoryError, OSError):
        raise
    except Exception as error:  # the library trusts what the file says of itself
        raise BrokenPart(f"sheet {number}") from error


def _notes(book: Any, number: int) -> Iterator[str]:  # noqa: ANN401
    if book.sheet_loaded(number):
        for place, note in sorted(book.sheet_by_index(number).cell_note_map.items()):
            if note.text.strip():
                yield f"{_reference(*place)} – {note.text.strip()}"


def _areas(sheet: Any) -> Iterator[Area]:  # noqa: ANN401
    for first, behind, left, right in sheet.merged_cells:
        yield first, left, behind - 1, right - 1


def _words(
    kind: int,
    value: Any,  # noqa: ANN401
    sheet: Any,  # noqa: ANN401
    row: int,
    column: int,
    writers: _Writers,
) -> str:
    import xlrd

    if kind in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        write = writers.of(sheet.cell_xf_index(row, column))
        return write(float(value))
    if kind == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if value else "FALSE"
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, "#ERROR"))
    return str(value) if kind == xlrd.XL_CELL_TEXT else ""


def _reference(row: int, column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"
