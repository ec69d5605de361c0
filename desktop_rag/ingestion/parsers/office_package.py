"""What Word, Excel and PowerPoint files have in common: parts, relations, properties."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from desktop_rag.domain.metadata import MetadataValue
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.archive import Archive, ArchiveLimits, BrokenPart
from desktop_rag.ingestion.parsers.problems import damaged
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, Element, local_name, parse_xml

_UNWANTED = re.compile(
    "[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\ufff9-\ufffb\ud800-\udfff\uf000-\uf0ff]"
)
"""Control characters, marks without width, and the places of symbol fonts (bullets, arrows
of Wingdings), which say nothing without their font."""

_PROPERTIES = {
    "creator": "author",
    "created": "created",
    "modified": "modified",
    "language": "stated_language",
    "subject": "subject",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
}
_DATES = frozenset({"created", "modified"})
_NO_TITLES = frozenset(
    {
        *("powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint"),
        *("powerpoint 演示文稿", "powerpoint 簡報", "powerpoint プレゼンテーション", "slide 1"),
        *("microsoft word", "untitled", "microsoft word document"),
    }
)
"""What programs write for a title where nobody gave one."""


def clean(text: str) -> str:
    """Return text without characters that no reader sees."""
    return _UNWANTED.sub("", text).replace("\xad", "").replace("\v", "\n").replace("\f", "\n")


def attribute(element: Element, name: str, default: str = "") -> str:
    """Return an attribute by its name, whatever its namespace is."""
    value: str | None = element.get(name)
    if value is not None:
        return value
    for key, other in element.items():
        if key.rpartition("}")[2] == name:
            return str(other)
    return default


def child(element: Element, *names: str) -> Element | None:
    """Return the element at a path of local names below ``element``, None if there is none."""
    for name in names:
        element = next((e for e in element if local_name(e) == name), None)
        if element is None:
            return None
    return element


class OfficePackage:
    """An Office file: an archive of XML parts that point at each other.

    Args:
        source: the file or its content.
        name: the file's name, for messages.
        limits: how much it may unpack to.

    Raises:
        KnownError: it is no archive, or one that does harm.
        OSError: it could not be read.
    """

    def __init__(
        self, source: Path | bytes, name: str, limits: ArchiveLimits | None = None
    ) -> None:
        self.name = name
        self.archive = Archive(source, name, limits)
        self._names = {
            part.lstrip("/").replace("\\", "/").lower(): part for part in self.archive.names
        }

    def find(self, path: str) -> str | None:
        """Return a part's name as the archive has it: letter case is not to be relied on."""
        return self._names.get(path.lstrip("/").lower())

    def xml(self, path: str | None) -> Element | None:
        """Return a part's root element, None where it is missing or broken.

        Raises:
            KnownError: it is one that does harm.
        """
        part = self.find(path) if path else None
        if part is None:
            return None
        try:
            return parse_xml(self.archive.read(part), self.name)
        except (BrokenPart, BrokenXml):
            return None

    def relations(self, path: str) -> dict[str, tuple[str, str]]:
        """Return {id: (kind, path)} of what a part ("" for the package) points at inside."""
        folder, base = posixpath.split(path)
        root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, tuple[str, str]] = {}
        for relation in () if root is None else root:
            if local_name(relation) != "Relationship" or relation.get("TargetMode") == "External":
                continue
            target = unquote(relation.get("Target") or "")
            place = target if target.startswith("/") else posixpath.join(folder, target)
            kind = (relation.get("Type") or "").rpartition("/")[2]
            found[relation.get("Id") or ""] = kind, posixpath.normpath(place).lstrip("/")
        return found

    def main_part(self, usual: str) -> str:
        """Return the path of the part that holds the document; ``usual`` is where it lies.

        Raises:
            KnownError: there is none.
        """
        targets = [path for kind, path in self.relations("").values() if kind == "officeDocument"]
        for path in (*targets, usual):
            if self.find(path):
                return path
        raise damaged(self.name)

    def properties(self) -> tuple[str, dict[str, MetadataValue]]:
        """Return the title and the other core properties, as far as there are any."""
        targets = [path for kind, path in self.relations("").values() if kind == "core-properties"]
        try:
            root = self.xml(next(iter(targets), "docProps/core.xml"))
        except KnownError:
            return "", {}
        said = {
            local_name(item): " ".join(clean(item.text or "").split())
            for item in (() if root is None else root)
        }
        title = said.get("title", "")
        return "" if title.lower() in _NO_TITLES else title, metadata_of(said)


def metadata_of(said: Mapping[str, str]) -> dict[str, MetadataValue]:
    """Return metadata from properties by their Dublin Core names; dates are days (ISO)."""
    return {
        key: said[name][:10] if name in _DATES else said[name]
        for name, key in _PROPERTIES.items()
        if said.get(name)
    }
