"""Spans of days that words name: a day, a month, a year, the week before this one."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from desktop_rag.domain.catalog import DateRange

UNITS = ("day", "week", "month", "quarter", "year")

ReadSpan = Callable[[Mapping[str, str], date], DateRange | None]
"""Gives the time that the parts of an expression name, seen from a day."""


def of_date(year: int, month: int | None = None, day: int | None = None) -> DateRange | None:
    """Return the year, month or day; None where the calendar has no such."""
    try:
        if month is None:
            return DateRange(date(year, 1, 1), date(year, 12, 31))
        if day is None:
            return DateRange(date(year, month, 1), _end_of_month(year, month))
        return DateRange(date(year, month, day), date(year, month, day))
    except (ValueError, calendar.IllegalMonthError):
        return None


def of_unit(unit: str, today: date, back: int = 0) -> DateRange:
    """Return the calendar's day, week (from Monday), month, quarter or year, so many back."""
    if unit == "day":
        day = today - timedelta(days=back)
        return DateRange(day, day)
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return DateRange(monday, monday + timedelta(days=6))
    if unit == "year":
        return DateRange(date(today.year - back, 1, 1), date(today.year - back, 12, 31))
    length = 3 if unit == "quarter" else 1
    first = _months_before(today.year, (today.month - 1) // length * length + 1, back * length)
    last = _months_before(*first, 1 - length)
    return DateRange(date(*first, 1), _end_of_month(*last))


def up_to_now(unit: str, count: int, today: date) -> DateRange:
    """Return the last ``count`` days, weeks, months, quarters or years, today included."""
    if unit in ("day", "week"):
        days = count * (7 if unit == "week" else 1)
        return DateRange(today - timedelta(days=max(days, 1) - 1), today)
    months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = _months_before(today.year, today.month, months)
    day = min(today.day, _end_of_month(year, month).day)
    return DateRange(date(year, month, day), today)


def latest_month(month: int, today: date) -> DateRange | None:
    """Return the latest month of that number that has begun."""
    return of_date(today.year if month <= today.month else today.year - 1, month)


def latest_weekday(weekday: int, today: date) -> date:
    """Return the latest day of the week (Monday is 0) before today."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def since(span: DateRange) -> DateRange:
    """Return all from the beginning of a time on."""
    return DateRange(first=span.first)


def until(span: DateRange) -> DateRange:
    """Return all up to the end of a time."""
    return DateRange(last=span.last)


def shaped(read: ReadSpan, shape: Callable[[DateRange], DateRange]) -> ReadSpan:
    """Return what reads the same words and then takes, say, all ``since`` that time."""

    def reading(groups: Mapping[str, str], today: date) -> DateRange | None:
        span = read(groups, today)
        return None if span is None else shape(span)

    return reading


def after(span: DateRange) -> DateRange:
    """Return all days behind a span that ends."""
    return DateRange(first=span.last + timedelta(days=1) if span.last else None)


def before(span: DateRange) -> DateRange:
    """Return all days in front of a span that begins."""
    return DateRange(last=span.first - timedelta(days=1) if span.first else None)


def from_to(first: DateRange, last: DateRange) -> DateRange | None:
    """Return the days from the beginning of one to the end of the other, None if reversed."""
    if first.first is None or last.last is None or first.first > last.last:
        return None
    return DateRange(first.first, last.last)


def _months_before(year: int, month: int, months: int) -> tuple[int, int]:
    at = year * 12 + month - 1 - months
    return at // 12, at % 12 + 1


def _end_of_month(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])
