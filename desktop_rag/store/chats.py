"""Chats with their messages, and the citations of each answer."""

from __future__ import annotations

import json
import sqlite3
import time

from desktop_rag.domain.answer import Answer
from desktop_rag.domain.chats import Feedback, ScopeChips
from desktop_rag.store.answer_rows import (
    ASSISTANT,
    CITATION_COLUMNS,
    MESSAGE_COLUMNS,
    USER,
    Row,
    message_of,
    pack_feedback,
    put_answer,
    quotes_of,
)
from desktop_rag.store.codec import pack_text, unpack_text
from desktop_rag.store.core import StoreCore
from desktop_rag.store.records import ChatInfo, StoredMessage
from desktop_rag.store.sql import inserted_id

_CHATS = (
    "SELECT c.id, c.title, c.created_at, c.changed_at, "
    "(SELECT COUNT(*) FROM messages WHERE chat_id = c.id AND NOT replaced), c.scope "
    "FROM chats AS c WHERE c.deleted_at IS NULL ORDER BY c.changed_at DESC, c.id DESC"
)
_LATEST = (
    "(SELECT * FROM messages WHERE chat_id = ? AND NOT replaced ORDER BY id DESC LIMIT ?) AS m"
)
_LAST_QUESTION = "SELECT MAX(id) FROM messages WHERE chat_id = ? AND role = 'user' AND NOT replaced"


class ChatStore(StoreCore):
    """What was asked and answered; citations stay as they were when files change."""

    def create_chat(self, title: str, scope: ScopeChips = ()) -> int:
        """Create a chat; return its id."""
        now = time.time()
        return self._write(
            lambda c: inserted_id(
                c.execute(
                    "INSERT INTO chats (title, created_at, changed_at, scope) VALUES (?, ?, ?, ?)",
                    (pack_text(title), now, now, json.dumps(scope)),
                )
            )
        )

    def chats(self) -> list[ChatInfo]:
        """Return all chats, the last changed first."""
        with self._snapshot() as connection:
            return chat_infos(connection)

    def chat_named(self, title: str) -> int | None:
        """Return the chat with this title that was changed last."""
        return self._newest("title = ? AND deleted_at IS NULL", title)

    def trashed_chat_named(self, title: str) -> int | None:
        """Return the chat with this title among those that can be brought back."""
        return self._newest("title = ? AND deleted_at IS NOT NULL", title)

    def rename_chat(self, chat_id: int, title: str) -> None:
        """Give a chat another title."""
        values = (pack_text(title), chat_id)
        self._write(lambda c: c.execute("UPDATE chats SET title = ? WHERE id = ?", values).rowcount)

    def set_chat_scope(self, chat_id: int, scope: ScopeChips) -> None:
        """Keep where a chat looks."""
        values = (json.dumps(scope), chat_id)
        self._write(lambda c: c.execute("UPDATE chats SET scope = ? WHERE id = ?", values).rowcount)

    def trash_chat(self, chat_id: int) -> None:
        """Take a chat out of sight; it can be brought back until the trash is emptied."""
        values = (time.time(), chat_id)
        sql = "UPDATE chats SET deleted_at = ? WHERE id = ?"
        self._write(lambda c: c.execute(sql, values).rowcount)

    def restore_chat(self, chat_id: int) -> None:
        """Bring a chat back out of the trash."""
        sql = "UPDATE chats SET deleted_at = NULL WHERE id = ?"
        self._write(lambda c: c.execute(sql, (chat_id,)).rowcount)

    def empty_trash(self, older_than: float) -> int:
        """Delete the chats that were trashed so many seconds ago or more; return how many."""
        before = time.time() - older_than
        sql = "DELETE FROM chats WHERE deleted_at <= ?"
        with self._snapshot() as connection:
            where = "SELECT 1 FROM chats WHERE deleted_at <= ? LIMIT 1"
            if connection.execute(where, (before,)).fetchone() is None:
                return 0
        return self._write(lambda c: c.execute(sql, (before,)).rowcount)

    def delete_chat(self, chat_id: int) -> None:
        """Delete a chat with its messages, for good."""
        self._write(lambda c: c.execute("DELETE FROM chats WHERE id = ?", (chat_id,)).rowcount)

    def add_user_message(self, chat_id: int, text: str) -> int:
        """Add what the user wrote; return the message's id.

        Raises:
            LookupError: there is no such chat.
        """
        return self._write(lambda c: _add_message(c, chat_id, USER, text))

    def add_answer(self, chat_id: int, answer: Answer) -> int:
        """Add an answer with its citations; return the message's id.

        Its contents (the passages that it was made from) are not kept.

        Raises:
            LookupError: there is no such chat.
        """

        def work(connection: sqlite3.Connection) -> int:
            message_id = _add_message(connection, chat_id, ASSISTANT, answer.text)
            put_answer(connection, message_id, answer)
            return message_id

        return self._write(work)

    def replace_last_turn(self, chat_id: int) -> None:
        """Take the last question, and what follows it, out of the chat's messages."""

        def work(connection: sqlite3.Connection) -> int:
            [last] = connection.execute(_LAST_QUESTION, (chat_id,)).fetchone()
            sql = "UPDATE messages SET replaced = 1 WHERE chat_id = ? AND id >= ?"
            return connection.execute(sql, (chat_id, last)).rowcount

        self._write(work)

    def set_feedback(self, message_id: int, feedback: Feedback | None) -> None:
        """Keep what the user thinks of an answer; None takes it back."""
        values = (pack_feedback(feedback), message_id)
        sql = "UPDATE messages SET feedback = ? WHERE id = ?"
        self._write(lambda c: c.execute(sql, values).rowcount)

    def messages(self, chat_id: int, last: int = -1) -> list[StoredMessage]:
        """Return a chat's messages, the oldest first; only the ``last`` ones if it says so."""
        with self._snapshot() as connection:
            cited = connection.execute(
                f"SELECT {CITATION_COLUMNS} FROM {_LATEST} JOIN citations AS c "
                "ON c.message_id = m.id ORDER BY c.id",
                (chat_id, last),
            )
            quotes = quotes_of(cited)
            rows = connection.execute(
                f"SELECT {MESSAGE_COLUMNS} FROM {_LATEST} ORDER BY id", (chat_id, last)
            )
            return [message_of(row, quotes) for row in rows]

    def _newest(self, where: str, title: str) -> int | None:
        with self._snapshot() as connection:
            row = connection.execute(
                f"SELECT id FROM chats WHERE {where} ORDER BY changed_at DESC, id DESC",
                (pack_text(title),),
            ).fetchone()
        return None if row is None else int(row[0])


def chat_infos(connection: sqlite3.Connection) -> list[ChatInfo]:
    """Return the chats that are not in the trash, the last changed first."""
    return [_info(row) for row in connection.execute(_CHATS)]


def _info(row: Row) -> ChatInfo:
    scope = tuple((kind, value) for kind, value in json.loads(row[5]))
    return ChatInfo(row[0], unpack_text(row[1]), row[2], row[3], row[4], scope)


def _add_message(connection: sqlite3.Connection, chat_id: int, role: str, text: str) -> int:
    now = time.time()
    changed = connection.execute("UPDATE chats SET changed_at = ? WHERE id = ?", (now, chat_id))
    if not changed.rowcount:
        raise LookupError(f"there is no chat {chat_id}")
    return inserted_id(
        connection.execute(
            "INSERT INTO messages (chat_id, role, text, created_at) VALUES (?, ?, ?, ?)",
            (chat_id, role, pack_text(text), now),
        )
    )
