"""Windows over a conversation: how much of it goes along with the next question.

Both behave as LangChain4j's chat memories do: the oldest message goes first, a system
message stays. One that is in place of another goes to the end, unless it is kept first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from desktop_rag.domain.messages import ChatMessage, SystemMessage


class Window(Protocol):
    """Chooses from a conversation."""

    def keep(self, messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
        """Return what goes along, oldest first."""
        ...


class MessageWindow:
    """So many messages, the system message counted.

    Raises:
        ValueError: ``max_messages`` is not positive.
    """

    def __init__(self, max_messages: int) -> None:
        if max_messages <= 0:
            raise ValueError(f"max_messages must be greater than 0, not {max_messages}")
        self._max = max_messages

    def keep(self, messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
        """Return the latest messages, and a system message at the beginning."""
        return _evicted(messages, lambda kept: len(kept) > self._max)


class TokenWindow:
    """So many tokens; a message goes whole or not at all.

    Args:
        max_tokens: what all messages may have together.
        count: the tokens of a text.

    Raises:
        ValueError: ``max_tokens`` is not positive.
    """

    def __init__(self, max_tokens: int, count: Callable[[str], int]) -> None:
        if max_tokens <= 0:
            raise ValueError(f"max_tokens must be greater than 0, not {max_tokens}")
        self._max = max_tokens
        self._count = count

    def keep(self, messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
        """Return the latest messages that fit, and a system message at the beginning."""
        sizes = {id(one): self._count(one.text) for one in messages}
        return _evicted(messages, lambda kept: sum(sizes[id(one)] for one in kept) > self._max)


class Windows:
    """Several windows, one after the other."""

    def __init__(self, *windows: Window) -> None:
        self._windows = windows

    def keep(self, messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
        """Return what all of them keep."""
        kept = tuple(messages)
        for window in self._windows:
            kept = window.keep(kept)
        return kept


class ChatMemory:
    """The messages of a conversation, within a window.

    Args:
        window: what is kept.
        system_first: whether a new system message takes the place of the old one, at the
            beginning, instead of going to the end.
    """

    def __init__(
        self, window: Window, messages: Iterable[ChatMessage] = (), system_first: bool = False
    ) -> None:
        self._window = window
        self._system_first = system_first
        self._messages: tuple[ChatMessage, ...] = ()
        for message in messages:
            self.add(message)

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """Return what is kept, oldest first."""
        return self._window.keep(self._messages)

    def add(self, message: ChatMessage) -> None:
        """Append a message; the same system message again changes nothing."""
        kept = self._messages
        if isinstance(message, SystemMessage):
            if message in kept:
                return
            kept = tuple(one for one in kept if not isinstance(one, SystemMessage))
            if self._system_first:
                self._messages = self._window.keep((message, *kept))
                return
        self._messages = self._window.keep((*kept, message))

    def clear(self) -> None:
        """Forget everything."""
        self._messages = ()


def _evicted(
    messages: Sequence[ChatMessage], too_much: Callable[[Sequence[ChatMessage]], bool]
) -> tuple[ChatMessage, ...]:
    """Drop the oldest messages, but not a system message at the beginning."""
    first = 1 if messages and isinstance(messages[0], SystemMessage) else 0
    head, rest = tuple(messages[:first]), list(messages[first:])
    while rest and too_much((*head, *rest)):
        rest.pop(0)
    return (*head, *rest)
