"""The chats that one has: kept, found again, renamed, deleted and brought back."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.answer import Citation
from desktop_rag.domain.chats import Feedback, QuoteState, ScopeChips
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.records import ChatInfo, ChatMatch, StoredMessage

UNDO_SECONDS = 600.0
"""How long a deleted chat can be brought back: long enough to notice, and no longer kept."""


class ChatDesk:
    """Every method may be called from any thread."""

    def __init__(self, store: KnowledgeStore) -> None:
        self._store = store
        store.empty_trash(UNDO_SECONDS)

    def chats(self) -> list[ChatInfo]:
        """Return the chats, the one that changed last first."""
        self._store.empty_trash(UNDO_SECONDS)
        return self._store.chats()

    def search_chats(self, words: str) -> list[ChatMatch]:
        """Return the chats that have all of the words in title, questions and answers.

        Without a word all chats; the one that changed last first.
        """
        return self._store.search_chats(words)

    def create_chat(self, title: str, scope: ScopeChips = ()) -> int:
        """Start a chat and return its number."""
        return self._store.create_chat(title, scope)

    def chat_named(self, title: str) -> int | None:
        """Return the number of the chat with this title, None where there is none."""
        return self._store.chat_named(title)

    def rename_chat(self, chat: int, title: str) -> None:
        """Give a chat another title."""
        self._store.rename_chat(chat, title)

    def set_chat_scope(self, chat: int, scope: ScopeChips) -> None:
        """Keep where a chat looks."""
        self._store.set_chat_scope(chat, scope)

    def delete_chat(self, chat: int) -> None:
        """Take a chat away; ``restore_chat`` brings it back for ``UNDO_SECONDS``."""
        self._store.empty_trash(UNDO_SECONDS)
        self._store.trash_chat(chat)

    def restore_chat(self, chat: int) -> None:
        """Bring a deleted chat back, with all its messages."""
        self._store.restore_chat(chat)

    def deleted_chat_named(self, title: str) -> int | None:
        """Return the number of a deleted chat that can be brought back, None for none."""
        self._store.empty_trash(UNDO_SECONDS)
        return self._store.trashed_chat_named(title)

    def forget_chat(self, chat: int) -> None:
        """Delete a chat with all its messages, for good."""
        self._store.delete_chat(chat)

    def messages(self, chat: int) -> list[StoredMessage]:
        """Return a chat's questions and answers, oldest first."""
        return self._store.messages(chat)

    def set_feedback(self, message: int, feedback: Feedback | None) -> None:
        """Keep what the user thinks of an answer, on this computer; None takes it back."""
        self._store.set_feedback(message, feedback)

    def quote_states(self, citations: Sequence[Citation]) -> list[QuoteState]:
        """Return for each citation whether its words still stand in its file."""
        return self._store.quote_states(citations)
