"""OpenDocument texts (odt)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.archive import BrokenPart
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.docx import CUT_OFF
from desktop_rag.ingestion.parsers.limits import TEXT_TOO_LONG
from desktop_rag.ingestion.parsers.odf_package import OdfPackage, OdfWords, all_words, odf_words
from desktop_rag.ingestion.parsers.odf_tables import table_rows
from desktop_rag.ingestion.parsers.office_package import attribute
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, Element, forget, local_name

_TAGS = ("{*}h", "{*}p", "{*}table", "{*}list", "{*}tracked-changes")
_MARGINS = ("header", "header-left", "header-first", "footer", "footer-left", "footer-first")
_MOST_NESTING = 30


class OdtParser:
    """Reads OpenDocument texts from front to back; headers and footers come first."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read an OpenDocument text; see ``Parser``."""
        package = OdfPackage(source, name)
        with package.archive:
            assembly = Assembly()
            for words in _margins(package):
                assembly.add(BlockKind.NOTE, words)
            body = _Body(assembly)
            missing = body.read(package)
            if not len(assembly):
                raise damaged(name) if missing else no_text(name, "The document has no words.")
            title, metadata = package.properties()
        coverage = Coverage(read=1, unreadable=missing)
        return assembly.finish(
            "odt", title=title or body.title, metadata=metadata, coverage=coverage
        )


class _Body:
    """Appends the elements of a text."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self.title = ""

    def read(self, package: OdfPackage) -> tuple[UnreadableUnit, ...]:
        """Append all of the content; returns why it could not be read to its end, if so."""
        depth = 0
        try:
            for event, element in package.stream(_TAGS, ("start", "end")):
                depth += 1 if event == "start" else -1
                if event == "end" and depth == 0:
                    self._add(element, 0)
                    forget(element)
                    if self._assembly.is_full:
                        return (UnreadableUnit(1, TEXT_TOO_LONG),)
        except (BrokenPart, BrokenXml):
            return (UnreadableUnit(1, CUT_OFF),)
        return ()

    def _add(self, element: Element, depth: int) -> None:
        name = local_name(element)
        if name == "tracked-changes" or depth > _MOST_NESTING:
            return
        if name == "table":
            rows, header_rows = table_rows(element)
            self._assembly.table(rows, header_rows)
        elif name in ("h", "p"):
            self._paragraph(element, depth)
        elif name == "list":
            self._list(element, depth)
        else:
            for inner in element:
                self._add(inner, depth + 1)

    def _paragraph(self, element: Element, depth: int) -> None:
        words = odf_words(element)
        style = attribute(element, "style-name")
        if local_name(element) == "h":
            level = attribute(element, "outline-level", "1")
            below = 1 if self.title else 0
            self._heading(words.text, (int(level) if level.isdigit() else 1) + below)
        elif style == "Title" and not self.title:
            self.title = " ".join(words.text.split())
            self._heading(words.text, 1)
        else:
            self._assembly.add(BlockKind.PARAGRAPH, words.text)
        self._anchored(words, depth)

    def _heading(self, text: str, level: int) -> None:
        self._assembly.add(BlockKind.HEADING, " ".join(text.split()), level=max(1, level))

    def _list(self, element: Element, depth: int) -> None:
        for item in element:
            for part in item:
                if local_name(part) == "p":
                    words = odf_words(part)
                    self._assembly.add(BlockKind.LIST_ITEM, words.text)
                    self._anchored(words, depth)
                else:
                    self._add(part, depth + 1)

    def _anchored(self, words: OdfWords, depth: int) -> None:
        for box in words.boxes:
            for inner in box:
                self._add(inner, depth + 1)
        for note in words.notes:
            self._assembly.add(BlockKind.NOTE, note)


def _margins(package: OdfPackage) -> Iterator[str]:
    """Yield the words of headers and footers, each distinct one once."""
    root = package.xml("styles.xml")
    seen: set[str] = set()
    for item in () if root is None else root.iter():
        if local_name(item) in _MARGINS:
            words = all_words(item)
            if any(map(str.isalpha, words)) and words not in seen:
                seen.add(words)
                yield words
