"""Messages of a conversation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """Instructions to a language model."""

    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user wrote; ``name`` is the sender's, where there are several."""

    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class AiMessage:
    """What the program answered."""

    text: str


ChatMessage = SystemMessage | UserMessage | AiMessage
