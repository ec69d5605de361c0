"""A language model that says what a test wrote for it, or fails in the way it asks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from desktop_rag.chat_models.protocols import (
    DEFAULT_OPTIONS,
    ChatOptions,
    ChatReply,
    OnPiece,
    Piece,
    ignore_piece,
)
from desktop_rag.domain.messages import ChatMessage, TokenUsage
from desktop_rag.foundation.cancellation import CancelToken

_POLL_SECONDS = 0.005


class Hang:
    """A reply that never comes; ``released`` ends it for the test's sake."""

    def __init__(self) -> None:
        self.released = threading.Event()


@dataclass
class Half:
    """A reply that breaks off: ``text`` is streamed, then ``error`` raised."""

    text: str
    error: Exception


Reply = str | Exception | Hang | Half | Callable[[Sequence[ChatMessage]], str]


@dataclass
class ScriptedModel:
    """Gives ``replies`` in turn, the last one for ever; keeps what it was asked.

    A token is a word; ``seconds_a_token`` slows the stream down.
    """

    replies: Sequence[Reply] = ("",)
    name: str = "Scripted"
    context_tokens: int = 4096
    seconds_a_token: float = 0.0
    asked: list[tuple[ChatMessage, ...]] = field(default_factory=list)
    options: list[ChatOptions] = field(default_factory=list)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def chat(
        self,
        messages: Sequence[ChatMessage],
        options: ChatOptions = DEFAULT_OPTIONS,
        on_piece: OnPiece = ignore_piece,
        cancel: CancelToken | None = None,
    ) -> ChatReply:
        self.asked.append(tuple(messages))
        self.options.append(options)
        reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Hang):
            self._hang(reply, cancel)
            return ChatReply("")
        if isinstance(reply, Half):
            self._stream(reply.text, on_piece, cancel)
            raise reply.error
        text = reply if isinstance(reply, str) else reply(messages)
        self._stream(text, on_piece, cancel)
        read = sum(self.count_tokens(one.text) for one in messages)
        return ChatReply(text, usage=TokenUsage(read, self.count_tokens(text)))

    def _stream(self, text: str, on_piece: OnPiece, cancel: CancelToken | None) -> None:
        for number, word in enumerate(text.split(" ")):
            if cancel is not None:
                cancel.check()
            time.sleep(self.seconds_a_token)
            on_piece(Piece(word if number == 0 else f" {word}"))

    @staticmethod
    def _hang(reply: Hang, cancel: CancelToken | None) -> None:
        while not reply.released.wait(_POLL_SECONDS):
            if cancel is not None:
                cancel.check()
