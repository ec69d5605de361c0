"""What a language model is doing, for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ModelPhase(StrEnum):
    """Where a model is on its way to writing."""

    NOT_CHOSEN = "not chosen"
    NOT_LOADED = "not loaded"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model's phase; ``problem`` is why the last attempt failed, in words.

    ``memory_bytes`` is what it takes now, None for a server's model. While it loads, ``seconds``
    is for how long and ``fraction`` (0..1) how far, from the memory that it has taken; later
    ``seconds`` is how long it took.
    """

    phase: ModelPhase
    name: str = ""
    problem: str | None = None
    memory_bytes: int | None = None
    seconds: float | None = None
    fraction: float | None = None


NOT_CHOSEN = ModelState(ModelPhase.NOT_CHOSEN)
