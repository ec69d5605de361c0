"""The lines of a PDF page, as they are seen: text, place, size and weight."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

_BOLD = 16
_MONOSPACED = 8
"""Bits of a span's flags (PyMuPDF, TEXT_FONT_*)."""

_BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi|[-,]bd\b|hei(?![a-z])", re.IGNORECASE)

_BAD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
"""Control and private-use characters, and the sign for a glyph without a character: what
comes out of fonts that do not say which characters their glyphs are."""

_SPACES = re.compile(r"\s+")
_BULLETS = dict.fromkeys(map(ord, "\uf0b7\uf0a7\uf0d8\uf0a8\uf076\uf0fc\uf06e\uf071\uf0e0"), "•")
"""Wingdings and Symbol as Word writes them: bullets, and nothing garbled."""

_LOST_FF = re.compile(r"(?<=[^\W\d_])↵|↵(?=[^\W\d_])")
"""The arrow that comes out for the ligature ff (glyph 11) of TeX's old fonts where a file does
not say what it means; an arrow of its own does not touch a word."""

_NEARLY_ALL = 0.85
_LEVEL = 0.99
"""Cosine of the direction of a line from which it is level."""

_VECTOR = 3
_THICK = 2.5
"""Points; what is drawn and no thicker is a rule."""

_SHORTEST = 7.0
"""Points; no row of a table is lower."""

Rule = tuple[float, float, float]
"""Where a rule is (its y, or its x if it is upright), and from where to where it goes."""

_GARBLED_LINE = 0.3
"""A line with this share of bad characters is not text."""


@dataclass(slots=True)
class Line:
    """A line of a page in PDF points; ``size`` is the font's, ``cells`` a table row's.

    ``table`` is the number of the ruled table that a row belongs to, 0 for any other line;
    ``middle`` is the height of the line's middle.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    mono: bool
    cells: int = 1
    table: int = 0
    middle: float = field(init=False)

    def __post_init__(self) -> None:
        self.middle = (self.y0 + self.y1) / 2


@dataclass(slots=True)
class PageLines:
    """A page's lines in drawing order, and how many of its characters are no text.

    ``turned`` are lines that are not horizontal: stamps, labels of axes. ``level`` and
    ``upright`` are the rules drawn on the page.
    """

    lines: list[Line]
    turned: list[Line]
    width: float
    height: float
    characters: int
    bad: int
    level: list[Rule] = field(default_factory=list)
    upright: list[Rule] = field(default_factory=list)


def page_lines(page: dict[str, Any]) -> PageLines:
    """Take the lines out of PyMuPDF's "dict" of a page; garbled ones are only counted."""
    lines: list[Line] = []
    turned: list[Line] = []
    characters = bad = 0
    level, upright = _rules(page["blocks"])
    for block in page["blocks"]:
        for raw in _cut_at(upright, block.get("lines", ())):
            line, all_characters, bad_characters = _line(raw)
            characters += all_characters
            bad += bad_characters
            if line is not None:
                (lines if raw["dir"][0] > _LEVEL else turned).append(line)
    size = page["width"], page["height"]
    return PageLines(lines, turned, *size, characters, bad, level, upright)


def _rules(blocks: Iterable[dict[str, Any]]) -> tuple[list[Rule], list[Rule]]:
    """Return the level and the upright rules among what is drawn; a frame has four."""
    level: list[Rule] = []
    upright: list[Rule] = []
    for block in blocks:
        if block["type"] != _VECTOR:
            continue
        x0, y0, x1, y1 = block["bbox"]
        if y1 - y0 <= _THICK:
            level += [((y0 + y1) / 2, x0, x1)] * (x1 - x0 > _THICK)
        elif x1 - x0 <= _THICK and y1 - y0 >= _SHORTEST:
            upright.append(((x0 + x1) / 2, y0, y1))
        elif block["isrect"] and block["stroked"] and y1 - y0 >= _SHORTEST:
            level += [(y0, x0, x1), (y1, x0, x1)]
            upright += [(x0, y0, y1), (x1, y0, y1)]
    return level, upright


