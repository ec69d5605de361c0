"""What belongs to a chat beside its questions and answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ScopeChips = tuple[tuple[str, str], ...]
"""Where a chat looks: pairs of a kind (``collection``, ``folder``, ``file``, ``type`` …) and
a value, as the user chose them."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the user thinks of an answer, and a word why; it stays on this computer."""

    good: bool
    words: str = ""


class QuoteState(StrEnum):
    """What has become of the words that an older answer quotes."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    GONE = "gone"
