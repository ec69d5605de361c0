"""Markdown: blocks by their lines in the source, which stays the canonical text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from desktop_rag.domain.document import Block, BlockKind, Coverage, Document, ParsedDocument
from desktop_rag.domain.metadata import Metadata
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.front_matter import read_front_matter
from desktop_rag.ingestion.parsers.text import LONGEST_TITLE, read_text
from desktop_rag.ingestion.plain import plain_markdown

_LINE_END = re.compile(r"\r\n|\r|\n")
_LIST_OPENERS = ("bullet_list_open", "ordered_list_open")
_LIST_CLOSERS = ("bullet_list_close", "ordered_list_close")
_NOTES = {"footnote_reference_open": True, "footnote_reference_close": False}


class MarkdownParser:
    """Reads Markdown (CommonMark with tables and footnotes).

    Offsets are those of the source as it is in the file: what a quote shows is what the
    file says. The front matter becomes metadata and belongs to no block.
    """

    def __init__(self) -> None:
        self._markdown: MarkdownIt | None = None

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a Markdown file; see ``Parser``."""
        text, encoding = read_text(source, name)
        front = read_front_matter(text)
        blocks = tuple(self._blocks(text, front.end))
        return ParsedDocument(
            document=Document(text, Metadata(front.values)),
            blocks=blocks,
            coverage=Coverage(read=1),
            kind=Format.MARKDOWN.value,
            title=front.values.get("title") or _title(text, blocks),
            encoding=encoding,
        )

    def _blocks(self, text: str, start: int) -> Iterator[Block]:
        body = text[start:]
        lines = _Lines(text, start)
        depth, in_note = 0, False
        tokens = self._parser().parse(body)
        for position, token in enumerate(tokens):
            if token.type in _LIST_OPENERS:
                depth += 1
            elif token.type in _LIST_CLOSERS:
                depth -= 1
            elif token.type in _NOTES:
                in_note = _NOTES[token.type]
            else:
                text_kind = _text_kind(in_note, in_list=depth > 0)
                block = _block(lines, tokens, position, text_kind)
                if block is not None:
                    yield block

    def _parser(self) -> MarkdownIt:
        if self._markdown is None:
            self._markdown = MarkdownIt("commonmark").enable("table").use(footnote_plugin)
            self._markdown.core.ruler.enableOnly(["normalize", "block"])
        return self._markdown


class _Lines:
    """Line numbers, as the Markdown parser counts them, to offsets."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self._starts = [start, *(m.end() for m in _LINE_END.finditer(text, start))]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return (start, end) of lines ``first`` to before ``last``, without blanks around."""
        start = self._starts[first]
        end = self._starts[last] if last < len(self._starts) else len(self.text)
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        return start, max(start, end - (len(piece) - len(piece.rstrip())))


def _text_kind(in_note: bool, in_list: bool) -> BlockKind:
    if in_note:
        return BlockKind.NOTE
    return BlockKind.LIST_ITEM if in_list else BlockKind.PARAGRAPH


def _block(
    lines: _Lines, tokens: Sequence[Token], position: int, text_kind: BlockKind
) -> Block | None:
    token = tokens[position]
    if token.map is None:
        return None
    first, last = token.map
    if token.type == "heading_open":
        return _heading(lines, token, tokens[position + 1])
    if token.type == "paragraph_open":
        start, end = _content_span(lines, tokens[position + 1], first, last)
        return Block(text_kind, start, end) if start < end else None
    if token.type == "table_open":
        start, end = lines.span(first, last)
        return Block(BlockKind.TABLE, start, end, header=lines.span(first, first + 1))
    if token.type in ("fence", "code_block"):
        return _code(lines, token, first, last)
    if token.type == "html_block":
        start, end = lines.span(first, last)
        return Block(BlockKind.PARAGRAPH, start, end)
    return None


def _heading(lines: _Lines, token: Token, inline: Token) -> Block | None:
    first, last = token.map or (0, 0)
    start, end = _content_span(lines, inline, first, last)
    if not inline.content.strip():
        return None
    end = min(end, start + len(inline.content)) if "\n" not in inline.content else end
    if end - start > LONGEST_TITLE:
        return Block(BlockKind.PARAGRAPH, start, end)
    return Block(BlockKind.HEADING, start, end, level=int(token.tag[1:]))


def _content_span(lines: _Lines, inline: Token, first: int, last: int) -> tuple[int, int]:
    """Return the range of a block's content, without the marks before its first line."""
    start, end = lines.span(*(inline.map or (first, last)))
    opening = inline.content.split("\n", 1)[0]
    found = lines.text.find(opening, start, end) if opening else -1
    return (start if found < 0 else found), end


def _code(lines: _Lines, token: Token, first: int, last: int) -> Block | None:
    if token.type == "fence":
        first, last = first + 1, min(last, first + 1 + token.content.count("\n"))
    if first >= last or not token.content.strip():
        return None
    return Block(BlockKind.CODE, *lines.span(first, last))


def _title(text: str, blocks: Sequence[Block]) -> str:
    """Return the only top heading, or the one with which the document begins.

    Where several top headings have text of their own they are chapters, and the first of
    them says nothing about the others.
    """
    tops = [index for index, block in enumerate(blocks) if block.level == 1]
    if not tops:
        return ""
    following = blocks[tops[0] + 1 : tops[0] + 2]
    is_book = tops[0] == 0 and any(block.kind is BlockKind.HEADING for block in following)
    if len(tops) > 1 and not is_book:
        return ""
    block = blocks[tops[0]]
    return plain_markdown(text[block.start : block.end])
