"""Telling a reply from the reasoning that some models write before it, as it streams."""

from __future__ import annotations

from desktop_rag.chat_models.protocols import ChatReply, OnPiece, Piece
from desktop_rag.domain.messages import NO_USAGE, TokenUsage

_OPENING = ("<think>", "<thinking>", "<thought>", "<|begin_of_thought|>", "◁think▷")
_CLOSING = ("</think>", "</thinking>", "</thought>", "<|end_of_thought|>", "◁/think▷")
"""As DeepSeek, Qwen, Granite, Sky-T1 and Kimi write them."""

_TAGS = (*_OPENING, *_CLOSING)
_LONGEST = max(map(len, _TAGS))


class ReplyBuilder:
    """Puts a reply together as it streams, and tells each piece of it.

    A tag may come in several pieces: what may be the beginning of one is held back. A tag
    that is never closed leaves all the rest reasoning; one that was never opened (some
    templates open it for the model) makes what came before it reasoning. Blank lines before
    the text, which models write after their reasoning, are left out.
    """

    def __init__(self, on_piece: OnPiece) -> None:
        self._on_piece = on_piece
        self._held = ""
        self._in_reasoning = False
        self._text: list[str] = []
        self._reasoning: list[str] = []

    @property
    def begun(self) -> bool:
        """Whether anything has come."""
        return bool(self._text or self._reasoning or self._held)

    def add(self, text: str) -> None:
        """Take a piece of what the model writes, tags and all."""
        self._held += text
        while (found := _first_tag(self._held)) is not None:
            start, tag = found
            self._take(self._held[:start], reasoning=self._in_reasoning)
            self._held = self._held[start + len(tag) :]
            self._switch(closing=tag in _CLOSING)
        sure = len(self._held) - _possible_beginning(self._held)
        self._take(self._held[:sure], reasoning=self._in_reasoning)
        self._held = self._held[sure:]

    def add_reasoning(self, text: str) -> None:
        """Take a piece that the model's server has told from the reply already."""
        self._take(text, reasoning=True)

    def finish(self, usage: TokenUsage = NO_USAGE, *, cut: bool = False) -> ChatReply:
        """Return the whole reply; what was held back is no tag."""
        self._take(self._held, reasoning=self._in_reasoning)
        self._held = ""
        text, reasoning = "".join(self._text).rstrip(), "".join(self._reasoning).strip()
        return ChatReply(text, reasoning, usage, cut)

    def _switch(self, *, closing: bool) -> None:
        if closing and not self._in_reasoning:
            self._reasoning += self._text
            self._text = []
        self._in_reasoning = not closing

    def _take(self, text: str, *, reasoning: bool) -> None:
        if not (reasoning or self._text):
            text = text.lstrip()
        if text:
            (self._reasoning if reasoning else self._text).append(text)
            self._on_piece(Piece(text, reasoning))


def _first_tag(text: str) -> tuple[int, str] | None:
    found = [(text.find(tag), tag) for tag in _TAGS if tag in text]
    return min(found) if found else None


def _possible_beginning(text: str) -> int:
    """Return how many characters at the end may be the beginning of a tag."""
    for length in range(min(_LONGEST - 1, len(text)), 0, -1):
        if any(tag.startswith(text[-length:]) for tag in _TAGS):
            return length
    return 0
