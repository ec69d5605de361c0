"""Electronic books (EPUB 2 and 3): chapters in the order of the spine."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.archive import Archive, BrokenPart
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.declared import decode_declared
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.html import add_page, declared_charset, html_tree
from desktop_rag.ingestion.parsers.html_blocks import words_of
from desktop_rag.ingestion.parsers.problems import damaged, needs_password, no_text
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, Element, local_name, parse_xml

_CONTAINER = "META-INF/container.xml"
_RIGHTS = "META-INF/rights.xml"
_PAGE_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_METADATA = {
    "creator": "author",
    "date": "date",
    "language": "stated_language",
    "publisher": "publisher",
    "identifier": "identifier",
}


class EpubParser:
    """Reads a book; each chapter's pages follow each other, their headings are kept."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a book; see ``Parser``."""
        with Archive(source, name) as archive:
            if _RIGHTS in archive:
                raise needs_password(name, "the program that you bought it with")
            try:
                return _Book(archive, name).parsed()
            except (BrokenXml, BrokenPart, KeyError) as error:
                raise damaged(name) from error


class _Book:
    def __init__(self, archive: Archive, name: str) -> None:
        self._archive = archive
        self._name = name
        self._unreadable: list[UnreadableUnit] = []
        self._place = self._package_place()
        self._package = parse_xml(archive.read(self._place), name)

    def parsed(self) -> ParsedDocument:
        assembly = Assembly()
        read = sum(self._add_chapter(assembly, part) for part in dict.fromkeys(self._spine()))
        if not len(assembly):
            raise no_text(self._name, "The book has pictures alone.")
        values = self._metadata()
        title = values.pop("title", "")
        coverage = Coverage(read, unreadable=tuple(self._unreadable))
        return assembly.finish(Format.EPUB.value, title=title, metadata=values, coverage=coverage)

    def _package_place(self) -> str:
        if _CONTAINER in self._archive:
            root = parse_xml(self._archive.read(_CONTAINER), self._name)
            for element in root.iter():
                if local_name(element) == "rootfile" and element.get("full-path"):
                    return str(element.get("full-path"))
        packages = [part for part in self._archive.names if part.endswith(".opf")]
        if not packages:
            raise BrokenPart(_CONTAINER)
        return packages[0]

    def _spine(self) -> Iterator[str]:
        """Yield the names of the pages in reading order."""
        items = {e.get("id"): e for e in self._elements("item")}
        for reference in self._elements("itemref"):
            item = items.get(reference.get("idref"))
            if item is None or item.get("media-type", "") not in _PAGE_TYPES:
                continue
            if "nav" in (item.get("properties") or "").split():
                continue
            path = posixpath.join(posixpath.dirname(self._place), unquote(item.get("href", "")))
            yield posixpath.normpath(path)

    def _add_chapter(self, assembly: Assembly, part: str) -> int:
        try:
            content = self._archive.read(part)
        except (KeyError, BrokenPart):
            number = len(self._unreadable) + 1
            self._unreadable.append(UnreadableUnit(number, f"“{part}”: damaged"))
            return 0
        tree = html_tree(decode_declared(content, declared_charset(content)).text)
        before = len(assembly)
        heading = tree.css_first("title") if tree.css_first(_HEADINGS) is None else None
        if heading is not None and tree.body is not None and words_of(tree.body):
            assembly.add(BlockKind.HEADING, words_of(heading), level=1)
        add_page(assembly, tree)
        return int(len(assembly) > before)

    def _metadata(self) -> dict[str, str]:
        found: dict[str, list[str]] = {}
        for element in self._package.iter():
            key = {"title": "title", **_METADATA}.get(local_name(element))
            text = (element.text or "").strip()
            if key is not None and text and "/dc/elements/" in str(element.tag):
                found.setdefault(key, []).append(text)
        joined = {key: values[0] for key, values in found.items()}
        if "author" in found:
            joined["author"] = ", ".join(found["author"])
        return joined

    def _elements(self, name: str) -> Iterator[Element]:
        return (element for element in self._package.iter() if local_name(element) == name)
