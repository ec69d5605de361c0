"""XML of any kind: the text of its elements, in order."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.formats import TEXT_SUFFIXES, Format, suffix_of
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged, empty_file, no_text
from desktop_rag.ingestion.parsers.text import TextParser
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, Element, local_name, parse_xml

_TITLES = frozenset({"title", "heading", "head", "h1", "h2", "h3"})
_CODE = frozenset({"programlisting", "screen", "codeblock", "literallayout", "pre"})
_LONGEST_TITLE = 250
_LONGEST_GROUP = 12
"""Elements of one parent that hold a word or two each are put on one line, up to so many."""


class XmlParser:
    """Reads what the elements say; an element among words belongs to its sentence.

    An element that has elements alone is a frame. Where all of them are short values the
    frame is a record: one paragraph of "name: value" lines. A plain text file that begins like
    XML and is none is read as text.
    """

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read an XML file; see ``Parser``."""
        content = content_of(source)
        if not content.strip():
            raise empty_file(name)
        try:
            root = parse_xml(content.lstrip(), name)
        except (BrokenXml, KnownError) as error:
            if suffix_of(name) in TEXT_SUFFIXES:
                return TextParser().parse(content, name)
            raise error if isinstance(error, KnownError) else damaged(name) from error
        assembly = Assembly()
        _add(assembly, root)
        if not len(assembly):
            raise no_text(name, "Its elements hold no words.")
        return assembly.finish(Format.XML.value, title=_title(root))


def _add(assembly: Assembly, root: Element) -> None:
    stack: list[tuple[Element, int]] = [(root, 0)]
    while stack:
        element, depth = stack.pop()
        if not isinstance(element.tag, str):
            continue
        if _has_words_of_its_own(element) or not len(element):
            _add_words(assembly, element, depth)
        elif _is_record(element):
            lines = [f"{local_name(child)}: {_words(child)}" for child in element if _words(child)]
            assembly.add(BlockKind.PARAGRAPH, "\n".join(lines))
        else:
            stack.extend((child, depth + 1) for child in reversed(element))


def _add_words(assembly: Assembly, element: Element, depth: int) -> None:
    tag = local_name(element).lower()
    if tag in _CODE:
        assembly.add(BlockKind.CODE, "".join(element.itertext()))
        return
    words = _words(element)
    if tag in _TITLES and len(words) <= _LONGEST_TITLE:
        assembly.add(BlockKind.HEADING, words, level=max(1, min(depth, 6)))
    else:
        assembly.add(BlockKind.PARAGRAPH, words)


def _has_words_of_its_own(element: Element) -> bool:
    if element.text and element.text.strip():
        return True
    return any(child.tail and child.tail.strip() for child in element)


def _is_record(element: Element) -> bool:
    """Whether the elements are values of different names, none of which is a title."""
    names = [local_name(child).lower() for child in element]
    if any(len(child) for child in element) or _TITLES & set(names):
        return False
    return 1 < len(names) <= _LONGEST_GROUP and len(set(names)) == len(names)


def _title(root: Element) -> str:
    for element in root.iter():
        if local_name(element).lower() == "title":
            words = _words(element)
            return words if len(words) <= _LONGEST_TITLE else ""
    return ""


def _words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
