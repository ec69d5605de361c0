"""The day that a file is of: by its name, by what it says itself, by its last change."""

from __future__ import annotations

import re
from datetime import date, datetime

from desktop_rag.domain.catalog import CatalogFile, DateMeaning, DateRange
from desktop_rag.retrieval.catalog import chinese_dates, english_dates, spans

_STATED = ("date", "created")
"""Keys of what a document says: its own date first, then that of its making."""

_NAMED = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([-_.年]?)(0?[1-9]|1[0-2])(?:\2|月)(0?[1-9]|[12]\d|3[01])日?"
    r"|[-_.年]?(0[1-9]|1[0-2])月?|年([1-9])月?)?年?(?!\d)"
)
_ISO = re.compile(r"(\d{4})(?:[-/](\d{1,2}))?(?:[-/](\d{1,2}))?(?=$|[T\s])")


def days_of(file: CatalogFile, meaning: DateMeaning) -> DateRange | None:
    """Return the day, or the month or year where no more is known, None for none at all."""
    changed = _day(file.mtime_ns)
    if meaning is DateMeaning.CHANGED:
        return changed
    if meaning is DateMeaning.ARRIVED:
        return _day(max(file.mtime_ns, file.ctime_ns))
    named = _in_name(file.name)
    known = [span for span in (_stated(file), changed) if span is not None]
    if named is None:
        return known[0] if known else None
    return next((span for span in known if named.covers(span)), named)


def _in_name(name: str) -> DateRange | None:
    found = _NAMED.search(name)
    if found is None:
        return None
    year, _, month, day, month_alone, chinese_month = found.groups()
    parts = [int(part) for part in (year, month or month_alone or chinese_month, day) if part]
    return spans.of_date(*parts) or spans.of_date(parts[0])


def _stated(file: CatalogFile) -> DateRange | None:
    for key in _STATED:
        words = str(file.metadata.get(key, "")).strip()
        span = _read(words, file) if words else None
        if span is not None:
            return span
    return None


def _read(words: str, file: CatalogFile) -> DateRange | None:
    """Return what a date means, as a program writes it or as people do."""
    if found := _ISO.match(words):
        return spans.of_date(*(int(part) for part in found.groups() if part))
    # A month without a year is the one before the file's last change.
    changed = _day(file.mtime_ns)
    today = changed.last if changed and changed.last else date.max
    return english_dates.absolute(words, today) or chinese_dates.absolute(words, today)


def _day(time_ns: int) -> DateRange | None:
    try:
        day = datetime.fromtimestamp(time_ns / 1e9).astimezone().date()
    except (OverflowError, ValueError, OSError):
        # A file system may carry a time that no calendar has.
        return None
    return DateRange(day, day) if time_ns else None
