"""Which documents a summary or a comparison is of: those named, else those cited last."""

from __future__ import annotations

import re
from pathlib import PurePath

from desktop_rag.domain.query import QueryContext
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.analysis import analyse, analyse_query

_LOOKED_AT = 8
_POINTING = re.compile(
    r"\b(?:it|this|that|these|those|them|both|its)\b|它|这|该|上述|两", re.IGNORECASE
)


def documents_meant(store: KnowledgeStore, text: str, context: QueryContext) -> tuple[int, ...]:
    """Return the documents whose files the question names, in its order; else the chat's last.

    Only what the question's own condition lets through is looked at.
    """
    terms = list(analyse_query(text))
    found: dict[int, int] = {}
    if terms:
        for file_id, _ in store.name_search(terms, _LOOKED_AT, context.filter):
            record = store.file(file_id)
            if record is None or record.document_id is None:
                continue
            at = _named_at(terms, record.path)
            if at is not None:
                found.setdefault(record.document_id, at)
    if found:
        return tuple(sorted(found, key=lambda document: found[document]))
    return _cited_last(store, context.chat_id) if _POINTING.search(text) else ()


def _named_at(terms: list[str], path: str) -> int | None:
    """Return where the question names a file; None where it does not hold its whole name."""
    name = set(analyse_query(PurePath(path).stem)) or set(analyse(PurePath(path).stem))
    if not name or not name <= set(terms):
        return None
    return min(terms.index(word) for word in name)


def _cited_last(store: KnowledgeStore, chat: int | None) -> tuple[int, ...]:
    if chat is None:
        return ()
    for message in reversed(store.messages(chat)):
        if message.answer is not None and message.answer.citations:
            cited = (one.document_id for one in message.answer.citations)
            return tuple(dict.fromkeys(one for one in cited if one is not None))
    return ()
