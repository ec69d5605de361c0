"""Putting a canonical text together, for formats whose text the parser makes itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_rag.domain.document import Block, BlockKind, Coverage, Document, ParsedDocument
from desktop_rag.domain.metadata import Metadata, MetadataValue
from desktop_rag.ingestion.parsers.limits import limits_in_force, weight

BETWEEN_BLOCKS = "\n\n"
BETWEEN_CELLS = " | "
_HALVES = re.compile("[\ud800-\udfff]")


class Assembly:
    """Blocks in reading order, and the text that they are ranges of.

    Blocks are apart by a blank line; a table is one line a row. Blank pieces are left out.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._weight = 0
        self._blocks: list[Block] = []

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def is_full(self) -> bool:
        """Whether there is more text than can be split and analysed within a file's limits."""
        return self._weight > limits_in_force().text

    def add(self, kind: BlockKind, text: str, *, level: int = 0, page: int | None = None) -> None:
        """Append a block of ``text``, without the blank lines around it."""
        text = _clean(text).strip("\r\n").rstrip()
        if kind is not BlockKind.CODE:
            text = text.lstrip()
        if text.strip():
            start = self._append(text)
            self._blocks.append(Block(kind, start, start + len(text), level, page))

    def table(
        self, rows: Sequence[Sequence[str]], header_rows: int, page: int | None = None
    ) -> None:
        """Append a table of which the first ``header_rows`` rows name the columns."""
        lines = [row_line(cells) for cells in rows]
        header = sum(1 for line in lines[:header_rows] if line)
        self.table_lines([line for line in lines if line], header, page)

    def table_lines(
        self,
        lines: Sequence[str],
        header_rows: int,
        page: int | None = None,
        header: tuple[int, int] | None = None,
    ) -> tuple[int, int] | None:
        """Append a table, or the next part of one, whose rows are written already.

        Args:
            lines: the rows, see ``row_line``.
            header_rows: how many of them name the columns.
            page: where it stands.
            header: where the header of the table stands of which this is a further part.

        Returns:
            The range of the table's header, None where it has none.
        """
        text = "\n".join(lines)
        if not text:
            return header
        start = self._append(text)
        if 0 < header_rows < len(lines):
            header = start, start + sum(map(len, lines[:header_rows])) + header_rows - 1
        block = Block(BlockKind.TABLE, start, start + len(text), page=page, header=header)
        self._blocks.append(block)
        return header

    def embed(self, parsed: ParsedDocument, below: int, *, titled: bool = True) -> None:
        """Append a whole document, its headings ``below`` levels lower than they were.

        Pages and places on them are left behind, since they are another document's.

        Args:
            parsed: what is appended.
            below: the level of the heading that it stands under.
            titled: whether its top headings are headings here too.
        """
        start = self._append(parsed.document.text)
        for block in parsed.blocks:
            header = block.header and (block.header[0] + start, block.header[1] + start)
            moved = replace(
                block,
                start=block.start + start,
                end=block.end + start,
                header=header,
                page=None,
                lines=(),
            )
            if moved.kind is BlockKind.HEADING:
                plain = replace(moved, kind=BlockKind.PARAGRAPH, level=0)
                lower = replace(moved, level=moved.level + below)
                moved = lower if titled or block.level > 1 else plain
            self._blocks.append(moved)

    def finish(
        self,
        kind: str,
        *,
        title: str = "",
        metadata: Mapping[str, MetadataValue] | None = None,
        coverage: Coverage | None = None,
        pages: int | None = None,
        encoding: str | None = None,
    ) -> ParsedDocument:
        """Return the document; there must be a block."""
        return ParsedDocument(
            document=Document("".join(self._pieces), Metadata(_filled(metadata or {}))),
            blocks=tuple(self._blocks),
            coverage=coverage or Coverage(read=1),
            kind=kind,
            title=" ".join(_clean(title).split()),
            pages=pages,
            encoding=encoding,
        )

    def _append(self, text: str) -> int:
        if self._pieces:
            self._pieces.append(BETWEEN_BLOCKS)
            self._length += len(BETWEEN_BLOCKS)
        start = self._length
        self._pieces.append(text)
        self._length += len(text)
        self._weight += weight(text)
        return start


def row_line(cells: Sequence[str]) -> str:
    """Write one row of a table as a line, "" for a row of blanks."""
    words = [" ".join(_clean(cell).split()) for cell in cells]
    return BETWEEN_CELLS.join(words).rstrip() if any(words) else ""


def _clean(text: str) -> str:
    """Return ``text`` without NUL and halves of characters, which escapes can bring in."""
    return _HALVES.sub("\ufffd", text.replace("\0", ""))


def _filled(values: Mapping[str, MetadataValue]) -> dict[str, MetadataValue]:
    """Return the values that say something, texts without line breaks."""
    tidy = {k: " ".join(_clean(v).split()) if isinstance(v, str) else v for k, v in values.items()}
    return {key: value for key, value in tidy.items() if value != ""}
