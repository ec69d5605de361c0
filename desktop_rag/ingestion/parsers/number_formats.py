"""Numbers as a spreadsheet shows them: 0.5 as 50.0%, 45000 as 2023-03-15.

Format codes are those of ECMA-376, part 1, 18.8.30 and 18.8.31.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from desktop_rag.ingestion.parsers.date_formats import date_writer

Writer = Callable[[float], str]

BUILTIN: dict[int, str] = {
    **{1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00"},
    **{12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy"},
    **{18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss"},
    22: "yyyy-mm-dd hh:mm",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((32, 33, 34, 35, 55, 56), "h:mm:ss"),
    **{37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)"},
    **{40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: "$#,##0", 43: "#,##0.00", 44: "$#,##0.00"},
    **{45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@"},
}
"""Formats that files name by number alone. Those that depend on the country are written
year first, which is read the same everywhere."""

_PIECE = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<bracket>[^\]]*)\]|(?P<plain>.)",
    re.DOTALL,
)
_CONDITION = re.compile(r"[<>=].*")
_DATE_LETTERS = re.compile(r"[ymdhsYMDHS]")
_ELAPSED = frozenset({"h", "hh", "m", "mm", "s", "ss"})
_PLACES = "0#?"
_MOST_DECIMALS = 30
_LARGEST = 1e15
"""Numbers beyond this have no digits to round."""


def general(value: float) -> str:
    """Write a number without a format."""
    if value == int(value) and abs(value) < _LARGEST:
        return str(int(value))
    return f"{value:.15g}"


def number_writer(code: str, epoch_1904: bool = False) -> Writer:
    """Return the function that writes numbers in a format.

    Args:
        code: the format ("0.0%"); what is not understood is written without format.
        epoch_1904: whether days are counted from 1904, as old Macintosh files do.
    """
    sections = [_section(pieces, epoch_1904) for pieces in _sections(code)[:3]]
    if not sections or any(section is None for section in sections):
        return general
    writers = [section for section in sections if section is not None]
    positive = writers[0]
    if len(writers) == 1:
        return positive
    negative, zero = writers[1], writers[2] if len(writers) > 2 else positive

    def write(value: float) -> str:
        if value < 0:
            return negative(-value)
        return zero(value) if value == 0 else positive(value)

    return write


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a format: words to write as they are, or a mark with a meaning."""

    text: str
    is_literal: bool


def _sections(code: str) -> list[list[Piece]]:
    sections: list[list[Piece]] = [[]]
    for match in _PIECE.finditer(code):
        kind, text = match.lastgroup, match.group(match.lastgroup or 0)
        if kind in ("quoted", "escaped", "currency"):
            sections[-1].append(Piece(text, is_literal=True))
        elif kind == "bracket":
            if _CONDITION.fullmatch(text) or text.lower() in _ELAPSED:
                sections[-1].append(Piece(f"[{text.lower()}]", is_literal=False))
        elif kind == "plain" and text == ";":
            sections.append([])
        elif kind == "plain":
            sections[-1].append(Piece(text, is_literal=False))
    return sections


def _section(pieces: list[Piece], epoch_1904: bool) -> Writer | None:
    marks = "".join(piece.text for piece in pieces if not piece.is_literal)
    if any(piece.text[1:2] in ("<", ">", "=") for piece in pieces if piece.text[:1] == "["):
        return None
    if marks.lower() == "general" or marks == "@" or "/?" in marks or "?/" in marks:
        return general
    if _DATE_LETTERS.search(marks.replace("E+", "").replace("E-", "")):
        return date_writer([(piece.text, piece.is_literal) for piece in pieces], epoch_1904)
    if not any(place in marks for place in _PLACES):
        words = "".join(piece.text for piece in pieces)
        return lambda value: words
    return _Number(pieces).write


