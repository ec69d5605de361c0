"""Reading documents and their passages: whole batches in a few queries."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.filter import Filter
from desktop_rag.domain.metadata import Metadata, MetadataValue
from desktop_rag.domain.segment import Place, TextSegment
from desktop_rag.store.codec import (
    pack_ids,
    unpack_coverage,
    unpack_lines,
    unpack_metadata,
    unpack_strings,
    unpack_text,
    unpack_values,
)
from desktop_rag.store.documents import FROM_SEGMENT, TEXT_BLOCK
from desktop_rag.store.filter_sql import matching_holders
from desktop_rag.store.records import StoredDocument, StoredParent, StoredSegment
from desktop_rag.store.segment_metadata import COLUMNS, derived, holder_values
from desktop_rag.store.texts import IN_IDS

_SEGMENT = (
    'SELECT s.id, s.text_id, s.document_id, s.parent_id, s."start", s."end", s.page, '
    "s.language, s.heading_path, s.lines, "
    "s.parent_id - (SELECT MIN(id) FROM parents WHERE document_id = s.document_id) "
    "FROM segments AS s WHERE "
)

_BLOCKS = (
    "SELECT t.document_id, t.block, t.text FROM json_each(?) AS j JOIN document_texts AS t "
    "ON t.document_id = j.value ->> 0 AND t.block = j.value ->> 1"
)


@dataclass(frozen=True, slots=True)
class _Row:
    """A segment's row; ``ordinal`` is its parent's place among the document's parents."""

    id: int
    text_id: int
    document_id: int
    parent_id: int
    start: int
    end: int
    page: int | None
    language: str
    heading_path: str
    lines: bytes
    ordinal: int


@dataclass(frozen=True, slots=True)
class _Holder:
    """A document with one file that holds it: what all its passages have in common."""

    origin: str
    values: dict[str, MetadataValue]


def segments_of_texts(
    connection: sqlite3.Connection, text_ids: Sequence[int], condition: Filter | None
) -> dict[int, list[StoredSegment]]:
    """Return the passages with these texts, by text, each list by segment id.

    A passage of a document that several files hold is given once, with the first of
    the files that match.
    """
    holders = None if condition is None else matching_holders(connection, condition, [*text_ids])
    rows = _rows(connection, f"s.text_id {IN_IDS} ORDER BY s.id", pack_ids(text_ids))
    if holders is not None:
        rows = [row for row in rows if row.id in holders]
    found: dict[int, list[StoredSegment]] = {text_id: [] for text_id in text_ids}
    for stored in _stored(connection, rows, holders or {}):
        found[stored.text_id].append(stored)
    return {text_id: segments for text_id, segments in found.items() if segments}


def first_segments(
    connection: sqlite3.Connection, text_ids: Iterable[int]
) -> dict[int, StoredSegment]:
    """Return, by document, the first passage that has one of these texts."""
    first = connection.execute(
        f"SELECT id, MIN(ordinal) FROM segments WHERE text_id {IN_IDS} GROUP BY document_id",
        (pack_ids(text_ids),),
    )
    ids = pack_ids(row[0] for row in first)
    rows = _rows(connection, f"s.id {IN_IDS} ORDER BY s.id", ids)
    return {stored.document_id: stored for stored in _stored(connection, rows, {})}


def segments_of_document(connection: sqlite3.Connection, document_id: int) -> list[StoredSegment]:
    """Return a document's passages in reading order."""
    rows = _rows(connection, f"s.document_id {IN_IDS} ORDER BY s.ordinal", pack_ids([document_id]))
    return _stored(connection, rows, {})


def _rows(connection: sqlite3.Connection, where: str, argument: str) -> list[_Row]:
    return [_Row(*row) for row in connection.execute(_SEGMENT + where, (argument,))]


def _stored(
    connection: sqlite3.Connection, rows: Sequence[_Row], chosen: dict[int, int | None]
) -> list[StoredSegment]:
    texts = texts_between(connection, [(row.document_id, row.start, row.end) for row in rows])
    pairs = [(row.document_id, chosen.get(row.id)) for row in rows]
    holders = _holders(connection, pairs)
    return [
        StoredSegment(
            row.id, row.text_id, row.document_id, row.parent_id, _segment(row, text, holders[pair])
        )
        for row, text, pair in zip(rows, texts, pairs, strict=True)
    ]


