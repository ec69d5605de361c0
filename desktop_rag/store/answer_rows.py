"""How an answer becomes rows, and rows become the answer again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from desktop_rag.domain.answer import (
    Answer,
    AnswerKind,
    CheckedSentence,
    Citation,
    LibraryCoverage,
    Outcome,
    Support,
)
from desktop_rag.domain.chats import Feedback
from desktop_rag.domain.messages import TokenUsage
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
from desktop_rag.store.records import StoredMessage

USER = "user"
ASSISTANT = "assistant"

_CITED, _NEAREST, _OF_SENTENCE = range(3)
"""What a citation is to its message: quoted in it, offered with it, or a sentence's evidence."""

MESSAGE_COLUMNS = (
    "id, role, text, created_at, outcome, confidence, kind, queries, notes, coverage, seconds, "
    "sentences, model, reasoning, usage, feedback"
)
CITATION_COLUMNS = (
    'c.message_id, c.nearest, c.number, c.path, c.page, c."start", c."end", c.quote, '
    "c.heading, c.paths, c.metadata, c.lines, c.document_id"
)

Row = tuple[Any, ...]
Quotes = dict[tuple[int, int], list[Citation]]
"""Citations by message and by what they are to it."""


def put_answer(connection: sqlite3.Connection, message_id: int, answer: Answer) -> None:
    """Write an answer to the message that holds its text."""
    coverage, usage = answer.coverage, answer.usage
    values = {
        "outcome": answer.outcome,
        "kind": answer.kind,
        "confidence": answer.confidence,
        "queries": pack_strings(answer.queries),
        "notes": pack_strings(answer.notes),
        "coverage": json.dumps([coverage.ready, coverage.files, coverage.failed]),
        "seconds": answer.seconds,
        "sentences": _pack_sentences(answer.sentences),
        "model": answer.model,
        "reasoning": pack_text(answer.reasoning),
        "usage": json.dumps([usage.read, usage.written]),
    }
    names = ", ".join(f"{name} = ?" for name in values)
    connection.execute(f"UPDATE messages SET {names} WHERE id = ?", (*values.values(), message_id))
    evidence = tuple(one.quote for one in answer.sentences if one.quote is not None)
    connection.executemany(
        "INSERT INTO citations (message_id, nearest, number, path, page, "
        '"start", "end", quote, heading, paths, metadata, lines, document_id) '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (message_id, role, *_citation_columns(citation))
            for role, citations in enumerate((answer.citations, answer.nearest, evidence))
            for citation in citations
        ],
    )


def quotes_of(rows: Iterable[Row]) -> Quotes:
    """Return the citations in rows of ``CITATION_COLUMNS``, in their order."""
    quotes: Quotes = {}
    for row in rows:
        quotes.setdefault((row[0], row[1]), []).append(_citation(row))
    return quotes


def message_of(row: Row, quotes: Quotes) -> StoredMessage:
    """Return the message in a row of ``MESSAGE_COLUMNS``."""
    number, role, text = row[0], row[1], unpack_text(row[2])
    if role != ASSISTANT:
        return StoredMessage(number, role, text, row[3])
    cited, nearest, evidence = (
        tuple(quotes.get((number, role), ())) for role in (_CITED, _NEAREST, _OF_SENTENCE)
    )
    answer = Answer(
        text=text,
        outcome=Outcome(row[4]),
        confidence=row[5],
        kind=AnswerKind(row[6]),
        citations=cited,
        nearest=nearest,
        queries=unpack_strings(row[7]),
        notes=unpack_strings(row[8]),
        coverage=LibraryCoverage(*json.loads(row[9])),
        seconds=row[10],
        sentences=_unpack_sentences(row[11], evidence),
        model=row[12],
        reasoning=unpack_text(row[13]),
        usage=TokenUsage(*json.loads(row[14])),
        message_id=number,
    )
    return StoredMessage(number, role, text, row[3], answer, unpack_feedback(row[15]))


def pack_feedback(feedback: Feedback | None) -> str | None:
    """Return a JSON list of whether it was good, and the words."""
    return None if feedback is None else json.dumps([feedback.good, feedback.words])


def unpack_feedback(column: str | None) -> Feedback | None:
    """Return what ``pack_feedback`` was given."""
    return None if column is None else Feedback(*json.loads(column))


def _pack_sentences(sentences: Sequence[CheckedSentence]) -> str:
    """Return a JSON list; the quotes are rows of their own, in the order of the sentences."""
    return json.dumps(
        [
            [one.start, one.end, one.support, one.numbers, one.reason, one.quote is not None]
            for one in sentences
        ]
    )


def _unpack_sentences(column: str, evidence: Sequence[Citation]) -> tuple[CheckedSentence, ...]:
    quotes = iter(evidence)
    return tuple(
        CheckedSentence(
            start,
            end,
            Support(support),
            tuple(numbers),
            reason,
            next(quotes, None) if quoted else None,
        )
        for start, end, support, numbers, reason, quoted in json.loads(column)
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


def _citation(row: Row) -> Citation:
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
