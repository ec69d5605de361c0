"""One chat: what was said in it is kept in the store and goes along with the next question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from desktop_rag.domain.answer import Answer
from desktop_rag.domain.messages import AiMessage, ChatMessage, UserMessage
from desktop_rag.store.records import StoredMessage

HISTORY_MESSAGES = 20
"""The latest messages that go along: ten turns, more than any transformer looks at."""

_USER = "user"


class ChatStore(Protocol):
    """Keeps chats."""

    def messages(self, chat_id: int) -> Sequence[StoredMessage]:
        """Return a chat's messages, oldest first."""
        ...

    def add_user_message(self, chat_id: int, text: str) -> int:
        """Append a question."""
        ...

    def add_answer(self, chat_id: int, answer: Answer) -> int:
        """Append an answer."""
        ...


class ChatSession:
    """A chat of the store. What the user wrote is kept, never the augmented text.

    Raises:
        ValueError: ``max_messages`` is not positive.
    """

    def __init__(
        self, store: ChatStore, chat_id: int, max_messages: int = HISTORY_MESSAGES
    ) -> None:
        if max_messages <= 0:
            raise ValueError(f"max_messages must be greater than 0, not {max_messages}")
        self._store = store
        self._chat_id = chat_id
        self._max_messages = max_messages

    def history(self) -> tuple[ChatMessage, ...]:
        """Return the latest messages, oldest first."""
        latest = self._store.messages(self._chat_id)[-self._max_messages :]
        return tuple(
            UserMessage(one.text) if one.role == _USER else AiMessage(one.text) for one in latest
        )

    def add_question(self, text: str) -> None:
        """Keep what the user wrote."""
        self._store.add_user_message(self._chat_id, text)

    def add_answer(self, answer: Answer) -> None:
        """Keep the answer with its citations."""
        self._store.add_answer(self._chat_id, answer)
