"""Finding chats by the words in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from desktop_rag.store.chats import chat_infos
from desktop_rag.store.codec import encodable, unpack_text
from desktop_rag.store.core import StoreCore
from desktop_rag.store.records import ChatMatch
from desktop_rag.text.analysis import analyse, analyse_query

_UNREAD = "SELECT id, text FROM messages WHERE terms IS NULL"
_HAVING = (
    "SELECT m.chat_id, m.terms, m.text FROM messages AS m JOIN chats AS c ON c.id = m.chat_id "
    "WHERE c.deleted_at IS NULL AND NOT m.replaced AND ({}) ORDER BY m.id"
)
_ESCAPED = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


class ChatSearchStore(StoreCore):
    """Looks at the terms of all messages, analysed as those of documents are."""

    def search_chats(self, words: str) -> list[ChatMatch]:
        """Return the chats that have all of the words in title, questions and answers.

        The last word may be a beginning. Without a word all chats are returned; the chat
        that changed last comes first either way.
        """
        terms = [encodable(term) for term in analyse_query(words)]
        if terms:
            self._analyse_messages()
        with self._snapshot() as connection:
            chats = chat_infos(connection)
            if not terms:
                return [ChatMatch(chat, "") for chat in chats] if not words.strip() else []
            found = _found(connection, terms)
        matches: list[ChatMatch] = []
        for chat in chats:
            having, text = found.get(chat.id, (set(), ""))
            if set(terms) <= having | _held(_joined(analyse(chat.title)), terms):
                matches.append(ChatMatch(chat, text))
        return matches

    def _analyse_messages(self) -> None:
        """Analyse the messages that came since the last search."""
        with self._snapshot() as connection:
            unread = connection.execute(_UNREAD).fetchall()
        if unread:
            rows = [(_joined(analyse(unpack_text(text))), number) for number, text in unread]
            sql = "UPDATE messages SET terms = ? WHERE id = ?"
            self._write(lambda c: c.executemany(sql, rows).rowcount)


def _found(connection: sqlite3.Connection, terms: list[str]) -> dict[int, tuple[set[str], str]]:
    """Return by chat the terms that its messages have, and the message with most of them."""
    patterns = [_pattern(term, term == terms[-1]) for term in terms]
    where = " OR ".join(["m.terms LIKE ? ESCAPE '\\'"] * len(patterns))
    found: dict[int, tuple[set[str], str]] = {}
    most: dict[int, int] = {}
    for chat, joined, text in connection.execute(_HAVING.format(where), patterns):
        held = _held(joined, terms)
        having, best = found.get(chat, (set(), ""))
        if len(held) > most.get(chat, 0):
            most[chat], best = len(held), unpack_text(text)
        found[chat] = (having | held, best)
    return found


def _pattern(term: str, beginning: bool) -> str:
    return f"% {term.translate(_ESCAPED)}{'' if beginning else ' '}%"


def _held(joined: str, terms: list[str]) -> set[str]:
    return {term for term in terms if f" {term}{'' if term == terms[-1] else ' '}" in joined}


def _joined(terms: Iterable[str]) -> str:
    """Return distinct terms between spaces, which no term holds."""
    return encodable(f" {' '.join(dict.fromkeys(terms))} ")
