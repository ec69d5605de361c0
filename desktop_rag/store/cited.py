"""What has become of the words that older answers quote."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from desktop_rag.domain.answer import Citation
from desktop_rag.domain.chats import QuoteState
from desktop_rag.store import segments as reading
from desktop_rag.store.codec import pack_text
from desktop_rag.store.core import StoreCore

_HELD = (
    "SELECT DISTINCT document_id FROM files WHERE status <> 'ignored' "
    "AND document_id IN (SELECT value FROM json_each(?))"
)
_AT = "SELECT document_id FROM files WHERE path = ? AND status <> 'ignored'"


class CitedStore(StoreCore):
    """Compares citations with the library as it is."""

    def quote_states(self, citations: Sequence[Citation]) -> list[QuoteState]:
        """Return for each citation whether its words still stand in its file.

        A file that moved or has a copy counts as there; one that holds another text now
        is CHANGED, unless the quoted words are in it as well.
        """
        with self._snapshot() as connection:
            ids = json.dumps(sorted({c.document_id for c in citations if c.document_id}))
            held = {row[0] for row in connection.execute(_HELD, (ids,))}
            look = _Look(connection, held)
            return [look.state(citation) for citation in citations]


class _Look:
    """One look at the library; a changed file's text is read once."""

    def __init__(self, connection: sqlite3.Connection, held: set[int]) -> None:
        self._connection = connection
        self._held = held
        self._texts: dict[int, str] = {}

    def state(self, citation: Citation) -> QuoteState:
        row = self._connection.execute(_AT, (pack_text(citation.path),)).fetchone()
        if row is not None and row[0] is not None and row[0] == citation.document_id:
            return QuoteState.UNCHANGED
        if row is None:
            there = citation.document_id in self._held
            return QuoteState.UNCHANGED if there else QuoteState.GONE
        if citation.quote and citation.quote not in self._text(row[0]):
            return QuoteState.CHANGED
        return QuoteState.UNCHANGED

    def _text(self, document_id: int | None) -> str:
        if document_id is None:
            return ""
        if document_id not in self._texts:
            document = reading.document(self._connection, document_id)
            self._texts[document_id] = document.text if document is not None else ""
        return self._texts[document_id]
