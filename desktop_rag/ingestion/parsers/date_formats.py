"""Dates and times as a spreadsheet shows them, from its count of days."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

_EPOCH = datetime(1899, 12, 30)
_EPOCH_1904 = datetime(1904, 1, 1)
_LAST_DAY = 2_958_465
"""The last day that spreadsheets know, in 9999."""

_FALSE_LEAP_DAY = 60
"""Spreadsheets believe in a 29 February 1900, so days before it are one off."""

_RUN = re.compile(
    r"(?i:am/pm|a/p|上午/下午)|\[[hms]+\]|y+|Y+|m+|M+|d+|D+|h+|H+|s+|S+|\.0+|.", re.DOTALL
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SECOND = timedelta(seconds=1)

Token = tuple[str, bool]


def date_writer(pieces: Sequence[Token], epoch_1904: bool) -> Callable[[float], str]:
    """Return the function that writes counts of days in a format.

    Args:
        pieces: (text, whether it is written as it is) in order.
        epoch_1904: whether days are counted from 1904.
    """
    tokens = _tokens(pieces)
    half_days = any(not literal and "/" in text and len(text) > 1 for text, literal in tokens)
    parts = any(not literal and text.startswith(".0") for text, literal in tokens)

    def write(value: float) -> str:
        moment = moment_of(value, epoch_1904)
        if moment is None:
            return f"{value:.15g}"
        if not parts:
            moment = (moment + _SECOND / 2).replace(microsecond=0)
        words = "".join(
            text if literal else _written(text, moment, value, half_days)
            for text, literal in tokens
        )
        return " ".join(words.split())

    return write


def moment_of(value: float, epoch_1904: bool = False) -> datetime | None:
    """Return the moment that a count of days stands for, None for one beyond the calendar."""
    if not 0 <= value < _LAST_DAY:
        return None
    if epoch_1904:
        return _EPOCH_1904 + timedelta(days=value)
    return _EPOCH + timedelta(days=value + 1 if 1 <= value < _FALSE_LEAP_DAY else value)


def _tokens(pieces: Sequence[Token]) -> list[Token]:
    """Join the letters of one field; "m" beside hours or seconds is minutes: "n"."""
    tokens: list[Token] = []
    run = ""
    for text, literal in (*pieces, ("", True)):
        if not literal:
            run += text
            continue
        tokens.extend((match[0], False) for match in _RUN.finditer(run))
        run = ""
        if text:
            tokens.append((text, True))
    fields = [n for n, (text, literal) in enumerate(tokens) if not literal and _field(text)]
    for place, n in enumerate(fields):
        text = tokens[n][0]
        if _field(text) != "m":
            continue
        before = _field(tokens[fields[place - 1]][0]) if place else ""
        after = _field(tokens[fields[place + 1]][0]) if place + 1 < len(fields) else ""
        if before == "h" or after == "s" or text.startswith("["):
            tokens[n] = text.lower().replace("m", "n"), False
    return tokens


def _field(text: str) -> str:
    letter = text.strip("[]")[:1].lower()
    return letter if letter in ("y", "m", "d", "h", "s", "n") and "/" not in text else ""


def _written(text: str, moment: datetime, value: float, half_days: bool) -> str:
    low = text.lower()
    if len(low) > 1 and "/" in low:
        return "AM" if moment.hour < 12 else "PM"
    if low.startswith("["):
        return _elapsed(low[1:-1], value)
    if low.startswith(".0"):
        return f".{moment.microsecond:06}"[: len(low)]
    letter = _field(low)
    if letter in ("y", "m", "d"):
        return _day_field(letter, len(low), moment)
    hour = (moment.hour - 1) % 12 + 1 if half_days else moment.hour
    number = {"h": hour, "n": moment.minute, "s": moment.second}.get(letter)
    return text if number is None else f"{number:0{min(len(low), 2)}}"


def _day_field(letter: str, length: int, moment: datetime) -> str:
    if letter == "y":
        return f"{moment.year:04}" if length > 2 else f"{moment.year % 100:02}"
    number = moment.month if letter == "m" else moment.day
    if length <= 2:
        return f"{number:0{length}}"
    name = _MONTHS[moment.month - 1] if letter == "m" else _DAYS[moment.weekday()]
    if length == 5:
        return name[0]
    return name if length > 3 else name[:3]


def _elapsed(field: str, value: float) -> str:
    seconds = round(value * 86_400)
    number = {"h": seconds // 3600, "n": seconds // 60, "s": seconds}[field[0]]
    return f"{number:0{len(field)}}"
