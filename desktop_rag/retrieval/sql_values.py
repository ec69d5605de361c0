"""Tokens and computed values of SQL conditions."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

SqlValue = str | int | float

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>'(?:[^']|'')*')|(?P<quoted>"[^"]+"|`[^`]+`|\[[^\]]+\])
        |(?P<number>\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+|\d+[eE][+-]?\d+|\d+)
        |(?P<word>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
        |(?P<sign><=|>=|<>|!=|=|<|>|\(|\)|,|\+|-|\*|/|;))""",
    re.VERBOSE,
)
LONGEST = 2000
"""Characters of a condition; no question asks for more."""


class SqlConditionError(ValueError):
    """The text is no condition that can be read here."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a condition: its kind is "string", "name", "number", "word", "sign" or "end"."""

    kind: str
    text: str

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these words, in any case of letters."""
        return self.kind == "word" and self.text.upper() in words

    def is_sign(self, *signs: str) -> bool:
        """Whether it is one of these signs."""
        return self.kind == "sign" and self.text in signs


END = Token("end", "")


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a condition, ``END`` last.

    Raises:
        SqlConditionError: a character belongs to none, or the text is too long.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise SqlConditionError("too long")
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise SqlConditionError(f"unreadable at {text[at : at + 10]!r}")
        found.append(_token(match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return [*found, END]


def _token(kind: str, text: str) -> Token:
    if kind == "string":
        return Token("string", text[1:-1].replace("''", "'"))
    return Token("name", text[1:-1]) if kind == "quoted" else Token(kind, text)


def number_of(text: str) -> int | float:
    """Return a long, or a double where there is a point or an exponent.

    Raises:
        SqlConditionError: it is beyond 64 bits.
    """
    if not text.isdigit():
        return float(text)
    number = int(text)
    if number >= 2**63:
        raise SqlConditionError(f"{text} is no 64-bit number")
    return number


def computed(sign: str, left: SqlValue, right: SqlValue) -> SqlValue:
    """Return left sign right for two numbers of the same type; longs divide to a long.

    Raises:
        SqlConditionError: the types differ, are no numbers, or the division is by zero.
    """
    if isinstance(left, str) or isinstance(right, str) or type(left) is not type(right):
        raise SqlConditionError("arithmetic needs two numbers of the same type")
    if sign != "/":
        return _ARITHMETIC[sign](left, right)
    if right == 0:
        raise SqlConditionError("division by zero")
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


_ARITHMETIC: dict[str, Callable[[int | float, int | float], int | float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}

FIELDS: dict[str, Callable[[datetime], int]] = {
    "YEAR": lambda now: now.year,
    "MONTH": lambda now: now.month,
    "WEEK": lambda now: now.isocalendar().week,
    "WEEKOFYEAR": lambda now: now.isocalendar().week,
    "DAY": lambda now: now.day,
    "DAYOFMONTH": lambda now: now.day,
    "DAYOFYEAR": lambda now: now.timetuple().tm_yday,
    "DOY": lambda now: now.timetuple().tm_yday,
    "DAYOFWEEK": lambda now: now.isoweekday(),
    "DOW": lambda now: now.isoweekday(),
    "HOUR": lambda now: now.hour,
    "MINUTE": lambda now: now.minute,
    "SECOND": lambda now: now.second,
}
"""Parts of a date; Monday is 1, weeks are those of ISO 8601."""
