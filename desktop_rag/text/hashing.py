"""Naming a text by what it says, so that equal texts share one vector."""

from __future__ import annotations

import hashlib

_DIGEST_BYTES = 16
"""128 bits: among a billion texts a clash has a probability of about 1e-21."""


def text_hash(space: str, text: str) -> str:
    """Return 32 hexadecimal digits that stand for ``text`` in the space of a model."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digest.update(space.encode("utf-8", "surrogatepass"))
    digest.update(b"\0")
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
