"""Conditions on metadata, compiled to SQL with the meaning that they have in memory.

And, Or and Not become SQL; each comparison is a call of a function registered with the
connection, which asks ``domain.filter.matches`` and remembers its answer by the column's
value. So numbers, missing keys and mismatched types mean the same everywhere, and a
condition on files costs one comparison a file, however many passages they have. ``CASE``
keeps the order of And and Or: what is not looked at in memory is not looked at here.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Any

from desktop_rag.domain.filter import And, Filter, Not, Or, matches
from desktop_rag.domain.metadata import Metadata
from desktop_rag.store.codec import pack_ids, unpack_metadata
from desktop_rag.store.segment_metadata import COLUMNS, Column
from desktop_rag.store.sql import ids_of
from desktop_rag.store.texts import IN_IDS

_FUNCTION = "leaf_matches"
TEXT_KEY = "text"
"""A condition's key for the words of the passage itself, as its model reads them."""

_PASSAGE_TEXT = Column("(SELECT t.text FROM texts AS t WHERE t.id = s.text_id)", of_segment=True)
_HOLDERS = "documents AS d LEFT JOIN files AS f ON f.document_id = d.id"


class _Leaf:
    """One comparison, with its answers by the raw value that it was asked about."""

    def __init__(self, condition: Filter, key: str, column: Column | None) -> None:
        self._condition = condition
        self._key = key
        self._column = column
        self._answers: dict[object, bool] = {}

    def answer(self, raw: object) -> bool:
        known = self._answers.get(raw)
        if known is None:
            known = self._answers[raw] = matches(self._condition, self._metadata(raw))
        return known

    def _metadata(self, raw: object) -> Metadata:
        if self._column is None:
            return unpack_metadata(str(raw))
        value = self._column.derive(raw)
        return Metadata({} if value is None else {self._key: value})


@dataclass(slots=True)
class _Compiled:
    """SQL over ``documents d``, ``files f`` and, if it must, ``segments s``."""

    leaves: list[_Leaf] = field(default_factory=list)
    error: ValueError | None = None
    needs_segments: bool = False
    sql: str = ""

    def expression(self, condition: Filter) -> str:
        """Return SQL that is 0 or 1, never NULL."""
        if isinstance(condition, And):
            left, right = self.expression(condition.left), self.expression(condition.right)
            return f"CASE WHEN {left} THEN {right} ELSE 0 END"
        if isinstance(condition, Or):
            left, right = self.expression(condition.left), self.expression(condition.right)
            return f"CASE WHEN {left} THEN 1 ELSE {right} END"
        if isinstance(condition, Not):
            return f"(NOT {self.expression(condition.inner)})"
        column = _PASSAGE_TEXT if condition.key == TEXT_KEY else COLUMNS.get(condition.key)
        own = self._call(_Leaf(condition, condition.key, None), "d.metadata")
        if column is None:
            return own
        self.needs_segments = self.needs_segments or column.of_segment
        call = self._call(_Leaf(condition, condition.key, column), column.sql)
        # A segment of the programming interface has its own metadata and nothing else.
        return f"CASE WHEN d.origin = 'segment' THEN {own} ELSE {call} END"

    def _call(self, leaf: _Leaf, argument: str) -> str:
        self.leaves.append(leaf)
        return f"{_FUNCTION}({len(self.leaves) - 1}, {argument})"

    def answer(self, number: int, raw: object) -> bool:
        """What SQLite calls; it hides the error of a mismatch, so that is kept here."""
        try:
            return self.leaves[number].answer(raw)
        except ValueError as error:
            self.error = error
            raise


def matching_texts(
    connection: sqlite3.Connection, condition: Filter, space_id: int | None = None
) -> list[int]:
    """Return the ids, ascending, of texts of which some passage matches.

    Raises:
        ValueError: a stored value and the condition's value are of different types.
    """
    compiled = _compile(condition)
    if compiled.needs_segments:
        source = (
            f"SELECT s.text_id FROM {_HOLDERS} JOIN segments AS s ON s.document_id = d.id "
            f"WHERE {compiled.sql}"
        )
    else:
        source = (
            "SELECT text_id FROM segments WHERE document_id IN "
            f"(SELECT d.id FROM {_HOLDERS} WHERE {compiled.sql})"
        )
    rows = _run(
        connection,
        compiled,
        f"SELECT id FROM texts WHERE id IN ({source}) AND (?1 IS NULL OR space_id = ?1) "
        "ORDER BY id",
        (space_id,),
    )
    return ids_of(rows)


def matching_segment_documents(connection: sqlite3.Connection, condition: Filter) -> list[int]:
    """Return the ids of documents of the programming interface that match."""
    compiled = _compile(condition)
    sql = (
        f"SELECT DISTINCT d.id FROM {_HOLDERS} JOIN segments AS s ON s.document_id = d.id "
        f"WHERE d.origin = 'segment' AND {compiled.sql}"
    )
    return ids_of(_run(connection, compiled, sql, ()))


def matching_files(connection: sqlite3.Connection, condition: Filter) -> list[int]:
    """Return the ids, ascending, of files of which some passage matches."""
    compiled = _compile(condition)
    holders = "files AS f JOIN documents AS d ON d.id = f.document_id"
    if compiled.needs_segments:
        holders += " JOIN segments AS s ON s.document_id = d.id"
    sql = f"SELECT DISTINCT f.id FROM {holders} WHERE {compiled.sql} ORDER BY f.id"
    return ids_of(_run(connection, compiled, sql, ()))


def matching_holders(
    connection: sqlite3.Connection, condition: Filter, text_ids: list[int]
) -> dict[int, int | None]:
    """Return the matching segments of texts, each with the first file that matches.

    The file is None for a segment of the programming interface.
    """
    compiled = _compile(condition)
    sql = (
        f"SELECT s.id, MIN(f.id) FROM segments AS s JOIN {_HOLDERS} "
        f"WHERE d.id = s.document_id AND s.text_id {IN_IDS} AND {compiled.sql} GROUP BY s.id"
    )
    return dict(_run(connection, compiled, sql, (pack_ids(text_ids),)))


def _compile(condition: Filter) -> _Compiled:
    compiled = _Compiled()
    compiled.sql = compiled.expression(condition)
    return compiled


def _run(
    connection: sqlite3.Connection, compiled: _Compiled, sql: str, arguments: tuple[object, ...]
) -> list[Any]:
    connection.create_function(_FUNCTION, 2, compiled.answer)
    try:
        return connection.execute(sql, arguments).fetchall()
    except sqlite3.OperationalError:
        if compiled.error is not None:
            raise compiled.error from None
        raise
