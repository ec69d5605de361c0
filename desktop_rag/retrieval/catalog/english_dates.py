"""Dates in English questions: "in 2024", "since March", "last week", "from 2022 to 2023"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from desktop_rag.domain.catalog import DateRange
from desktop_rag.retrieval.catalog import spans
from desktop_rag.retrieval.catalog.grammar import ReadDate, Rule

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERS = (
    *("one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)

NUMBER = rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_YEAR = r"(?:19|20)\d\d"
_WEEKDAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_ABSOLUTE = (
    rf"{_YEAR}-\d{{1,2}}(?:-\d{{1,2}})?|(?:the )?{_ORDINAL}(?: of)? (?:{_MONTH})\.?,? {_YEAR}|"
    rf"(?:{_MONTH})\.? {_ORDINAL},? {_YEAR}|(?:{_MONTH})\.?,?(?: of)? {_YEAR}|"
    rf"(?:q[1-4]|(?:the )?(?:first|second|third|fourth) quarter)(?: of|,)? {_YEAR}|"
    rf"(?:the year )?{_YEAR}|{_MONTH}"
)
_WITH_PREPOSITION = r"(?:in|from|of|dated|during|on|for|made in)"
_UNIT = "day|week|month|quarter|year"

_DAY_FIRST = re.compile(rf"(?:the )?(\d{{1,2}})\D*? ({_MONTH})\D*({_YEAR})", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"({_MONTH})\.? (\d{{1,2}})\D+({_YEAR})", re.IGNORECASE)
_MONTH_ONLY = re.compile(rf"({_MONTH})\.?(?:\D+({_YEAR}))?", re.IGNORECASE)
_QUARTER = re.compile(rf"(?:q([1-4])|(?:the )?(\w+) quarter)\D+({_YEAR})", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_QUARTERS = ("first", "second", "third", "fourth")


def number(words: str) -> int:
    """Return the number that digits or an English word say; 1 for none."""
    if words.isdigit():
        return int(words)
    return _NUMBERS.index(words.lower()) + 1 if words.lower() in _NUMBERS else 1


def absolute(words: str, today: date) -> DateRange | None:
    """Return the days that a date means: a day, month, quarter or year."""
    words = words.strip().removeprefix("the year ")
    if found := _ISO.fullmatch(words):
        year, month, day = (int(part) if part else None for part in found.groups())
        return spans.of_date(year or 0, month, day)
    if found := _DAY_FIRST.fullmatch(words):
        return spans.of_date(int(found[3]), _month(found[2]), int(found[1]))
    if found := _MONTH_FIRST.fullmatch(words):
        return spans.of_date(int(found[3]), _month(found[1]), int(found[2]))
    if found := _QUARTER.fullmatch(words):
        quarter = int(found[1]) if found[1] else _QUARTERS.index(found[2].lower()) + 1
        return spans.of_unit("quarter", date(int(found[3]), 3 * quarter, 1))
    if found := _MONTH_ONLY.fullmatch(words):
        month = _month(found[1])
        return spans.of_date(int(found[2]), month) if found[2] else spans.latest_month(month, today)
    return None


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _whole(groups: Mapping[str, str], today: date) -> DateRange | None:
    return absolute(groups["date"], today)


def _between(groups: Mapping[str, str], today: date) -> DateRange | None:
    first, last = absolute(groups["date"], today), absolute(groups["end"], today)
    return None if first is None or last is None else spans.from_to(first, last)


def _named(groups: Mapping[str, str], today: date) -> DateRange | None:
    if "date" in groups:
        return absolute(groups["date"], today)
    return _relative(groups, today)


def _relative(groups: Mapping[str, str], today: date) -> DateRange | None:
    if "weekday" in groups:
        day = spans.latest_weekday(_DAYS.index(groups["weekday"][:3].lower()), today)
        return DateRange(day, day)
    if "day" in groups:
        back = {"today": 0, "yesterday": 1}[groups["day"].lower()]
        return spans.of_unit("day", today, back)
    unit = groups["unit"].lower()
    if "count" in groups or "past" in groups:
        return spans.up_to_now(unit, number(groups.get("count", "")), today)
    return spans.of_unit(unit, today, 0 if groups["which"].lower() == "this" else 1)


_RELATIVE = (
    rf"(?:on |from )?(?P<day>today|yesterday)|(?:on |last )?(?P<weekday>{_WEEKDAY})|"
    rf"(?:in |from |during |within |over )?(?:the )?(?:last|past|previous) "
    rf"(?P<count>{NUMBER}) (?P<unit>{_UNIT})s?|"
    rf"(?:in |from |during |within |over )?the (?P<past>past) (?P<unit2>{_UNIT})|"
    rf"(?:in |from |during |of )?(?:the )?(?P<which>this|last|previous) (?P<unit3>{_UNIT})"
)


def _joined_unit(groups: Mapping[str, str], today: date) -> DateRange | None:
    """Read a relative date, whose unit has three places in the expression."""
    unit = groups.get("unit") or groups.get("unit2") or groups.get("unit3") or ""
    return _relative({**groups, "unit": unit}, today)


_since = spans.shaped(_named, spans.since)
_after = spans.shaped(_named, spans.after)
_before = spans.shaped(_named, spans.before)
_until = spans.shaped(_named, spans.until)


def _rule(expression: str, read: ReadDate, data: str = "") -> Rule:
    return Rule("D", re.compile(rf"(?:{expression})(?!\w)", re.IGNORECASE), data=data, read=read)


_DATE = rf"(?P<date>{_ABSOLUTE})"
_END = rf"(?P<end>{_ABSOLUTE})"
_POINT = rf"(?:{_DATE}|(?P<day>today|yesterday)|(?:last )?(?P<weekday>{_WEEKDAY}))"

RELATIVE = "relative"
DATE_RULES = (
    _rule(rf"(?:between|from) {_DATE} (?:and|to|until|till|through) {_END}", _between),
    _rule(rf"{_DATE} ?(?:-|–|to) ?{_END}", _between),
    _rule(
        rf"since (?:(?P<day>today|yesterday)|(?:last )?(?P<weekday>{_WEEKDAY}))",
        _since,
        RELATIVE,
    ),
    _rule(rf"since {_DATE}", _since),
    _rule(rf"from {_POINT} on(?:wards?)?", _since),
    _rule(rf"(?:from )?(?:after|later than|newer than) {_POINT}", _after),
    _rule(
        rf"(?:from )?(?:before|older than|earlier than|prior to) {_POINT}",
        _before,
    ),
    _rule(rf"(?:until|till|up to) {_POINT}", _until),
    _rule(_RELATIVE, _joined_unit, RELATIVE),
    _rule(rf"(?:{_WITH_PREPOSITION} )?{_DATE}", _whole),
)
"""Tried in this order; the longer ones first."""
