"""What of a passage is words, for formats whose canonical text holds markup as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_rag.domain.document import BlockKind

PlainText = Callable[[str, BlockKind], str]

_MARKUP = re.compile(r"[*_`\[\]<>&\\!|#~]|^\s*(?:[-+]|\d+[.)])\s", re.MULTILINE)
_LINE_MARKS = re.compile(
    r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?",
    re.MULTILINE,
)
_STRAY = re.compile(r"\*\*+|(?<=\w)\*(?!\w)|(?<!\w)\*(?=\w)")
"""Emphasis marks whose partner stands in another passage."""

_LINK_TARGET = re.compile(r"\]\([^()\s]*(?:\s+\"[^\"]*\")?\)|<[^<>]{1,500}>")
_LEADERS = re.compile(r"([.·…_=*~-])\1{3,}|(?:[.·] ){3,}[.·]?")
"""Dots that lead to a page number, rules made of characters, blanks of forms."""

_TABLE_RULE = re.compile(r"^[\s|:+-]+$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,2000}>")


def plain_text_of(document_kind: str) -> PlainText:
    """Return the function that takes markup out of passages of a document of this kind."""
    return _plain_markdown_block if document_kind == "markdown" else _unchanged


def plain_markdown(text: str) -> str:
    """Return Markdown text without marks, link targets and tags; links keep their words."""
    if not _MARKUP.search(text):
        return text
    text = _LINE_MARKS.sub("", _COMMENT.sub(" ", text))
    if not _MARKUP.search(text):
        return text.strip()
    pieces: list[str] = []
    for token in _parser().parseInline(text):
        _collect(token.children or (), pieces)
    return "".join(pieces).strip()


def without_leaders(text: str) -> str:
    """Return ``text`` with a space for every run of dots, dashes and the like."""
    return _LEADERS.sub(" ", text)


def without_targets(text: str) -> str:
    """Return ``text`` without link targets and tags: enough to measure Markdown by."""
    return _LINK_TARGET.sub(" ", text) if "](" in text or "<" in text else text


def _unchanged(text: str, kind: BlockKind) -> str:
    del kind
    return text


def _plain_markdown_block(text: str, kind: BlockKind) -> str:
    if kind is BlockKind.CODE:
        return text
    if kind is BlockKind.TABLE:
        return plain_markdown(_TABLE_RULE.sub("", text).replace("|", " "))
    return plain_markdown(text)


def _collect(tokens: list[Token] | tuple[()], pieces: list[str]) -> None:
    for token in tokens:
        if token.type == "text":
            pieces.append(_STRAY.sub("", _TAG.sub(" ", token.content)))
        elif token.type in ("code_inline", "text_special"):
            pieces.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            pieces.append("\n")
        elif token.type == "image":
            _collect(token.children or (), pieces)
        elif token.type == "html_inline":
            pieces.append(" ")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark")
