"""Code points, which documents count in, and UTF-16 units, which Qt counts in.

This is the one place where the two meet.
"""

from __future__ import annotations

_REPLACED = {
    "\r\n": " \n",
    "\r": "\n",
    "\x00": "\ufffd",
    "\ufdd0": "\ufffd",
    "\ufdd1": "\ufffd",
    "\u2029": "\n",
    "\x0b": "\n",
    "\x0c": "\n",
}
"""Characters that end a text or delimit frames inside Qt's documents."""


def displayable(text: str) -> str:
    """Return a text that Qt shows without moving an offset: one code point for each."""
    for character, replacement in _REPLACED.items():
        text = text.replace(character, replacement)
    return text


def to_utf16(text: str, offset: int) -> int:
    """Return how many UTF-16 units the first ``offset`` code points of a text take."""
    before = text[:offset]
    return len(before) + sum(1 for character in before if character > "\uffff")


def from_utf16(text: str, units: int) -> int:
    """Return how many code points the first ``units`` UTF-16 units of a text are.

    A position inside a character counts as before it.
    """
    if text.isascii():
        return min(units, len(text))
    data = text.encode("utf-16-le", "surrogatepass")[: units * 2]
    return len(data.decode("utf-16-le", "ignore"))
