"""Writing documents: a whole one in, and out again when nothing holds it any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.store.codec import (
    pack_coverage,
    pack_ids,
    pack_lines,
    pack_metadata,
    pack_strings,
)
from desktop_rag.store.records import MissingVectorsError
from desktop_rag.store.sql import ids_of, inserted_id, next_id
from desktop_rag.store.texts import (
    IN_IDS,
    NewText,
    fill_terms,
    insert_texts,
    live_of,
    stored_hashes,
)

TEXT_BLOCK = 4096
"""Code points in a stored block of a document's text: a passage lies in one or two."""

FROM_FILE = "file"
FROM_SEGMENT = "segment"


@dataclass(frozen=True, slots=True)
class DocumentIdentity:
    """What tells a document from all others, and who holds it."""

    key: str
    origin: str = FROM_FILE


@dataclass(frozen=True, slots=True)
class Inserted:
    """A stored document and the texts that can be found only since it is there."""

    document_id: int
    awakened: set[int]


def find_document(connection: sqlite3.Connection, key: str) -> int | None:
    """Return the document with this key."""
    row = connection.execute("SELECT id FROM documents WHERE key = ?", (key,)).fetchone()
    return None if row is None else int(row[0])


def insert_document(
    connection: sqlite3.Connection,
    identity: DocumentIdentity,
    prepared: PreparedDocument,
    new: Mapping[str, NewText],
) -> Inserted:
    """Store a document with its text, parents, segments and the texts among ``new``.

    Raises:
        MissingVectorsError: a segment's text is neither stored nor in ``new``.
    """
    text_ids = _texts(connection, prepared, new)
    awakened = set(text_ids.values()) - live_of(connection, text_ids.values())
    document_id = _insert_row(connection, identity, prepared)
    connection.executemany(
        "INSERT INTO document_texts (document_id, block, text) VALUES (?, ?, ?)",
        [
            (document_id, at // TEXT_BLOCK, prepared.text[at : at + TEXT_BLOCK])
            for at in range(0, len(prepared.text), TEXT_BLOCK)
        ],
    )
    first_parent = _insert_parents(connection, document_id, prepared)
    _insert_segments(connection, document_id, first_parent, prepared, text_ids)
    return Inserted(document_id, awakened)


def _texts(
    connection: sqlite3.Connection, prepared: PreparedDocument, new: Mapping[str, NewText]
) -> dict[str, int]:
    """Return the ids of all of a document's texts, stored now or before, with their terms."""
    hashes = {segment.text_hash for segment in prepared.segments}
    known = stored_hashes(connection, hashes)
    missing = hashes - known.keys()
    if not missing <= new.keys():
        raise MissingVectorsError(missing - new.keys())
    # Ids in the order of reading: neighbours in a document are neighbours in the store.
    ordered = dict.fromkeys(s.text_hash for s in prepared.segments if s.text_hash in missing)
    if known:
        fill_terms(
            connection,
            {known[s.text_hash]: s.terms for s in prepared.segments if s.text_hash in known},
        )
    return known | insert_texts(connection, [new[text_hash] for text_hash in ordered])


def _insert_row(
    connection: sqlite3.Connection, identity: DocumentIdentity, prepared: PreparedDocument
) -> int:
    cursor = connection.execute(
        "INSERT INTO documents (key, origin, kind, title, language, pages, encoding, segments, "
        "coverage, metadata, headings, scanned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            identity.key,
            identity.origin,
            prepared.kind,
            prepared.title,
            prepared.language,
            prepared.pages,
            prepared.encoding,
            len(prepared.segments),
            pack_coverage(prepared.coverage),
            pack_metadata(prepared.metadata),
            pack_strings(prepared.headings),
            len(prepared.coverage.recognisable),
        ),
    )
    return inserted_id(cursor)


def _insert_parents(
    connection: sqlite3.Connection, document_id: int, prepared: PreparedDocument
) -> int:
    first = next_id(connection, "parents")
    connection.executemany(
        'INSERT INTO parents (id, document_id, "start", "end", page, heading_path) '
        "VALUES (?, ?, ?, ?, ?, ?)",
        [
            (number, document_id, p.start, p.end, p.page, pack_strings(p.heading_path))
            for number, p in enumerate(prepared.parents, start=first)
        ],
    )
    return first


def _insert_segments(
    connection: sqlite3.Connection,
    document_id: int,
    first_parent: int,
    prepared: PreparedDocument,
    text_ids: Mapping[str, int],
) -> None:
    connection.executemany(
        'INSERT INTO segments (document_id, parent_id, text_id, ordinal, "start", "end", page, '
        "language, heading_path, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                document_id,
                first_parent + s.parent,
                text_ids[s.text_hash],
                ordinal,
                s.start,
                s.end,
                s.page,
                s.language,
                pack_strings(s.heading_path),
                pack_lines(s.lines),
            )
            for ordinal, s in enumerate(prepared.segments)
        ],
    )


def drop_unheld(connection: sqlite3.Connection, document_ids: Iterable[int]) -> set[int]:
    """Delete those of these file documents that no file holds; return texts gone silent."""
    unheld = ids_of(
        connection.execute(
            f"SELECT id FROM documents WHERE id {IN_IDS} AND origin = 'file' "
            "AND NOT EXISTS (SELECT 1 FROM files WHERE document_id = documents.id)",
            (pack_ids(document_ids),),
        )
    )
    return drop_documents(connection, unheld)


def drop_documents(connection: sqlite3.Connection, document_ids: Iterable[int]) -> set[int]:
    """Delete documents with all that is theirs; return texts that nothing holds now."""
    packed = pack_ids(document_ids)
    if packed == "[]":
        return set()
    texts = set(
        ids_of(
            connection.execute(
                f"SELECT DISTINCT text_id FROM segments WHERE document_id {IN_IDS}", (packed,)
            )
        )
    )
    connection.execute(f"DELETE FROM documents WHERE id {IN_IDS}", (packed,))
    return texts - live_of(connection, texts)
