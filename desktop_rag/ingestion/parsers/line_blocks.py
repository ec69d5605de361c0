"""Blocks of formats that are text themselves, by lines of the file's own text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from desktop_rag.domain.document import Block, BlockKind, Coverage, Document, ParsedDocument
from desktop_rag.domain.metadata import Metadata

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class LineBlocks:
    """The lines of a text, and the blocks that a parser makes of them from top to bottom.

    A block that is open takes further lines until it is closed or another kind begins.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._spans: list[tuple[int, int]] = []
        for match in _LINE.finditer(text):
            if match.end() > match.start():
                line = match.group()
                self._spans.append((match.start(), match.start() + len(line.rstrip())))
        self.blocks: list[Block] = []
        self._open: tuple[BlockKind, int, int] | None = None

    def __len__(self) -> int:
        return len(self._spans)

    def __getitem__(self, number: int) -> str:
        """Return a line without the blanks at its end, "" beyond the last."""
        if number >= len(self._spans):
            return ""
        start, end = self._spans[number]
        return self.text[start:end]

    def take(self, number: int, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        """Let a line continue the open block of its kind, or begin one; blank lines do not."""
        start, end = self._spans[number]
        if start == end:
            return
        if self._open is not None and self._open[0] is kind:
            self._open = (kind, self._open[1], end)
        else:
            self.close()
            indent = 0 if kind is BlockKind.CODE else len(self[number]) - len(self[number].lstrip())
            self._open = (kind, start + indent, end)

    def begin(self, number: int, kind: BlockKind) -> None:
        """Begin a block at a line, also after one of the same kind."""
        self.close()
        self.take(number, kind)

    def go_on(self, number: int) -> None:
        """Let a line continue the open block of whatever kind, or begin a paragraph."""
        self.take(number, self._open[0] if self._open is not None else BlockKind.PARAGRAPH)

    def close(self) -> None:
        """End the open block."""
        if self._open is not None:
            kind, start, end = self._open
            self.blocks.append(Block(kind, start, end))
            self._open = None

    def heading(self, number: int, level: int, words: tuple[int, int] | None = None) -> None:
        """Make a line a heading, or the ``words`` in it, which are (start, end) in the line."""
        self._words(number, BlockKind.HEADING, words or (0, len(self[number])), level)

    def caption(self, number: int, words: tuple[int, int]) -> None:
        """Make the ``words`` in a line, which are (start, end) in it, a caption."""
        self._words(number, BlockKind.CAPTION, words, 0)

    def table(self, first: int, last: int, header_last: int) -> None:
        """Make lines ``first`` to before ``last`` a table, its header to ``header_last``."""
        self.close()
        start, end = self._spans[first][0], self._spans[last - 1][1]
        header = (start, self._spans[header_last - 1][1]) if header_last > first else None
        self.blocks.append(Block(BlockKind.TABLE, start, end, header=header))

    def _words(self, number: int, kind: BlockKind, words: tuple[int, int], level: int) -> None:
        self.close()
        start, end = words
        part = self[number][start:end]
        start += len(part) - len(part.lstrip())
        end -= len(part) - len(part.rstrip())
        if start < end:
            base = self._spans[number][0]
            self.blocks.append(Block(kind, base + start, base + end, level))

    def finish(
        self,
        kind: str,
        encoding: str,
        title: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> ParsedDocument:
        """Return the document; its text is the file's."""
        self.close()
        return ParsedDocument(
            document=Document(
                self.text, Metadata({k: v for k, v in (metadata or {}).items() if v})
            ),
            blocks=tuple(self.blocks),
            coverage=Coverage(read=1),
            kind=kind,
            title=" ".join(title.split()),
            encoding=encoding,
        )


def first_heading(lines: LineBlocks) -> str:
    """Return the heading that a text begins with, "" where it begins otherwise."""
    first = lines.blocks[0] if lines.blocks else None
    is_title = first is not None and first.kind is BlockKind.HEADING and first.level == 1
    return lines.text[first.start : first.end] if first is not None and is_title else ""
