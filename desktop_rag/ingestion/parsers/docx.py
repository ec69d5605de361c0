"""Word documents (docx, docm)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.docx_body import DocxBody
from desktop_rag.ingestion.parsers.docx_styles import Numbering, read_styles
from desktop_rag.ingestion.parsers.docx_tables import rows_of
from desktop_rag.ingestion.parsers.docx_text import paragraphs_of, words_of
from desktop_rag.ingestion.parsers.limits import TEXT_TOO_LONG
from desktop_rag.ingestion.parsers.office_package import OfficePackage, attribute
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.xml_safe import (
    BrokenXml,
    Element,
    forget,
    local_name,
    stream_xml,
)

CUT_OFF = "the file is damaged from here on"
"""Why the rest of a document is missing whose beginning could be read."""

_DOCUMENT = "word/document.xml"
_NOTE_PARTS = {"footnotes": "footnote", "endnotes": "endnote", "comments": "comment"}
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_TAGS = ("{*}p", "{*}tbl")


class DocxParser:
    """Reads Word documents from front to back, never the whole of one in memory.

    Headers and footers come first, each distinct one once; footnotes and comments after the
    paragraph that refers to them.
    """

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a Word document; see ``Parser``."""
        package = OfficePackage(source, name)
        with package.archive:
            return _Docx(package).parsed()


class _Docx:
    """One document being read."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        self._main = package.main_part(_DOCUMENT)
        self._parts = list(package.relations(self._main).values())
        self._assembly = Assembly()

    def parsed(self) -> ParsedDocument:
        """Read everything."""
        for words in self._margins():
            self._assembly.add(BlockKind.NOTE, words)
        body = DocxBody(
            self._assembly,
            read_styles(self._xml("styles")),
            Numbering(self._xml("numbering")),
            self._notes(),
        )
        missing = self._read(body)
        name = self._package.name
        if not len(self._assembly):
            raise damaged(name) if missing else no_text(name, "The document has no words.")
        title, metadata = self._package.properties()
        return self._assembly.finish(
            "docx",
            title=title or body.title,
            metadata=metadata,
            coverage=Coverage(read=1, unreadable=missing),
        )

    def _read(self, body: DocxBody) -> tuple[UnreadableUnit, ...]:
        """Append the whole body; returns why it could not be read to its end, if so."""
        part = self._package.find(self._main)
        assert part is not None  # main_part found it
        try:
            with self._package.archive.open(part) as stream:
                for element in _outermost(stream_xml(stream, self._package.name, *_STREAMED)):
                    body.add(element)
                    forget(element)
                    if self._assembly.is_full:
                        return (UnreadableUnit(1, TEXT_TOO_LONG),)
        except (BrokenPart, BrokenXml):
            return (UnreadableUnit(1, CUT_OFF),)
        return ()

    def _xml(self, kind: str) -> Element | None:
        path = next((path for found, path in self._parts if found == kind), f"word/{kind}.xml")
        return self._package.xml(path)

    def _notes(self) -> dict[tuple[str, str], str]:
        found: dict[tuple[str, str], str] = {}
        for part, kind in _NOTE_PARTS.items():
            root = self._xml(part)
            for note in () if root is None else root:
                if attribute(note, "type") not in _SEPARATORS:
                    words = "\n".join(_lines(note))
                    author = attribute(note, "author") if kind == "comment" else ""
                    found[kind, attribute(note, "id")] = f"{author}: {words}" if author else words
        return found

    def _margins(self) -> list[str]:
        """Return the words of headers, then of footers, each distinct one once."""
        found: dict[str, None] = {}
        for kind in ("header", "footer"):
            for _, path in (part for part in self._parts if part[0] == kind):
                root = self._package.xml(path)
                words = "" if root is None else "\n".join(_lines(root))
                if any(map(str.isalpha, words)):
                    found.setdefault(words)
        return list(found)


_STREAMED = (_TAGS, ("start", "end"))


def _outermost(events: Iterator[tuple[str, Element]]) -> Iterator[Element]:
    """Yield the paragraphs and tables that are in no other, when they are complete."""
    depth = 0
    for event, element in events:
        depth += 1 if event == "start" else -1
        if event == "end" and depth == 0:
            yield element


def _lines(container: Element) -> Iterator[str]:
    """Yield the words of a header or note, line by line, text boxes once."""
    for element in paragraphs_of(container):
        if local_name(element) == "tbl":
            yield from (" ".join(filter(None, row)) for row in rows_of(element).rows)
            continue
        words = words_of(element)
        if words.text:
            yield words.text
        for box in words.boxes:
            yield from _lines(box)
