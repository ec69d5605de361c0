"""Sets blocks of a document into Qt's document: headings, lists, tables, emphasis.

Nothing but the canonical text gets there, piece by piece: no markup of the original, no
script, no picture, no link is ever interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextListFormat,
    QTextTableFormat,
)

from desktop_rag.domain.document import Block, BlockKind
from desktop_rag.domain.structure import Look
from desktop_rag.gui import theme
from desktop_rag.gui.source.pieces import PieceMap, SpanIndex, cells_of, piece_of, rows_of
from desktop_rag.gui.strings import tr

_LARGER = {1: 2, 2: 1}
"""Steps by which a heading's text is larger, by its level (Qt: 1.2 times a step)."""

_MOST_ROWS, _MOST_COLUMNS = 120, 24
"""A larger table is set as lines: Qt lays out all of a table at once."""

_NUMBERED = re.compile(
    r"(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|[•◦▪‣–·*-])\s|[（(]?[一二三四五六七八九十]+[、）)]"
)
_INDENT = re.compile(r"\n?([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]*(?:\[[ xX]\][ \t]*)?\Z")


class Typesetter:
    """Appends blocks to a document and keeps where their words are.

    Args:
        document: empty, or with the blocks before.
        text: the canonical text.
        spans: what stands out in it.
        markdown: whether the text holds Markdown's own marks.
        on_paper: in the colours of the light theme, whichever is in use.
    """

    def __init__(
        self,
        document: QTextDocument,
        text: str,
        spans: SpanIndex,
        markdown: bool,
        on_paper: bool = False,
    ) -> None:
        self._tokens = theme.LIGHT if on_paper else theme.current.tokens
        self.places = PieceMap()
        self._cursor = QTextCursor(document)
        self._text, self._spans, self._markdown = text, spans, markdown
        self._page: int | None = None
        self._first = True
        self._before = 0

    def add(self, blocks: Sequence[Block], slides: bool) -> None:
        """Append blocks; ``slides``: each page is a slide, whose number stands above it."""
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.beginEditBlock()  # without it, each cell would lay out the whole table
        for block in blocks:
            if slides and block.page is not None and block.page != self._page:
                self._page = block.page
                self._begin(QTextBlockFormat(), top=16, bottom=4)
                self._cursor.insertText(tr("source.slide", n=block.page), self._soft())
            self._add(block)
            self._before = block.end
        self._cursor.endEditBlock()

    def _add(self, block: Block) -> None:
        if block.kind is BlockKind.TABLE:
            self._add_table(block)
        elif block.kind is BlockKind.LIST_ITEM:
            self._add_item(block)
        elif block.kind is BlockKind.HEADING:
            form = QTextBlockFormat()
            form.setHeadingLevel(min(6, max(1, block.level)))
            self._begin(form, top=14, bottom=6)
            self._insert(block.start, block.end, _heading(block.level))
        elif block.kind is BlockKind.CODE:
            self._begin(_set_back(12), top=4, bottom=8)
            self._insert(block.start, block.end, self._code())
        else:
            note = block.kind in (BlockKind.NOTE, BlockKind.CAPTION)
            self._begin(_set_back(0), top=0, bottom=8)
            self._insert(block.start, block.end, self._soft() if note else QTextCharFormat())

    def _add_item(self, block: Block) -> None:
        if _NUMBERED.match(self._text, block.start, block.end):
            self._begin(_set_back(18), top=0, bottom=4)
        else:
            gap = self._text[self._before : block.start]
            found = _INDENT.search(gap) if self._markdown else None
            depth = len(found[1].expandtabs(2)) // 2 if found else 0
            self._begin(QTextBlockFormat(), top=0, bottom=4)
            style = QTextListFormat()
            discs = (QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle)
            style.setStyle(discs[min(depth, 1)])
            style.setIndent(depth + 1)
            self._cursor.createList(style)
        self._insert(block.start, block.end, QTextCharFormat())

    def _add_table(self, block: Block) -> None:
        rows = list(rows_of(self._text, block.start, block.end, self._markdown))
        cells = [cells_of(self._text, *row, self._markdown) for row in rows]
        columns = max(map(len, cells), default=0)
        if not columns or len(rows) > _MOST_ROWS or columns > _MOST_COLUMNS:
            self._begin(_set_back(0), top=4, bottom=8)
            self._insert(block.start, block.end, QTextCharFormat())
            return
        self._begin(QTextBlockFormat(), top=2, bottom=2)
        table = self._cursor.insertTable(len(rows), columns, self._table_look())
        for number, row in enumerate(cells):
            head = block.header is not None and rows[number][0] < block.header[1]
            form = QTextCharFormat()
            if head:
                form.setFontWeight(QFont.Weight.DemiBold)
            for column, (start, end) in enumerate(row):
                self._cursor = table.cellAt(number, column).firstCursorPosition()
                self._insert(start, end, form)
        self._cursor = table.lastCursorPosition()
        self._cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        self._first = True

    def _begin(self, form: QTextBlockFormat, top: float, bottom: float) -> None:
        form.setTopMargin(top)
        form.setBottomMargin(bottom)
        form.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self._first:
            self._cursor.setBlockFormat(form)
            self._first = False
        else:
            self._cursor.insertBlock(form, QTextCharFormat())
            listed = self._cursor.currentList()
            if listed is not None:
                listed.remove(self._cursor.block())
                self._cursor.setBlockFormat(form)

    def _insert(self, start: int, end: int, form: QTextCharFormat) -> None:
        for stretch in self._spans.stretches(start, end):
            piece = piece_of(self._text, stretch.start, stretch.end, self._cursor.position())
            self._cursor.insertText(
                piece.shown.replace("\n", "\u2028"), self._with(form, stretch.looks)
            )
            self.places.add(piece)

    def _with(self, form: QTextCharFormat, looks: frozenset[Look]) -> QTextCharFormat:
        changed = QTextCharFormat(form)
        if Look.BOLD in looks:
            changed.setFontWeight(QFont.Weight.Bold)
        if Look.ITALIC in looks:
            changed.setFontItalic(True)
        if Look.CODE in looks:
            changed.merge(self._code())
        return changed

    def _soft(self) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setForeground(QColor(self._tokens.soft))
        return form

    def _code(self) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setFontFamilies(theme.fixed_families())
        form.setBackground(QColor(self._tokens.chip))
        return form

    def _table_look(self) -> QTextTableFormat:
        form = QTextTableFormat()
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QColor(self._tokens.line))
        form.setBorderCollapse(True)
        form.setCellPadding(4)
        form.setTopMargin(4)
        form.setBottomMargin(10)
        form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        return form


def _heading(level: int) -> QTextCharFormat:
    form = QTextCharFormat()
    form.setFontWeight(QFont.Weight.DemiBold)
    form.setProperty(QTextFormat.Property.FontSizeAdjustment, _LARGER.get(level, 0))
    return form


def _set_back(pixels: float) -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLeftMargin(pixels)
    return form
