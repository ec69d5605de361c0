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


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """What a language model read and wrote, in its own tokens; None where it does not say."""

    read: int | None = None
    written: int | None = None

    def __add__(self, other: TokenUsage) -> TokenUsage:
        """Return both together; what one does not say counts as nothing."""
        return TokenUsage(_sum(self.read, other.read), _sum(self.written, other.written))


NO_USAGE = TokenUsage()


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first if second is None else first + second
