"""How many tokens a text has at most, for a model that does not say."""

from __future__ import annotations

_PLAIN_BYTES = 3.0
_OTHER_BYTES = 1.5
"""Bytes of UTF-8 a token, at the least: English has four to five, German three and a half;
a Chinese character, three bytes, is one or two tokens."""


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of a text's tokens; numbers count a token a digit."""
    plain = sum(character.isascii() and not character.isdigit() for character in text)
    digits = sum(character.isascii() and character.isdigit() for character in text)
    other = len(text.encode("utf-8", "replace")) - plain - digits
    return int(plain / _PLAIN_BYTES + digits + other / _OTHER_BYTES) + 1
