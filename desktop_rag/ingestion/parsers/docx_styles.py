"""Word's styles and numbering: what is a heading or a list item, and what its label is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from desktop_rag.ingestion.parsers.numerals import numeral
from desktop_rag.ingestion.parsers.office_package import attribute, child
from desktop_rag.ingestion.parsers.xml_safe import Element, local_name

TITLE = 0
"""The level of the document's own title, above all headings."""

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|标题|標題|見出し)\s*([1-9])", re.I)
_TITLE_NAMES = frozenset({"title"})
_MOST_ANCESTORS = 20
_PLACEHOLDER = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph style says: heading level (None for text) and list membership."""

    level: int | None = None
    numbering: tuple[str, int] | None = None


@dataclass(slots=True)
class _ListLevel:
    start: int
    format: str
    text: str


@dataclass(slots=True)
class _List:
    levels: dict[int, _ListLevel] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


def read_styles(root: Element | None) -> dict[str, Style]:
    """Return the paragraph styles by id, each with what it inherits."""
    elements = {
        attribute(element, "styleId"): element
        for element in (() if root is None else root)
        if local_name(element) == "style"
    }
    return {style: _resolved(elements, style) for style in elements}


def _resolved(elements: dict[str, Element], style: str) -> Style:
    level: int | None = None
    numbering: tuple[str, int] | None = None
    for _ in range(_MOST_ANCESTORS):
        element = elements.get(style)
        if element is None:
            break
        level = _style_level(element) if level is None else level
        numbering = numbering or numbering_of(child(element, "pPr"))
        base = child(element, "basedOn")
        style = "" if base is None else attribute(base, "val")
    return Style(level, numbering)


def _style_level(element: Element) -> int | None:
    named = child(element, "name")
    name = "" if named is None else attribute(named, "val").lower()
    if name in _TITLE_NAMES:
        return TITLE
    match = _HEADING.fullmatch(name)
    return int(match[1]) if match else outline_level(child(element, "pPr"))


def outline_level(properties: Element | None) -> int | None:
    """Return the heading level, 1 to 9, that paragraph properties give, None for text."""
    outline = None if properties is None else child(properties, "outlineLvl")
    value = "" if outline is None else attribute(outline, "val")
    return int(value) + 1 if value in tuple("012345678") else None


def numbering_of(properties: Element | None) -> tuple[str, int] | None:
    """Return (list, level from 0) that paragraph properties give, None for none."""
    numbers = None if properties is None else child(properties, "numPr")
    if numbers is None:
        return None
    number, level = child(numbers, "numId"), child(numbers, "ilvl")
    depth = "" if level is None else attribute(level, "val")
    return ("" if number is None else attribute(number, "val")), int(
        depth
    ) if depth.isdigit() else 0


class Numbering:
    """Counts the paragraphs of numbered lists, as Word does when it shows them.

    Args:
        root: the numbering part, None where a document has none.
    """

    def __init__(self, root: Element | None) -> None:
        self._lists: dict[str, _List] = {}
        self._numbers: dict[str, tuple[str, dict[int, int]]] = {}
        for element in () if root is None else root:
            if local_name(element) == "abstractNum":
                self._lists[attribute(element, "abstractNumId")] = _read_list(element)
            elif local_name(element) == "num":
                self._read_number(element)

    def label(self, number: str, level: int) -> str:
        """Count one paragraph and return what stands before it: "5.2", "(a)", "" for a dot."""
        target, restarts = self._numbers.get(number, ("", {}))
        found = self._lists.get(target)
        shape = None if found is None else found.levels.get(level)
        if found is None or shape is None:
            return ""
        if level in restarts:
            found.counts[level] = restarts.pop(level) - 1
        found.counts[level] = found.counts.get(level, shape.start - 1) + 1
        for deeper in [depth for depth in found.counts if depth > level]:
            del found.counts[deeper]
        if shape.format in ("bullet", "none"):
            return ""
        return _PLACEHOLDER.sub(lambda match: _count(found, int(match[1]) - 1), shape.text).strip()

    def _read_number(self, element: Element) -> None:
        target = child(element, "abstractNumId")
        restarts: dict[int, int] = {}
        for override in element:
            start = child(override, "startOverride")
            level = attribute(override, "ilvl")
            value = "" if start is None else attribute(start, "val")
            if level.isdigit() and value.isdigit():
                restarts[int(level)] = int(value)
        name = "" if target is None else attribute(target, "val")
        self._numbers[attribute(element, "numId")] = name, restarts


def _read_list(element: Element) -> _List:
    found = _List()
    for level in element:
        depth = attribute(level, "ilvl")
        if local_name(level) == "lvl" and depth.isdigit():
            values = {local_name(item): attribute(item, "val") for item in level}
            start = values.get("start", "1")
            found.levels[int(depth)] = _ListLevel(
                int(start) if start.isdigit() else 1,
                values.get("numFmt", "decimal"),
                values.get("lvlText", ""),
            )
    return found


def _count(found: _List, level: int) -> str:
    shape = found.levels.get(level)
    if shape is None:
        return ""
    return numeral(found.counts.get(level, shape.start), shape.format)
