"""What OpenDocument files have in common: parts, properties, words of a paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.domain.metadata import MetadataValue
from desktop_rag.ingestion.parsers.archive import Archive, BrokenPart
from desktop_rag.ingestion.parsers.office_package import attribute, clean, metadata_of
from desktop_rag.ingestion.parsers.problems import damaged, needs_password
from desktop_rag.ingestion.parsers.xml_safe import (
    BrokenXml,
    Element,
    local_name,
    parse_xml,
    stream_xml,
)

CONTENT = "content.xml"
_MANIFEST = "META-INF/manifest.xml"
_PASSED_OVER = frozenset({"tracked-changes", "ruby-text", "title", "desc", "annotation-end"})
_MOST_SPACES = 100
_MOST_NESTING = 100


@dataclass(slots=True)
class OdfWords:
    """A paragraph's words, and the boxes, notes and comments that are anchored in it."""

    text: str = ""
    boxes: list[Element] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class OdfPackage:
    """An OpenDocument file.

    Raises:
        KnownError: it is damaged, needs a password or does harm.
        OSError: it could not be read.
    """

    def __init__(self, source: Path | bytes, name: str) -> None:
        self.name = name
        self.archive = Archive(source, name)
        if CONTENT not in self.archive:
            raise damaged(name)
        manifest = self.xml(_MANIFEST)
        if manifest is not None and any(
            local_name(e) == "encryption-data" for e in manifest.iter()
        ):
            raise needs_password(name, "the program that made it")

    def xml(self, part: str) -> Element | None:
        """Return a part's root element, None where it is missing or broken."""
        if part not in self.archive:
            return None
        try:
            return parse_xml(self.archive.read(part), self.name)
        except (BrokenPart, BrokenXml):
            return None

    def stream(
        self, tags: tuple[str, ...], events: tuple[str, ...] = ("end",)
    ) -> Iterator[tuple[str, Element]]:
        """Yield the elements of the content; raises as ``stream_xml`` does."""
        with self.archive.open(CONTENT) as stream:
            yield from stream_xml(stream, self.name, tags, events)

    def properties(self) -> tuple[str, dict[str, MetadataValue]]:
        """Return the title and the other properties, as far as there are any."""
        root = self.xml("meta.xml")
        said: dict[str, str] = {}
        for item in () if root is None else root.iter():
            words = " ".join(clean(item.text or "").split())
            if words:
                said.setdefault(local_name(item), words)
        said["created"] = said.get("creation-date", "")
        said["creator"] = said.get("initial-creator", "") or said.get("creator", "")
        said["keywords"] = said.get("keyword", "")
        return said.get("title", ""), metadata_of(said)


def odf_words(paragraph: Element) -> OdfWords:
    """Read one paragraph."""
    words = OdfWords()
    pieces: list[str] = []
    _collect(paragraph, pieces, words, 0)
    lines = (" ".join(line.split()) for line in clean("".join(pieces)).split("\n"))
    words.text = "\n".join(line for line in lines if line)
    return words


def all_words(element: Element) -> str:
    """Return the words of all paragraphs inside of an element, one a line."""
    return "\n".join(filter(None, (odf_words(e).text for e in inner_paragraphs(element))))


def inner_paragraphs(element: Element, depth: int = 0) -> Iterator[Element]:
    """Yield the paragraphs and headings inside of an element that are in no other."""
    for item in element:
        name = local_name(item)
        if name in ("p", "h"):
            yield item
        elif name not in _PASSED_OVER and depth < _MOST_NESTING:
            yield from inner_paragraphs(item, depth + 1)


def _collect(element: Element, pieces: list[str], words: OdfWords, depth: int) -> None:
    pieces.append(" ".join((element.text or "").split("\n")))
    for item in element:
        name = local_name(item)
        if name == "s":
            count = attribute(item, "c", "1")
            pieces.append(" " * min(int(count) if count.isdigit() else 1, _MOST_SPACES))
        elif name == "tab":
            pieces.append(" ")
        elif name == "line-break":
            pieces.append("\n")
        elif name == "text-box":
            words.boxes.append(item)
        elif name in ("note", "annotation"):
            words.notes.append(_note(item))
        elif name not in _PASSED_OVER and depth < _MOST_NESTING:
            _collect(item, pieces, words, depth + 1)
        pieces.append(" ".join((item.tail or "").split("\n")))


def _note(item: Element) -> str:
    body = next((e for e in item if local_name(e) == "note-body"), item)
    author = next((e.text or "" for e in item if local_name(e) == "creator"), "")
    words = all_words(body)
    return f"{author}: {words}" if author and words else words
