"""What every language model that writes looks like to the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.domain.messages import NO_USAGE, ChatMessage, TokenUsage
from desktop_rag.foundation.cancellation import CancelToken


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How a reply is made.

    ``max_tokens`` bounds the reply, reasoning included; None leaves it to the model's
    context. Temperature 0 and a fixed ``seed`` give the same reply each time, as far as a
    server keeps to that. A reply ends before any of ``stop``.
    """

    max_tokens: int | None = None
    temperature: float = 0.0
    seed: int = 0
    stop: tuple[str, ...] = ()


DEFAULT_OPTIONS = ChatOptions()


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply as it comes; ``reasoning`` pieces are no part of the reply's text."""

    text: str
    reasoning: bool = False


OnPiece = Callable[[Piece], None]


def ignore_piece(_piece: Piece) -> None:
    """A listener for callers that wait for the whole reply."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A whole reply: ``text`` without the reasoning, which is apart.

    ``cut`` says that ``max_tokens`` or the context ended it, not the model.
    """

    text: str
    reasoning: str = ""
    usage: TokenUsage = NO_USAGE
    cut: bool = False


class ChatModel(Protocol):
    """A language model that continues a conversation; may be asked from any thread.

    ``name`` is what the user knows it by; ``context_tokens`` is how much it reads and
    writes in one go.
    """

    @property
    def name(self) -> str:
        """Return the model's name as shown to the user."""
        ...

    @property
    def context_tokens(self) -> int:
        """Return how many tokens messages and reply may have together."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return the length of ``text`` in the model's tokens, an upper estimate if need be.

        Raises:
            KnownError: the model cannot be asked.
        """
        ...

    def chat(
        self,
        messages: Sequence[ChatMessage],
        options: ChatOptions = DEFAULT_OPTIONS,
        on_piece: OnPiece = ignore_piece,
        cancel: CancelToken | None = None,
    ) -> ChatReply:
        """Return the reply to ``messages``; ``on_piece`` is told each piece as it comes.

        Raises:
            KnownError: the model cannot be asked, or broke off.
            Cancelled: ``cancel`` was set; between two tokens at the latest.
        """
        ...
