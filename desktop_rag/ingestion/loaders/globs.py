"""Glob patterns over relative paths, with the rules of Java's path matcher."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=256)
def compile_glob(pattern: str) -> re.Pattern[str]:
    """Translate a glob into a regular expression for ``fullmatch`` on "a/b.txt".

    ``*`` and ``?`` stay within one name, ``**`` crosses folders, ``[a-z]`` and ``[!a-z]``
    are sets, ``{a,b}`` alternatives. Names that begin with a dot are matched like any
    other, and case counts. ``**/*.txt`` wants a folder; ``**.txt`` matches at every depth.

    Raises:
        ValueError: the pattern is blank, or a bracket is not closed.
    """
    if not pattern.strip():
        raise ValueError("a glob must not be blank")
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        expression, position = _translate(pattern, position, in_group=parts.count("(?:") > 0)
        parts.append(expression)
    if parts.count("(?:") != parts.count(")"):
        raise ValueError(f"a brace is not closed in {pattern!r}")
    return re.compile("".join(parts), re.DOTALL)


def _translate(pattern: str, position: int, *, in_group: bool) -> tuple[str, int]:
    """Return the expression of what stands at ``position``, and where the next begins."""
    character = pattern[position]
    if character == "*":
        crosses = pattern.startswith("**", position)
        return (".*", position + 2) if crosses else ("[^/]*", position + 1)
    if character == "?":
        return "[^/]", position + 1
    if character == "[":
        return _set(pattern, position)
    if character == "{":
        return "(?:", position + 1
    if character == "}" and in_group:
        return ")", position + 1
    if character == "," and in_group:
        return "|", position + 1
    if character == "\\" and position + 1 < len(pattern):
        return re.escape(pattern[position + 1]), position + 2
    return re.escape(character), position + 1


def _set(pattern: str, position: int) -> tuple[str, int]:
    end = pattern.find("]", position + 2)
    if end < 0:
        raise ValueError(f"a bracket is not closed in {pattern!r}")
    inside = pattern[position + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
    negated = inside.startswith("!")
    inside = ("^" + inside[1:]) if negated else inside.replace("^", "\\^")
    return f"(?!/)[{inside}]", end + 1
