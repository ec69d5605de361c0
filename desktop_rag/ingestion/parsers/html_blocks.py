"""The walk over a page's elements that finds its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from desktop_rag.domain.document import BlockKind
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.html_tables import header_rows_of, is_table_of_data, rows_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

LONGEST_HEADING = 250
"""Code points; pages make headings of whole paragraphs to have them large."""

_SKIPPED = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "head",
        "title",
        "nav",
        "svg",
        "iframe",
        "object",
        "embed",
        "canvas",
        "audio",
        "video",
        "button",
        "select",
        "datalist",
        "textarea",
        "input",
        "map",
        "rt",
        "rp",
        "dialog",
    ]
)
BLOCK_TAGS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "ol",
        "optgroup",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "caption",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_KINDS = {
    "li": BlockKind.LIST_ITEM,
    "figcaption": BlockKind.CAPTION,
    "caption": BlockKind.CAPTION,
    "pre": BlockKind.CODE,
    "aside": BlockKind.NOTE,
}
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\n\f\xa0]+")
_AROUND_BREAK = re.compile(r" *\n *")


class HtmlWalk:
    """Appends the blocks of an element to a text.

    It keeps a stack of its own: pages are nested thousands of elements deep.
    """

    def __init__(self, assembly: Assembly, below: int = 0) -> None:
        self._assembly = assembly
        self._below = below
        self._inline: list[str] = []
        self._open: list[tuple[LexborNode, str]] = []

    def walk(self, root: LexborNode) -> None:
        """Append what is in ``root``."""
        node: LexborNode | None = root
        while node is not None:
            child = self._enter(node)
            if child is not None:
                node = child
                continue
            node = self._following(node)
        self._flush()

    def _following(self, node: LexborNode) -> LexborNode | None:
        """Return what comes after an element that is done, leaving those that end with it."""
        while True:
            if self._open and self._open[-1][0].mem_id == node.mem_id:
                self._leave()
            if not self._open:
                return None
            if node.next is not None:
                return node.next
            parent = node.parent
            if parent is None:
                return None
            node = parent

    def _enter(self, node: LexborNode) -> LexborNode | None:
        """Take in an element; return its first child if that is to be walked over."""
        tag = node.tag or ""
        if tag == "-text":
            self._inline.append(node.text_content or "")
            return None
        if tag.startswith("-") or tag in _SKIPPED or _is_hidden(node):
            return None
        if tag == "br":
            self._inline.append("\v")
            return None
        if tag in BLOCK_TAGS:
            self._flush()
        if tag == "table" and is_table_of_data(node):
            self._table(node)
            return None
        child = node.child
        if child is not None or not self._open:
            self._open.append((node, tag))
        return child

    def _leave(self) -> None:
        if self._open[-1][1] in BLOCK_TAGS:
            self._flush()
        self._open.pop()

    def _flush(self) -> None:
        if not self._inline:
            return
        raw = "".join(self._inline)
        self._inline.clear()
        kind, level = self._kind()
        text = raw.replace("\v", "\n") if kind is BlockKind.CODE else _tidy(raw)
        if kind is BlockKind.HEADING and len(text) > LONGEST_HEADING:
            kind, level = BlockKind.PARAGRAPH, 0
        if kind is BlockKind.HEADING:
            text, level = " ".join(text.split()), level + self._below
        self._assembly.add(kind, text, level=level)

    def _kind(self) -> tuple[BlockKind, int]:
        """Return what the innermost element that says so makes of its text."""
        for _, tag in reversed(self._open):
            if tag in _HEADINGS:
                return BlockKind.HEADING, _HEADINGS[tag]
            if tag in _KINDS:
                return _KINDS[tag], 0
        return BlockKind.PARAGRAPH, 0

    def _table(self, table: LexborNode) -> None:
        for caption in table.css("caption"):
            self._assembly.add(BlockKind.CAPTION, words_of(caption))
        rows = [[words_of(cell) for cell in row] for row in rows_of(table)]
        self._assembly.table(rows, header_rows_of(table))


def words_of(node: LexborNode) -> str:
    """Return the words in an element on one line, without what is not shown."""
    return " ".join("".join(_pieces(node)).split())


def _pieces(root: LexborNode) -> Iterator[str]:
    stack: list[LexborNode | str] = []
    stack.extend(reversed(list(root.iter(include_text=True))))
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        tag = node.tag or ""
        if tag == "-text":
            yield node.text_content or ""
        elif tag == "br":
            yield " "
        elif not (tag.startswith("-") or tag in _SKIPPED or _is_hidden(node)):
            apart = " " if tag in BLOCK_TAGS else ""
            yield apart
            stack.append(apart)
            stack.extend(reversed(list(node.iter(include_text=True))))


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("role") == "navigation":
        return True
    return _HIDDEN_STYLE.search(attributes.get("style") or "") is not None


def _tidy(raw: str) -> str:
    text = _BLANKS.sub(" ", raw).replace("\v", "\n")
    return _AROUND_BREAK.sub("\n", text).strip()
