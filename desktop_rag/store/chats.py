"""Chats with their messages, and the citations of each answer."""

from __future__ import annotations

import json
import sqlite3
import time

from desktop_rag.domain.answer import Answer, AnswerKind, Citation, LibraryCoverage, Outcome
from desktop_rag.store.codec import (
    pack_lines,
    pack_metadata,
    pack_strings,
    pack_text,
    unpack_lines,
    unpack_metadata,
    unpack_strings,
    unpack_text,
)
from desktop_rag.store.core import StoreCore
from desktop_rag.store.records import ChatInfo, StoredMessage
from desktop_rag.store.sql import inserted_id

USER = "user"
ASSISTANT = "assistant"

_MESSAGES = (
    "SELECT id, role, text, created_at, outcome, confidence, kind, queries, notes, coverage, "
    "seconds FROM messages WHERE chat_id = ? ORDER BY id"
)
_CITATIONS = (
    'SELECT c.message_id, c.nearest, c.number, c.path, c.page, c."start", c."end", c.quote, '
    "c.heading, c.paths, c.metadata, c.lines, c.document_id FROM citations AS c "
    "JOIN messages AS m ON m.id = c.message_id WHERE m.chat_id = ? ORDER BY c.id"
)


class ChatStore(StoreCore):
    """What was asked and answered; citations stay as they were when files change."""

    def create_chat(self, title: str) -> int:
        """Create a chat; return its id."""
        now = time.time()
        return self._write(
            lambda c: inserted_id(
                c.execute(
                    "INSERT INTO chats (title, created_at, changed_at) VALUES (?, ?, ?)",
                    (pack_text(title), now, now),
                )
            )
        )

    def chats(self) -> list[ChatInfo]:
        """Return all chats, the last changed first."""
        with self._snapshot() as connection:
            rows = connection.execute(
                "SELECT c.id, c.title, c.created_at, c.changed_at, "
                "(SELECT COUNT(*) FROM messages WHERE chat_id = c.id) "
                "FROM chats AS c ORDER BY c.changed_at DESC, c.id DESC"
            )
            return [ChatInfo(row[0], unpack_text(row[1]), *row[2:]) for row in rows]

    def chat_named(self, title: str) -> int | None:
        """Return the chat with this title that was changed last."""
        with self._snapshot() as connection:
            row = connection.execute(
                "SELECT id FROM chats WHERE title = ? ORDER BY changed_at DESC, id DESC",
                (pack_text(title),),
            ).fetchone()
        return None if row is None else int(row[0])

    def rename_chat(self, chat_id: int, title: str) -> None:
        """Give a chat another title."""
        values = (pack_text(title), chat_id)
        self._write(lambda c: c.execute("UPDATE chats SET title = ? WHERE id = ?", values).rowcount)

    def delete_chat(self, chat_id: int) -> None:
        """Delete a chat with its messages."""
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
            _add_answer(connection, message_id, answer)
            return message_id

        return self._write(work)

    def messages(self, chat_id: int) -> list[StoredMessage]:
        """Return a chat's messages, the oldest first."""
        with self._snapshot() as connection:
            cited: dict[int, list[Citation]] = {}
            nearest: dict[int, list[Citation]] = {}
            for row in connection.execute(_CITATIONS, (chat_id,)):
                group = nearest if row[1] else cited
                group.setdefault(row[0], []).append(_citation(row))
            rows = connection.execute(_MESSAGES, (chat_id,))
            return [
                _message(row, tuple(cited.get(row[0], ())), tuple(nearest.get(row[0], ())))
                for row in rows
            ]


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


def _add_answer(connection: sqlite3.Connection, message_id: int, answer: Answer) -> None:
    coverage = answer.coverage
    connection.execute(
        "UPDATE messages SET outcome = ?, kind = ?, confidence = ?, queries = ?, notes = ?, "
        "coverage = ?, seconds = ? WHERE id = ?",
        (
            answer.outcome,
            answer.kind,
            answer.confidence,
            pack_strings(answer.queries),
            pack_strings(answer.notes),
            json.dumps([coverage.ready, coverage.files, coverage.failed]),
            answer.seconds,
            message_id,
        ),
    )
    connection.executemany(
        "INSERT INTO citations (message_id, nearest, number, path, page, "
        '"start", "end", quote, heading, paths, metadata, lines, document_id) '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (message_id, near, *_citation_columns(citation))
            for near, citations in enumerate((answer.citations, answer.nearest))
            for citation in citations
        ],
    )


def _citation_columns(citation: Citation) -> tuple[object, ...]:
    return (
        citation.number,
        pack_text(citation.path),
        citation.page,
        citation.start,
        citation.end,
        pack_text(citation.quote),
        pack_text(citation.heading),
        pack_strings(citation.paths),
        pack_metadata(citation.metadata),
        pack_lines(citation.lines),
        citation.document_id,
    )


def _citation(row: tuple) -> Citation:  # type: ignore[type-arg]
    return Citation(
        number=row[2],
        path=unpack_text(row[3]),
        page=row[4],
        start=row[5],
        end=row[6],
        quote=unpack_text(row[7]),
        heading=unpack_text(row[8]),
        paths=unpack_strings(row[9]),
        metadata=unpack_metadata(row[10]),
        lines=unpack_lines(row[11]),
        document_id=row[12],
    )


def _message(
    row: tuple,  # type: ignore[type-arg]
    citations: tuple[Citation, ...],
    nearest: tuple[Citation, ...],
) -> StoredMessage:
    text = unpack_text(row[2])
    answer = None
    if row[1] == ASSISTANT:
        answer = Answer(
            text=text,
            outcome=Outcome(row[4]),
            confidence=row[5],
            kind=AnswerKind(row[6]),
            citations=citations,
            nearest=nearest,
            queries=unpack_strings(row[7]),
            notes=unpack_strings(row[8]),
            coverage=LibraryCoverage(*json.loads(row[9])),
            seconds=row[10],
        )
    return StoredMessage(row[0], row[1], text, row[3], answer)
