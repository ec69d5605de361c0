"""How a document is set: what the source pane needs to show text as its author set it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.document import Block


class Look(StrEnum):
    """How a few words stand out; ``HIDDEN`` is markup, which is not shown."""

    BOLD = "bold"
    ITALIC = "italic"
    CODE = "code"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Span:
    """Words that stand out: ``[start, end)`` in code points of the canonical text."""

    start: int
    end: int
    look: Look


@dataclass(frozen=True, slots=True)
class Structure:
    """A document's blocks and spans, and the ``digest`` of the text that they are ranges of."""

    digest: str
    blocks: tuple[Block, ...]
    spans: tuple[Span, ...] = ()


def text_digest(text: str) -> str:
    """Return what tells a text from all others, as hexadecimal digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
