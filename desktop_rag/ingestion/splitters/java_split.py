"""Splitting as Java's ``String.split`` does."""

from __future__ import annotations

import re

_LINE_BREAK = "(?:\\r\\n|[\\n\\x0b\\f\\r\\x85\\u2028\\u2029])"
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def java_pattern(regex: str) -> re.Pattern[str]:
    r"""Compile a pattern with what Java means by it: ``\s`` is ASCII, ``\R`` a line break.

    Raises:
        ValueError: it is not a regular expression.
    """
    python = _ESCAPE.sub(lambda m: _LINE_BREAK if m.group(1) == "R" else m.group(), regex)
    try:
        return re.compile(python, re.ASCII)
    except re.error as error:
        raise ValueError(f"not a regular expression: {regex!r} ({error})") from error


def java_split(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return what is between the matches.

    An empty string before a match at the beginning is kept, unless the match is empty
    too; empty strings at the end are not. Without a match it is the text as it is.
    """
    parts: list[str] = []
    start = 0
    for match in pattern.finditer(text):
        if match.end() > 0:
            parts.append(text[start : match.start()])
            start = match.end()
    if not parts:
        return [text]
    parts.append(text[start:])
    while parts and not parts[-1]:
        parts.pop()
    return parts
