"""Segments added by themselves, without a file: what an ``EmbeddingStore`` is given."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection, Iterable, Sequence

from desktop_rag.domain.document import Coverage
from desktop_rag.domain.filter import Filter
from desktop_rag.domain.prepared import PreparedDocument, PreparedParent, PreparedSegment
from desktop_rag.domain.segment import TextSegment
from desktop_rag.embedding.model import Matrix
from desktop_rag.foundation.language import language_of
from desktop_rag.store.changes import log_change, note_replacement
from desktop_rag.store.codec import pack_ids, unpack_metadata
from desktop_rag.store.core import StoreCore
from desktop_rag.store.documents import (
    FROM_SEGMENT,
    DocumentIdentity,
    drop_documents,
    find_document,
    insert_document,
)
from desktop_rag.store.filter_sql import matching_segment_documents
from desktop_rag.store.memory_store import check_sizes, checked_id
from desktop_rag.store.segments import texts_between
from desktop_rag.store.texts import IN_IDS, NewText, Space, packed

KEY_PREFIX = "segment:"
_HASH_BYTES = 16


class SegmentStore(StoreCore):
    """Each segment is a document of its own, with its own metadata and nothing else."""

    def put_segments(
        self, space: str, ids: Sequence[str], vectors: Matrix, segments: Sequence[TextSegment]
    ) -> None:
        """Add segments, or replace those with the same ids, in one transaction.

        Raises:
            ValueError: the sizes differ, an id is blank, or a vector has a wrong
                dimension, a NaN, or nothing but zeros.
        """
        of_space = self._space(space)
        check_sizes(ids, vectors, segments)
        columns = [packed(vector, of_space.dimension) for vector in vectors]
        entries = {
            _key(one): self._entry(of_space, column, segment)
            for one, column, segment in zip(ids, columns, segments, strict=True)
        }
        if not entries:
            return

        def work(connection: sqlite3.Connection) -> int:
            changed = _drop(connection, entries)
            for key, (prepared, new) in entries.items():
                identity = DocumentIdentity(key, FROM_SEGMENT)
                inserted = insert_document(connection, identity, prepared, {new.hash: new})
                changed |= inserted.awakened
            change = log_change(connection, changed)
            note_replacement(connection, change)
            return change

        self._write(work)
        self._changed()

    def remove_segments(self, ids: Iterable[str]) -> None:
        """Remove segments by id; those that are not there are ignored.

        Raises:
            ValueError: an id is blank.
        """
        keys = [_key(one) for one in ids]
        if keys:
            self._write(lambda c: log_change(c, _drop(c, keys)))
            self._changed()

    def remove_matching_segments(self, condition: Filter) -> None:
        """Remove every segment added by itself whose metadata matches.

        Raises:
            ValueError: a stored value and the condition's are of different types.
        """

        def work(connection: sqlite3.Connection) -> int:
            documents = matching_segment_documents(connection, condition)
            return log_change(connection, drop_documents(connection, documents))

        self._write(work)
        self._changed()

    def added_segments(self, document_ids: Collection[int]) -> dict[int, tuple[str, TextSegment]]:
        """Return id and segment, as they were added, of those documents that are such."""
        with self._snapshot() as connection:
            rows = connection.execute(
                'SELECT d.id, d.key, d.metadata, s."end" FROM documents AS d '
                "JOIN segments AS s ON s.document_id = d.id "
                f"WHERE d.id {IN_IDS} AND d.origin = 'segment'",
                (pack_ids(document_ids),),
            ).fetchall()
            texts = texts_between(connection, [(row[0], 0, row[3]) for row in rows])
        return {
            document_id: (
                key.removeprefix(KEY_PREFIX),
                TextSegment(text, unpack_metadata(metadata)),
            )
            for (document_id, key, metadata, _), text in zip(rows, texts, strict=True)
        }

    def _entry(
        self, space: Space, vector: bytes, segment: TextSegment
    ) -> tuple[PreparedDocument, NewText]:
        """Return a segment as a document with one passage, and its text.

        The caller chose the vector, so it is part of what makes two texts the same.
        """
        text = segment.text
        digest = hashlib.blake2b(vector, digest_size=_HASH_BYTES, key=space.name.encode()[:64])
        digest.update(text.encode("utf-8", "surrogatepass"))
        terms = " ".join(self._analyse(text))
        language = language_of(text)
        new = NewText(digest.hexdigest(), space.id, text, 0, vector, terms)
        passage = PreparedSegment(
            0, len(text), 0, text, new.hash, space.name, terms, tokens=0, language=language
        )
        prepared = PreparedDocument(
            kind="segment",
            text=text,
            title="",
            language=language,
            metadata=segment.metadata,
            coverage=Coverage(read=1),
            parents=(PreparedParent(0, len(text)),),
            segments=(passage,),
        )
        return prepared, new


def _key(embedding_id: str) -> str:
    return f"{KEY_PREFIX}{checked_id(embedding_id)}"


def _drop(connection: sqlite3.Connection, keys: Iterable[str]) -> set[int]:
    found = (find_document(connection, key) for key in keys)
    return drop_documents(connection, [one for one in found if one is not None])
