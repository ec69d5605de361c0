"""The shapes of a slide in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from desktop_rag.domain.document import BlockKind
from desktop_rag.ingestion.parsers.drawing_text import (
    Place,
    drawn_paragraphs,
    paragraph_words,
    reading_order,
)
from desktop_rag.ingestion.parsers.office_package import attribute, child
from desktop_rag.ingestion.parsers.xml_safe import Element, local_name

Places = Mapping[tuple[str, str], Place]
"""Where a layout puts its placeholders, by (type, index)."""

_BAND = 457_200
"""Half an inch, in English Metric Units: boxes whose tops differ by less stand in one row, and
are read left first."""

_TITLES = frozenset({"title", "ctrTitle"})
_BODIES = frozenset({"body", "obj", ""})
_REPEATED = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})
"""Placeholders that every slide repeats."""

_MOST_NESTING = 50
_WIDEST_SPAN = 100
_SHAPES = frozenset({"sp", "cxnSp", "grpSp", "graphicFrame", "pic", "AlternateContent"})


@dataclass(frozen=True, slots=True)
class Piece:
    """What a shape gives: words of one kind, the rows of a table, or a part to look up."""

    kind: BlockKind
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    part: str = ""


def pieces_of(tree: Element, places: Places, depth: int = 0) -> Iterator[Piece]:
    """Yield what is in the shapes of a slide or group: the title first, then by position."""
    if depth > _MOST_NESTING:
        return
    shapes = [shape for shape in _resolved(tree) if local_name(shape) in _SHAPES]
    placed = [(_place(shape, places), shape) for shape in shapes]
    for shape in reading_order(placed, _BAND):
        name = local_name(shape)
        if name == "grpSp":
            yield from pieces_of(shape, places, depth + 1)
        elif name == "graphicFrame":
            yield from _frame(shape)
        elif name in ("sp", "cxnSp"):
            yield from _box(shape)


def placeholder(shape: Element) -> tuple[str, str] | None:
    """Return the (type, index) of a placeholder, None for any other shape."""
    for part in shape:
        if local_name(part).startswith("nv"):
            found = child(part, "nvPr", "ph")
            if found is not None:
                return attribute(found, "type"), attribute(found, "idx")
    return None


def places_of(tree: Element) -> dict[tuple[str, str], Place]:
    """Return where the placeholders of a layout stand."""
    found: dict[tuple[str, str], Place] = {}
    for shape in tree:
        held, place = placeholder(shape), _own_place(shape)
        if held is not None and place is not None:
            found[held] = place
    return found


def _resolved(tree: Element) -> Iterator[Element]:
    """Yield shapes; of several versions of the same the last, which every program knows."""
    for shape in tree:
        if local_name(shape) == "AlternateContent":
            versions = [version for version in shape if len(version)]
            if versions:
                yield from _resolved(versions[-1])
        else:
            yield shape


def _place(shape: Element, places: Places) -> Place | None:
    """Return where a shape stands, None for a title, which is read before everything."""
    held = placeholder(shape)
    if held is not None and held[0] in _TITLES:
        return None
    place = _own_place(shape)
    if place is None and held is not None:
        place = places.get(held) or next((p for h, p in places.items() if h[1] == held[1]), None)
    return (-1, 0) if place is None else place


def _own_place(shape: Element) -> Place | None:
    for path in (("spPr", "xfrm"), ("grpSpPr", "xfrm"), ("xfrm",)):
        frame = child(shape, *path)
        offset = None if frame is None else child(frame, "off")
        if offset is not None:
            try:
                return int(attribute(offset, "y")), int(attribute(offset, "x"))
            except ValueError:
                return None
    return None


def _box(shape: Element) -> Iterator[Piece]:
    held = placeholder(shape)
    body = child(shape, "txBody")
    if body is None or (held is not None and held[0] in _REPEATED):
        return
    lines = list(drawn_paragraphs(body))
    if held is not None and held[0] in _TITLES:
        yield Piece(BlockKind.HEADING, " ".join(" ".join(lines).split()))
        return
    listed = held is not None and held[0] in _BODIES and len(lines) > 1
    for line in lines:
        yield Piece(BlockKind.LIST_ITEM if listed else BlockKind.PARAGRAPH, line)


def _frame(shape: Element) -> Iterator[Piece]:
    data = child(shape, "graphic", "graphicData")
    for item in () if data is None else data:
        name = local_name(item)
        if name == "tbl":
            rows = (tuple(_cells(row)) for row in item if local_name(row) == "tr")
            yield Piece(BlockKind.TABLE, rows=tuple(rows))
        elif name == "relIds":
            yield Piece(BlockKind.PARAGRAPH, part=attribute(item, "dm"))
        elif name == "chart":
            yield Piece(BlockKind.PARAGRAPH, part=attribute(item, "id"))


def _cells(row: Element) -> Iterator[str]:
    """Yield the cells of a table's row; one that covers several columns counts for each."""
    spanning, left = "", 0
    for cell in row:
        if local_name(cell) != "tc":
            continue
        body = child(cell, "txBody")
        words = () if body is None else (paragraph_words(p) for p in body)
        text = " ".join(" ".join(words).split())
        span = attribute(cell, "gridSpan")
        if span.isdigit():
            spanning, left = text, min(int(span), _WIDEST_SPAN)
        yield text or (spanning if left > 0 else "")
        left -= 1