class _Number:
    """Writes numbers in one section of a format."""

    def __init__(self, pieces: list[Piece]) -> None:
        places = [n for n, p in enumerate(pieces) if not p.is_literal and p.text in _PLACES]
        first, last = places[0], places[-1]
        inside = pieces[first : last + 1]
        marks = "".join(piece.text for piece in inside if not piece.is_literal)
        whole, _, after = marks.partition(".")
        decimals, self._exponent, _ = after.upper().partition("E")
        if "E" in whole.upper():
            whole, self._exponent = whole.upper().split("E", 1)[0], "E"
        self._decimals = min(sum(mark in _PLACES for mark in decimals), _MOST_DECIMALS)
        self._fewest_decimals = decimals.count("0")
        self._fewest_digits = whole.count("0")
        self._separator = "," if "," in whole else ""
        behind = "".join(p.text for p in pieces[last + 1 :] if not p.is_literal)
        self._factor = 100.0 ** marks.count("%") * 100.0 ** _percents(pieces, first, last)
        self._factor /= 1000.0 ** (len(behind) - len(behind.lstrip(",")))
        self._before = _words(pieces[:first])
        self._behind = _words(pieces[last + 1 :])
        self._mask = _mask(inside) if not self._decimals and not self._separator else None

    def write(self, value: float) -> str:
        """Write one number."""
        sign = "-" if value < 0 else ""
        value = abs(value) * self._factor
        if self._exponent:
            digits = f"{value:.{self._decimals}E}"
        elif value >= _LARGEST:
            digits = general(value)
        else:
            digits = self._digits(value)
        if sign and not any(digit in digits for digit in "123456789"):
            sign = ""
        return f"{sign}{self._before}{digits}{self._behind}".strip() or general(value)

    def _digits(self, value: float) -> str:
        rounded = _rounded(value, self._decimals)
        whole, _, decimals = rounded.partition(".")
        if self._mask is not None:
            return _filled(self._mask, whole)
        if whole == "0" and not self._fewest_digits:
            whole = ""
        whole = whole.zfill(self._fewest_digits)
        if self._separator:
            whole = f"{int(whole or 0):,}" if whole else ""
        while len(decimals) > self._fewest_decimals and decimals.endswith("0"):
            decimals = decimals[:-1]
        return f"{whole}.{decimals}" if decimals else whole


def _percents(pieces: list[Piece], first: int, last: int) -> int:
    outside = pieces[:first] + pieces[last + 1 :]
    return sum(1 for piece in outside if not piece.is_literal and piece.text == "%")


def _words(pieces: list[Piece]) -> str:
    return "".join(p.text for p in pieces if p.is_literal or p.text not in (",", "?", "@"))


def _mask(pieces: list[Piece]) -> list[Piece] | None:
    """Return the pieces of a format with words between its digits (000-00-0000), else None."""
    between = any(p.is_literal or (p.text not in _PLACES and p.text not in ".,%") for p in pieces)
    return pieces if between else None


def _filled(mask: list[Piece], digits: str) -> str:
    """Put digits in the places of a mask, from the right; the first place takes the rest."""
    left, written = list(digits), []
    places = sum(1 for piece in mask if not piece.is_literal and piece.text in _PLACES)
    for piece in reversed(mask):
        if piece.is_literal or piece.text not in _PLACES:
            written.append(piece.text)
            continue
        places -= 1
        digit = left.pop() if left else ("0" if piece.text == "0" else "")
        written.append("".join(left) + digit if places == 0 else digit)
    return "".join(reversed(written))


def _rounded(value: float, decimals: int) -> str:
    """Round as people do, half up in the digits that are shown."""
    shown = repr(value)
    if shown.endswith("5") and "e" not in shown and len(shown.partition(".")[2]) > decimals:
        place = Decimal(1).scaleb(-decimals)
        return str(Decimal(shown).quantize(place, rounding=ROUND_HALF_UP))
    return f"{value:.{decimals}f}"