def _cut_at(upright: Sequence[Rule], lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield lines, cut between spans where an upright rule stands between them."""
    for raw in lines:
        spans = raw["spans"]
        if not upright or len(spans) < 2 or raw["dir"][0] <= _LEVEL:
            yield raw
            continue
        middle = (raw["bbox"][1] + raw["bbox"][3]) / 2
        rules = sorted(x for x, top, bottom in upright if top <= middle <= bottom)
        parts: dict[int, list[dict[str, Any]]] = {}
        for span in spans:
            centre = (span["bbox"][0] + span["bbox"][2]) / 2
            parts.setdefault(bisect_left(rules, centre), []).append(span)
        yield from (_part(raw, part) for part in parts.values())


def _part(raw: dict[str, Any], spans: list[dict[str, Any]]) -> dict[str, Any]:
    boxes = [span["bbox"] for span in spans]
    x0, x1 = min(box[0] for box in boxes), max(box[2] for box in boxes)
    return {**raw, "spans": spans, "bbox": (x0, raw["bbox"][1], x1, raw["bbox"][3])}


def _line(raw: dict[str, Any]) -> tuple[Line | None, int, int]:
    spans = raw["spans"]
    text = spans[0]["text"] if len(spans) == 1 else "".join(span["text"] for span in spans)
    bad = 0
    if not text.isascii() or not text.isprintable():
        text = _LOST_FF.sub("\ufb00", text.translate(_BULLETS))
        bad = len(_BAD.findall(text))
        if bad:
            if bad > _GARBLED_LINE * len(text.replace(" ", "")):
                return None, len(text), bad
            text = _BAD.sub("", text)
    characters = len(text)
    text = text.strip()
    if "  " in text or not text.isprintable():
        text = _SPACES.sub(" ", text)
    if not text:
        return None, 0, bad
    main = spans[0] if len(spans) == 1 else max(spans, key=_length)
    x0, y0, x1, y1 = raw["bbox"]
    bold = _share(spans, _is_bold)
    mono = _share(spans, _is_mono)
    return Line(text, x0, y0, x1, y1, main["size"], bold, mono), characters, bad


def _share(spans: list[dict[str, Any]], test: Callable[[dict[str, Any]], bool]) -> bool:
    """Whether nearly all of a line's characters pass a test of their spans."""
    if len(spans) == 1:
        return test(spans[0])
    passed = sum(_length(span) for span in spans if test(span))
    return passed > _NEARLY_ALL * sum(map(_length, spans))


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(span["flags"] & _BOLD) or _is_bold_name(span["font"])


@lru_cache(maxsize=1024)
def _is_bold_name(font: str) -> bool:
    return _BOLD_NAME.search(font) is not None


def _is_mono(span: dict[str, Any]) -> bool:
    return bool(span["flags"] & _MONOSPACED)


def _length(span: dict[str, Any]) -> int:
    return len(span["text"].strip())


def joined_fragments(lines: Iterable[Line]) -> list[Line]:
    """Join pieces of one line: words placed one by one, characters stored alone.

    Pieces belong together when they share a baseline and the gap between them is less than
    the width of a character; between columns and cells it is wider.
    """
    ordered = sorted(lines, key=lambda line: (round(line.middle / 2), line.x0))
    result: list[Line] = []
    for line in ordered:
        previous = result[-1] if result else None
        if previous is not None and _continues(previous, line):
            result[-1] = _join(previous, line)
        else:
            result.append(line)
    return result


def _continues(left: Line, right: Line) -> bool:
    size = min(left.size, right.size)
    gap = right.x0 - left.x1
    return abs(left.middle - right.middle) < 0.35 * size and -0.4 * size < gap < 0.9 * size


def _join(left: Line, right: Line) -> Line:
    gap = right.x0 - left.x1
    space = " " if needs_space(left.text, right.text) and gap > 0.12 * left.size else ""
    main = left if len(left.text) >= len(right.text) else right
    return Line(
        f"{left.text}{space}{right.text}",
        min(left.x0, right.x0),
        min(left.y0, right.y0),
        max(left.x1, right.x1),
        max(left.y1, right.y1),
        main.size,
        main.bold,
        main.mono,
    )


_UNSPACED = re.compile(
    r"[\u2e80-\u2fdf\u3000-\u30ff\u31c0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60"
    r"\uffe0-\uffe6\U00020000-\U0003134f]"
)


def needs_space(left: str, right: str) -> bool:
    """Whether words are separated by a space where ``left`` and ``right`` meet.

    Between Han characters, kana and their punctuation there is none.
    """
    if not left or not right:
        return False
    return not (_UNSPACED.match(left[-1]) and _UNSPACED.match(right[0]))


def rows_of(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield lines that stand beside each other, from top to bottom, each from the left."""
    row: list[Line] = []
    for line in sorted(lines, key=lambda line: line.middle):
        if row and line.middle - row[0].middle > 0.5 * min(line.size, row[0].size):
            yield sorted(row, key=lambda line: line.x0)
            row = []
        row.append(line)
    if row:
        yield sorted(row, key=lambda line: line.x0)
