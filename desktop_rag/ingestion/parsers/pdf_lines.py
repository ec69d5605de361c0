"""The lines of a PDF page, as they are seen: text, place, size and weight."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
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

_NEARLY_ALL = 0.85

_GARBLED_LINE = 0.3
"""A line with this share of bad characters is not text."""


@dataclass(slots=True)
class Line:
    """A line of a page in PDF points; ``size`` is the font's, ``cells`` a table row's.

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
    middle: float = field(init=False)

    def __post_init__(self) -> None:
        self.middle = (self.y0 + self.y1) / 2


@dataclass(slots=True)
class PageLines:
    """A page's lines in drawing order, and how many of its characters are no text.

    ``turned`` are lines that are not horizontal: stamps, labels of axes.
    """

    lines: list[Line]
    turned: list[Line]
    width: float
    height: float
    characters: int
    bad: int


def page_lines(page: dict[str, Any]) -> PageLines:
    """Take the lines out of PyMuPDF's "dict" of a page; garbled ones are only counted."""
    lines: list[Line] = []
    turned: list[Line] = []
    characters = bad = 0
    for block in page["blocks"]:
        for raw in block.get("lines", ()):
            line, all_characters, bad_characters = _line(raw)
            characters += all_characters
            bad += bad_characters
            if line is not None:
                (lines if raw["dir"][0] > 0.99 else turned).append(line)
    return PageLines(lines, turned, page["width"], page["height"], characters, bad)


def _line(raw: dict[str, Any]) -> tuple[Line | None, int, int]:
    spans = raw["spans"]
    text = spans[0]["text"] if len(spans) == 1 else "".join(span["text"] for span in spans)
    bad = 0
    if not text.isascii() or not text.isprintable():
        text = text.translate(_BULLETS)
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
