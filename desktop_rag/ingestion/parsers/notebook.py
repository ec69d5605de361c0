"""Jupyter notebooks: text, code, and what the code printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.markdown import MarkdownParser
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.text import read_text

_LONGEST_OUTPUT = 20_000
"""Code points of one output; longer ones are progress and logs."""


class NotebookParser:
    """Reads a notebook's cells in order; pictures that the code drew are left out."""

    def __init__(self) -> None:
        self._markdown = MarkdownParser()

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a notebook; see ``Parser``."""
        text, encoding = read_text(content_of(source), name)
        try:
            book = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise damaged(name) from error
        if not isinstance(book, dict):
            raise damaged(name)
        assembly = Assembly()
        title = ""
        for cell in _cells(book):
            given = self._add(assembly, cell)
            title = title or given
            if cell.get("cell_type") == "code":
                for output in _outputs(cell):
                    assembly.add(BlockKind.NOTE, output[:_LONGEST_OUTPUT])
        if not len(assembly):
            raise no_text(name, "Its cells are empty.")
        stated, metadata = _stated(book)
        return assembly.finish(
            Format.NOTEBOOK.value, title=stated or title, metadata=metadata, encoding=encoding
        )

    def _add(self, assembly: Assembly, cell: dict[str, Any]) -> str:
        """Append a cell; return the title that it gives."""
        source = _joined(cell.get("source", cell.get("input")))
        if cell.get("cell_type") != "markdown":
            assembly.add(BlockKind.CODE, source)
            return ""
        try:
            parsed = self._markdown.parse(source.encode("utf-8", "replace"), "")
        except KnownError:
            return ""
        assembly.embed(parsed, 0)
        return parsed.title


def _cells(book: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the cells of a notebook, of formats 3 and 4."""
    sheets = book.get("worksheets")
    holders = sheets if isinstance(sheets, list) else [book]
    for holder in holders:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        if isinstance(cells, list):
            yield from (cell for cell in cells if isinstance(cell, dict))


def _outputs(cell: dict[str, Any]) -> Iterator[str]:
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        data = output.get("data", {})
        if "ename" in output:
            yield f"{output['ename']}: {output.get('evalue', '')}"
        elif "text" in output:
            yield _joined(output["text"])
        elif isinstance(data, dict) and "text/plain" in data:
            yield _joined(data["text/plain"])


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _stated(book: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the title and the authors that a notebook states."""
    said = book.get("metadata")
    said = said if isinstance(said, dict) else {}
    listed = said.get("authors")
    authors = [
        author["name"]
        for author in (listed if isinstance(listed, list) else ())
        if isinstance(author, dict) and isinstance(author.get("name"), str)
    ]
    title = said.get("title")
    return (title if isinstance(title, str) else ""), {"author": ", ".join(authors)}
