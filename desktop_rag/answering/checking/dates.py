"""Dates as they are written in English and Chinese, in one form: 2024-08-15."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_rag.answering.checking.facts import Fact, FactKind

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1\d{3}|20\d{2})"
_EDGE = r"(?<![A-Za-z0-9])"
_LIMIT = r"(?![A-Za-z0-9/-]|\.\d)"
_WRITTEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_EDGE}{_YEAR}[-/.](?P<number>\d{{1,2}})[-/.]{_DAY}{_LIMIT}",
        rf"(?<!\d){_YEAR}\s*年\s*(?:(?P<number>\d{{1,2}})\s*月\s*(?:(?P<day>\d{{1,2}})\s*[日号號])?)?",
        rf"{_EDGE}{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?{_LIMIT}",
        rf"{_EDGE}{_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?{_LIMIT}",
        rf"{_EDGE}{_MONTH},?\s+{_YEAR}{_LIMIT}",
        r"(?<!\d)(?P<number>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号號]",
    )
)


def dates_in(text: str) -> Iterator[Fact]:
    """Yield the dates of a text; a year that stands alone is one only in Chinese (2024年)."""
    taken: list[tuple[int, int]] = []
    for pattern in _WRITTEN:
        for found in pattern.finditer(text):
            start, end = found.span()
            if any(start < last and end > first for first, last in taken):
                continue
            fact = _fact(found)
            if fact is not None:
                taken.append((start, end))
                yield fact


def _fact(found: re.Match[str]) -> Fact | None:
    parts = found.groupdict()
    month = _month(parts)
    day = int(parts["day"]) if parts.get("day") else None
    year = parts.get("year")
    if not (month is None or 1 <= month <= 12) or not (day is None or 1 <= day <= 31):
        return None
    kind = FactKind.YEAR if month is None else FactKind.DATE
    forms = _forms(year, month, day)
    return Fact(kind, forms[0], found.start(), found.end(), frozenset(forms))


def _month(parts: dict[str, str | None]) -> int | None:
    if written := parts.get("month"):
        return _MONTHS.index(written[:3].lower()) + 1
    return int(number) if (number := parts.get("number")) else None


def _forms(year: str | None, month: int | None, day: int | None) -> list[str]:
    """Return what the date bears out, the whole date first."""
    if month is None:
        return [str(year)]
    of_month = [f"-{month:02}-{day:02}"] if day else []
    if year:
        whole = [f"{year}{one}" for one in (*of_month, f"-{month:02}")]
        return [*whole, *of_month, year]
    return of_month