def _segment(row: _Row, text: str, holder: _Holder) -> TextSegment:
    heading_path = unpack_strings(row.heading_path)
    of_segment = derived(
        {
            "segment_id": row.id,
            "parent_id": row.parent_id,
            "page": row.page,
            "heading": row.heading_path,
        }
    )
    if holder.origin == FROM_SEGMENT:
        return TextSegment(text, Metadata(of_segment | holder.values))
    place = Place(
        row.start,
        row.end,
        row.page,
        heading_path,
        row.language,
        row.ordinal,
        unpack_lines(row.lines),
    )
    return TextSegment(text, Metadata(holder.values | of_segment), place)


def _holders(
    connection: sqlite3.Connection, pairs: Iterable[tuple[int, int | None]]
) -> dict[tuple[int, int | None], _Holder]:
    """Return what each (document, file) gives; for file None the document's first file."""
    wanted = set(pairs)
    documents = pack_ids({document_id for document_id, _ in wanted})
    rows = connection.execute(
        "SELECT d.id, d.kind, d.title, d.language, d.origin, d.metadata, "
        "f.id, f.path, f.source_id, f.mtime_ns FROM documents AS d "
        f"LEFT JOIN files AS f ON f.document_id = d.id WHERE d.id {IN_IDS} ORDER BY d.id, f.id",
        (documents,),
    )
    found: dict[tuple[int, int | None], _Holder] = {}
    for row in rows:
        first = (row[0], None)
        pair = (row[0], row[6])
        if first in wanted and first not in found:
            found[first] = _holder(row)
        if pair in wanted and pair not in found:
            found[pair] = _holder(row)
    return found


def _holder(row: tuple) -> _Holder:  # type: ignore[type-arg]
    own = unpack_values(row[5])
    if row[4] == FROM_SEGMENT:
        return _Holder(row[4], {"document_id": row[0]} | own)
    file = None if row[6] is None else row[7:10]
    given = {key: value for key, value in own.items() if key not in COLUMNS}
    return _Holder(row[4], given | holder_values(row[:4], file))


def texts_between(
    connection: sqlite3.Connection, ranges: Sequence[tuple[int, int, int]]
) -> list[str]:
    """Return ``text[start:end]`` of each (document, start, end), reading only its blocks."""
    needed = {
        (document_id, block)
        for document_id, start, end in ranges
        for block in range(start // TEXT_BLOCK, max(start, end - 1) // TEXT_BLOCK + 1)
    }
    read = {
        (document_id, block): text
        for document_id, block, text in connection.execute(_BLOCKS, (json.dumps(sorted(needed)),))
    }
    return [_cut(read, document_id, start, end) for document_id, start, end in ranges]


def _cut(read: dict[tuple[int, int], str], document_id: int, start: int, end: int) -> str:
    first = start // TEXT_BLOCK
    last = max(start, end - 1) // TEXT_BLOCK
    joined = "".join(read[document_id, block] for block in range(first, last + 1))
    return joined[start - first * TEXT_BLOCK : end - first * TEXT_BLOCK]


def document(connection: sqlite3.Connection, document_id: int) -> StoredDocument | None:
    """Return a whole document, None when it is not stored any more."""
    row = connection.execute(
        "SELECT id, kind, title, language, metadata, pages, coverage, encoding, headings "
        "FROM documents WHERE id = ?",
        (document_id,),
    ).fetchone()
    if row is None:
        return None
    blocks = connection.execute(
        "SELECT text FROM document_texts WHERE document_id = ? ORDER BY block", (document_id,)
    )
    return StoredDocument(
        id=row[0],
        kind=row[1],
        title=row[2],
        text="".join(block for (block,) in blocks),
        language=row[3],
        metadata=unpack_metadata(row[4]),
        pages=row[5],
        coverage=unpack_coverage(row[6]),
        encoding=row[7],
        headings=unpack_strings(row[8]),
    )


def paths_of(
    connection: sqlite3.Connection, document_ids: Iterable[int]
) -> dict[int, tuple[str, ...]]:
    """Return the paths of the files that hold each document, the first file first."""
    wanted = sorted(set(document_ids))
    rows = connection.execute(
        f"SELECT document_id, path FROM files WHERE document_id {IN_IDS} ORDER BY id",
        (pack_ids(wanted),),
    )
    found: dict[int, list[str]] = {document_id: [] for document_id in wanted}
    for document_id, path in rows:
        found[document_id].append(unpack_text(path))
    return {document_id: tuple(paths) for document_id, paths in found.items()}


def parent(connection: sqlite3.Connection, parent_id: int) -> StoredParent | None:
    """Return a parent passage, None when it is not stored any more."""
    row = connection.execute(
        'SELECT id, document_id, "start", "end", page, heading_path FROM parents WHERE id = ?',
        (parent_id,),
    ).fetchone()
    if row is None:
        return None
    return StoredParent(row[0], row[1], row[2], row[3], row[4], unpack_strings(row[5]))
