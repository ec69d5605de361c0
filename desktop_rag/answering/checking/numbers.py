"""Numbers as they are written in English and Chinese, in one form: 1000, 3%, 0.5."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from desktop_rag.answering.checking.facts import Fact, FactKind

_SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
    "百": 100,
    "千": 1_000,
    "万": 10_000,
    "萬": 10_000,
    "亿": 100_000_000,
    "億": 100_000_000,
}
_DIGITS = re.compile(
    r"(?<![\w.])(?P<minus>[-−])?"
    r"(?P<digits>\d{1,3}(?P<sign>[,' \u00a0\u202f])\d{3}(?:(?P=sign)\d{3})*(?![\d,])(?:\.\d+)?"
    r"|\d+(?:[.,]\d+)?)"
    r"(?P<ordinal>st|nd|rd|th|s)?"
    r"(?P<scales>(?:[\s-]*(?:hundred|thousand|million|billion|trillion)\b|\s?[百千万萬亿億])*)"
    r"(?P<percent>\s*(?:%|percent\b|per\s+cent\b))?",
    re.IGNORECASE | re.ASCII,
)
_HAN_DIGITS = dict(
    zip("零〇一二两兩三四五六七八九", (0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)
)
_HAN = "零〇一二两兩三四五六七八九十百千万萬亿億"
_HAN_NUMBER = re.compile(rf"(?P<percent>百分之)?(?P<number>[{_HAN}]+(?:[点點][{_HAN}]+)?)")
_COUNTED = re.compile(
    r"[个個年月日天号號位人名次部种種届屆岁歲元块塊米里公度倍家座条條页頁章节節级級世层層小分秒]"
)
_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
""".split()  # noqa: SIM905  - a list of words is easier to read as text
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_ORDINALS = {
    **dict(
        zip(
            ["first", "second", "third", "fifth", "eighth", "ninth", "twelfth"],
            (1, 2, 3, 5, 8, 9, 12),
            strict=True,
        )
    ),
    **{f"{_ONES[n]}th": n for n in (4, 6, 7, 10, 11, *range(13, 20))},
    **{f"{word[:-1]}ieth": 20 + 10 * n for n, word in enumerate(_TENS)},
}
_WORD_VALUES = {
    **{word: n for n, word in enumerate(_ONES)},
    **{word: 20 + 10 * n for n, word in enumerate(_TENS)},
    **_ORDINALS,
    "dozen": 12,
    "half": Decimal("0.5"),
    "once": 1,
    "twice": 2,
}
_ANY_WORD = "|".join(
    sorted((*_WORD_VALUES, *(one for one in _SCALES if one.isascii())), key=len, reverse=True)
)
_WORDS = re.compile(
    rf"\b(?:{_ANY_WORD})(?:(?:\s+and)?[\s-]+(?:{_ANY_WORD}))*\b(?P<percent>\s+per\s?cent\b)?",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[\s-]+")
_VAGUE = frozenset(
    (
        "one",
        "first",
        "second",
        "once",
        "half",
        "zero",
        "third",
        "hundred",
        "thousand",
        "million",
        "billion",
        "trillion",
        "dozen",
    )
)
_YEARS = range(1000, 2101)


def numbers_in(text: str) -> Iterator[Fact]:
    """Yield the numbers of a text, in figures and in words."""
    for found in _DIGITS.finditer(text):
        yield _of_digits(found)
    for found in _WORDS.finditer(text):
        yield _of_words(found)
    for found in _HAN_NUMBER.finditer(text):
        yield _of_han(found, text)


def _of_digits(found: re.Match[str]) -> Fact:
    written = found["digits"]
    grouped = re.sub(r"[,' \u00a0\u202f](?=\d{3}(?!\d))", "", written)
    value = Decimal(grouped.replace(",", "."))
    scales = re.findall(r"[a-z]+|[百千万萬亿億]", found["scales"].lower())
    for scale in scales:
        value *= _SCALES[scale]
    if found["minus"] and not found.string[: found.start()].rstrip()[-1:].isdigit():
        value = -value
    is_year = written.isdigit() and len(written) == 4 and not scales and int(written) in _YEARS
    ordinal = (found["ordinal"] or "s").lower() != "s"
    return _fact(value, found, bool(found["percent"]), is_year, ordinal=ordinal)


def _of_words(found: re.Match[str]) -> Fact:
    percent = found["percent"] or ""
    words = _SPLIT.split(found.group().removesuffix(percent).lower())
    whole, part = Decimal(0), Decimal(0)
    for word in words:
        if word in _WORD_VALUES:
            part += _WORD_VALUES[word]
        elif word in _SCALES and _SCALES[word] == 100:
            part = max(part, Decimal(1)) * 100
        elif word in _SCALES:
            whole, part = whole + max(part, Decimal(1)) * _SCALES[word], Decimal(0)
    vague = len(words) == 1 and words[0] in _VAGUE and not percent
    ordinal = words[-1] in _ORDINALS
    return _fact(whole + part, found, bool(percent), False, vague, ordinal)


def _of_han(found: re.Match[str], text: str) -> Fact:
    whole, _, behind = found["number"].replace("點", "点").partition("点")
    value = _han_value(whole)
    if behind:
        value += Decimal("0." + "".join(str(_HAN_DIGITS.get(one, 0)) for one in behind))
    is_year = len(whole) == 4 and text[found.end() : found.end() + 1] == "年"
    counted = _COUNTED.match(text, found.end()) is not None
    ordinal = text[max(0, found.start() - 1) : found.start()] == "第"
    vague = not (counted or ordinal or found["percent"] or (len(whole) > 2 and value > 10))
    vague = vague or whole in ("一", "百", "千", "万", "亿")
    return _fact(value, found, bool(found["percent"]), is_year, vague, ordinal)


def _han_value(written: str) -> Decimal:
    """Return the value of 三百二十 (positions) or 二〇二四 (figures)."""
    if len(written) > 1 and all(one in _HAN_DIGITS for one in written):
        return Decimal("".join(str(_HAN_DIGITS[one]) for one in written))
    whole, part, figure = 0, 0, 0
    for one in written:
        if one in _HAN_DIGITS:
            figure = _HAN_DIGITS[one]
        elif one == "十" or _SCALES[one] < 10_000:
            part, figure = part + (figure or 1) * (10 if one == "十" else _SCALES[one]), 0
        else:
            whole, part, figure = (whole + max(part + figure, 1)) * _SCALES[one], 0, 0
    return Decimal(whole + part + figure)


def _fact(
    value: Decimal,
    found: re.Match[str],
    percent: bool,
    is_year: bool,
    vague: bool = False,
    ordinal: bool = False,
) -> Fact:
    """Return the fact; the first of something is another thing than one of it."""
    written = f"{'#' * ordinal}{value.normalize():f}{'%' * percent}"
    kind = FactKind.PERCENT if percent else FactKind.YEAR if is_year else FactKind.NUMBER
    return Fact(kind, written, found.start(), found.end(), frozenset((written,)), vague)
