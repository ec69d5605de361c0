"""JSON as it is printed and as it goes over the owner's socket."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

JsonObject = Mapping[str, object]
"""What JSON calls an object: string keys, values that JSON knows."""

EXTRA = "extra"
"""Key of what people are shown beyond the promised keys; ``--json`` leaves it out."""

_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What JSON allows as it is, but UTF-8 has no bytes for, or some readers take as the end
of a line or a terminal as an order."""


def to_json(value: object) -> str:
    r"""Return one line of JSON that can be encoded in UTF-8, whatever a file is called.

    File names that are not UTF-8 are held with lone surrogates (PEP 383). They are
    written as ``\udcxx`` escapes, so that reading the JSON gives the same name again.

    Raises:
        TypeError: something in ``value`` is not JSON's.
    """
    return _ESCAPED.sub(_escaped, json.dumps(value, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def encode(message: JsonObject) -> bytes:
    """Return a message as the bytes that are sent."""
    return to_json(message).encode("utf-8")


def decode(data: bytes) -> dict[str, object]:
    """Return the object in a received message.

    Raises:
        ValueError: the bytes are not a JSON object.
    """
    message = json.loads(data)
    if not isinstance(message, dict):
        raise ValueError("a message must be a JSON object")
    return message
