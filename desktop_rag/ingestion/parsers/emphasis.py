"""Which words of a document stand out: bold, italic, code, and the markup around them.

The canonical text has none of that, but for Markdown, whose source it is. For others the
original is gone through once more: the words of each paragraph are looked for in the
canonical text, in order, so that a paragraph that was left out or moved costs its own
emphasis and no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from desktop_rag.domain.document import Block, BlockKind
from desktop_rag.domain.structure import Look, Span
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.declared import decode_declared
from desktop_rag.ingestion.parsers.html import declared_charset, html_tree
from desktop_rag.ingestion.parsers.html_blocks import BLOCK_TAGS
from desktop_rag.ingestion.parsers.office_package import OfficePackage, attribute, child
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.xml_safe import (
    BrokenXml,
    Element,
    forget,
    local_name,
    stream_xml,
)

Run = tuple[str, frozenset[Look]]
"""Words and how they look."""

_MARKS = re.compile(
    r"(?P<code>`+)(?P<c>[^`\n][^`]*?)(?P=code)(?!`)"
    r"|!?\[(?P<label>[^\[\]\n]{0,500})\](?:\([^()\s]{0,2000}(?:\s+\"[^\"\n]*\")?\)|\[[^\[\]\n]*\])"
    r"|(?P<strong>\*\*|__)(?=\S)(?P<s>(?:(?!(?P=strong)(?!\*))[^\n]|\n(?!\n))+?)(?<=\S)"
    r"(?P=strong)(?!\*)"
    r"|(?<![\w*_])(?P<em>[*_])(?=[^\s*_])(?P<e>[^*_\n]+?)(?<=\S)(?P=em)(?![\w*_])"
)
_INNER = {"c": Look.CODE, "label": None, "s": Look.BOLD, "e": Look.ITALIC}

_BOLD_TAGS, _ITALIC_TAGS = frozenset({"b", "strong"}), frozenset({"i", "em", "cite"})
_CODE_TAGS = frozenset({"code", "kbd", "samp", "tt"})
_OFF = frozenset({"0", "false", "off", "none"})


def markdown_spans(text: str, blocks: Iterable[Block]) -> Iterator[Span]:
    """Yield the emphasis of Markdown, whose markup is in the canonical text, as hidden."""
    for block in blocks:
        if block.kind is not BlockKind.CODE:
            yield from _within(text, block.start, block.end)


def _within(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _MARKS.finditer(text, start, end):
        group = next(name for name in _INNER if found.group(name) is not None)
        first, last = found.span(group)
        yield Span(found.start(), first, Look.HIDDEN)
        yield Span(last, found.end(), Look.HIDDEN)
        look = _INNER[group]
        if look is not None:
            yield Span(first, last, look)
        if look is not Look.CODE:
            yield from _within(text, first, last)


def docx_paragraphs(source: Path | bytes, name: str) -> Iterator[list[Run]]:
    """Yield the runs of each paragraph of a Word document.

    Raises:
        KnownError: it cannot be opened.
    """
    package = OfficePackage(source, name)
    with package.archive:
        part = package.find(package.main_part("word/document.xml"))
        assert part is not None  # main_part found it
        try:
            with package.archive.open(part) as stream:
                for _event, paragraph in stream_xml(stream, name, ("{*}p",)):
                    yield [_run(run) for run in paragraph.iter("{*}r")]
                    forget(paragraph)
        except (BrokenPart, BrokenXml):
            return


def _run(run: Element) -> Run:
    words = "".join(text.text or "" for text in run.iter("{*}t"))
    properties = child(run, "rPr")
    looks = set()
    for item in properties if properties is not None else ():
        look = {"b": Look.BOLD, "i": Look.ITALIC}.get(local_name(item))
        if look is not None and attribute(item, "val", "1").lower() not in _OFF:
            looks.add(look)
    return words, frozenset(looks)


def html_paragraphs(source: Path | bytes) -> Iterator[list[Run]]:
    """Yield the runs of each paragraph of a web page."""
    content = content_of(source)
    root = html_tree(decode_declared(content, declared_charset(content)).text).body
    runs: list[Run] = []
    if root is None:
        return
    for node in root.traverse(include_text=True):
        if node.tag == "-text":
            runs.append((node.text(deep=False) or "", _looks_above(node)))
        elif node.tag in BLOCK_TAGS or node.tag == "br":
            yield runs
            runs = []
    yield runs


def _looks_above(node: object) -> frozenset[Look]:
    looks = set()
    above = getattr(node, "parent", None)
    while above is not None and above.tag not in BLOCK_TAGS:
        if above.tag in _BOLD_TAGS:
            looks.add(Look.BOLD)
        elif above.tag in _ITALIC_TAGS:
            looks.add(Look.ITALIC)
        elif above.tag in _CODE_TAGS:
            looks.add(Look.CODE)
        above = above.parent
    return frozenset(looks)


def aligned(text: str, paragraphs: Iterable[Sequence[Run]]) -> Iterator[Span]:
    """Yield where in ``text`` the runs stand that stand out; blanks make no difference."""
    places = [at for at, character in enumerate(text) if not character.isspace()]
    squeezed = "".join(text[at] for at in places)
    cursor = 0
    for runs in paragraphs:
        pieces = ["".join(words.split()) for words, _ in runs]
        whole = "".join(pieces)
        found = squeezed.find(whole, cursor) if whole else -1
        if found < 0:
            continue
        for piece, (_, looks) in zip(pieces, runs, strict=True):
            for look in sorted(looks) if piece else ():
                yield Span(places[found], places[found + len(piece) - 1] + 1, look)
            found += len(piece)
        cursor = found
