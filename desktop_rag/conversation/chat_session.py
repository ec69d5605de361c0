"""One chat: what was said in it is kept in the store and goes along with the next question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from desktop_rag.conversation.memory import MessageWindow, Window, Windows
from desktop_rag.domain.answer import Answer
from desktop_rag.domain.messages import AiMessage, ChatMessage, UserMessage
from desktop_rag.store.records import StoredMessage

HISTORY_MESSAGES = 20
"""The latest messages that go along: ten turns, more than any transformer looks at."""

HISTORY_TOKENS = 3_000
"""What they may have together: with five passages to read they fit into a context of 8,192."""

_USER = "user"


class ChatStore(Protocol):
    """Keeps chats."""

    def messages(self, chat_id: int, last: int = -1) -> Sequence[StoredMessage]:
        """Return a chat's messages, oldest first; only the ``last`` ones if it says so."""
        ...

    def add_user_message(self, chat_id: int, text: str) -> int:
        """Append a question."""
        ...

    def add_answer(self, chat_id: int, answer: Answer) -> int:
        """Append an answer."""
        ...

    def replace_last_turn(self, chat_id: int) -> None:
        """Take the last question, and what follows it, out of the messages."""
        ...


class ChatSession:
    """A chat of the store. What the user wrote is kept, never the augmented text.

    Args:
        store: keeps the messages.
        chat_id: the chat's number.
        max_messages: the latest messages that go along.
        window: what else bounds them.

    Raises:
        ValueError: ``max_messages`` is not positive.
    """

    def __init__(
        self,
        store: ChatStore,
        chat_id: int,
        max_messages: int = HISTORY_MESSAGES,
        window: Window | None = None,
    ) -> None:
        windows = [MessageWindow(max_messages)] + ([window] if window is not None else [])
        self._window = Windows(*windows)
        self._store = store
        self._chat_id = chat_id
        self._max_messages = max_messages

    def history(self) -> tuple[ChatMessage, ...]:
        """Return the latest messages, oldest first."""
        latest = self._store.messages(self._chat_id, last=self._max_messages)
        return self._window.keep(
            [UserMessage(one.text) if one.role == _USER else AiMessage(one.text) for one in latest]
        )

    def replace_last_turn(self) -> None:
        """Forget the last question and its answer: another is asked in their place."""
        self._store.replace_last_turn(self._chat_id)

    def add_question(self, text: str) -> None:
        """Keep what the user wrote."""
        self._store.add_user_message(self._chat_id, text)

    def add_answer(self, answer: Answer) -> int:
        """Keep the answer with its citations; return the message's number."""
        return self._store.add_answer(self._chat_id, answer)
