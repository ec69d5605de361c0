"""Web pages: their text in reading order, without scripts, styles and navigation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.declared import decode_declared
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.html_blocks import HtmlWalk, words_of
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import empty_file, no_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_DECLARED_WITHIN = 4096
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_SAVED_FROM = re.compile(
    r"<!--\s*(?:saved from url=\(\d+\)|Page saved with SingleFile\s+url:\s*)(\S{1,2000})"
)
_IS_XHTML = re.compile(r"<\?xml\b|xmlns\s*=\s*[\"']http://www\.w3\.org/1999/xhtml")
_SELF_CLOSED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([A-Za-z][\w-]*)((?:\s[^<>]*?)?)/>"
)
_META = {
    "author": "author",
    "article:author": "author",
    "dc.creator": "author",
    "description": "description",
    "og:description": "description",
    "date": "date",
    "dc.date": "date",
    "article:published_time": "date",
    "keywords": "tags",
    "og:url": "address",
}
"""Which of a page's statements about itself are kept, and under which metadata key."""


class HtmlParser:
    """Reads a web page; the canonical text is what a reader of the page sees."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a page; see ``Parser``."""
        return parse_html(content_of(source), name)


def parse_html(content: bytes, name: str, charset: str | None = None) -> ParsedDocument:
    """Read a page that is in memory.

    Args:
        content: the page.
        name: for messages.
        charset: what a header says about its encoding, which goes before the page's own word.

    Raises:
        KnownError: there is no text on it.
    """
    if not content.strip():
        raise empty_file(name)
    decoded = decode_declared(content, charset or declared_charset(content))
    tree = html_tree(decoded.text)
    assembly = Assembly()
    add_page(assembly, tree)
    title = page_title(tree)
    if not len(assembly):
        raise no_text(name, "The page has pictures or scripts alone.")
    metadata = {**_metadata(tree, decoded.text)}
    return assembly.finish(
        Format.HTML.value, title=title, metadata=metadata, encoding=decoded.encoding
    )


def declared_charset(content: bytes) -> str | None:
    """Return the encoding that a page or an XML file names at its beginning."""
    head = content[:_DECLARED_WITHIN]
    match = _XML_ENCODING.search(head) or _CHARSET.search(head)
    return match[1].decode("ascii", "replace") if match else None


def html_tree(text: str) -> LexborHTMLParser:
    """Return the tree of a page.

    In XHTML any element may close itself; a page's reader would take ``<title/>`` as the
    beginning of a title that never ends.
    """
    from selectolax.lexbor import LexborHTMLParser

    if _IS_XHTML.search(text, 0, _DECLARED_WITHIN):
        text = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
    return LexborHTMLParser(text.replace("\0", ""))


def add_page(assembly: Assembly, tree: LexborHTMLParser, below: int = 0) -> None:
    """Append what is on a page, its headings ``below`` levels lower than they are there."""
    body = tree.body or tree.root
    if body is not None:
        HtmlWalk(assembly, below).walk(body)


def page_title(tree: LexborHTMLParser) -> str:
    """Return a page's title, else its only top heading, else ""."""
    title = tree.css_first("head > title") or tree.css_first("title")
    words = words_of(title) if title is not None else ""
    if words:
        return words
    tops = tree.css("h1")
    return words_of(tops[0]) if len(tops) == 1 else ""


def _metadata(tree: LexborHTMLParser, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in tree.css("meta"):
        values = node.attributes
        key = _META.get((values.get("name") or values.get("property") or "").lower())
        content = (values.get("content") or "").strip()
        if key is not None and content:
            found.setdefault(key, content)
    language = (tree.root.attributes.get("lang") or "").strip() if tree.root else ""
    if language:
        found["stated_language"] = language
    link = tree.css_first('link[rel="canonical"]')
    if link is not None and link.attributes.get("href"):
        found["address"] = link.attributes["href"] or ""
    saved = _SAVED_FROM.search(text, 0, 20_000)
    if saved is not None:
        found["address"] = saved[1]
    return found
