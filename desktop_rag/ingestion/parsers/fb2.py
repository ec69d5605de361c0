"""FictionBook: books as one XML file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, Element, local_name, parse_xml

_LINES = {
    "p": BlockKind.PARAGRAPH,
    "v": BlockKind.PARAGRAPH,
    "subtitle": BlockKind.PARAGRAPH,
    "text-author": BlockKind.PARAGRAPH,
    "date": BlockKind.PARAGRAPH,
}
_NAME_PARTS = ("first-name", "middle-name", "last-name")


class Fb2Parser:
    """Reads a book: titles of sections are headings, notes come last as in the file."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a book; see ``Parser``."""
        try:
            root = parse_xml(content_of(source), name)
        except BrokenXml as error:
            raise damaged(name) from error
        assembly = Assembly()
        for body in (child for child in root if local_name(child) == "body"):
            _add_body(assembly, body)
        if not len(assembly):
            raise no_text(name, "The book has no words in it.")
        values = _metadata(root)
        title = values.pop("title", "")
        return assembly.finish(Format.FB2.value, title=title, metadata=values)


def _add_body(assembly: Assembly, body: Element) -> None:
    kind = BlockKind.NOTE if body.get("name") == "notes" else None
    stack: list[tuple[Element, int]] = [(body, 0)]
    while stack:
        element, depth = stack.pop()
        tag = local_name(element)
        if tag == "title":
            lines = [_words(line) for line in element if local_name(line) == "p"]
            assembly.add(BlockKind.HEADING, ". ".join(filter(None, lines)), level=max(1, depth))
        elif tag in _LINES:
            assembly.add(kind or _LINES[tag], _words(element))
        elif tag == "table":
            _add_table(assembly, element)
        else:
            deeper = depth + (tag == "section")
            stack.extend((child, deeper) for child in reversed(element))


def _add_table(assembly: Assembly, table: Element) -> None:
    rows = [row for row in table if local_name(row) == "tr"]
    heads = all(local_name(cell) == "th" for cell in rows[0]) if rows else False
    assembly.table([[_words(cell) for cell in row] for row in rows], int(heads))


def _metadata(root: Element) -> dict[str, str]:
    info = next((e for e in root.iter() if local_name(e) == "title-info"), None)
    if info is None:
        return {}
    found: dict[str, str] = {}
    authors: list[str] = []
    for child in info:
        tag = local_name(child)
        if tag == "author":
            authors.append(" ".join(_name_parts(child)))
        elif tag in ("book-title", "date", "lang"):
            key = {"book-title": "title", "lang": "stated_language"}.get(tag, tag)
            found[key] = _words(child)
    found["author"] = ", ".join(filter(None, authors))
    return found


def _name_parts(author: Element) -> Iterator[str]:
    for part in author:
        if local_name(part) in _NAME_PARTS and _words(part):
            yield _words(part)


def _words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
