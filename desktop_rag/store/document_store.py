"""Documents: committed whole, read in pieces."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from desktop_rag.domain.files import FileStat
from desktop_rag.domain.filter import Filter
from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.embedding.model import Vector
from desktop_rag.store import files as rows
from desktop_rag.store import segments as reading
from desktop_rag.store.changes import note_replacement
from desktop_rag.store.core import StoreCore
from desktop_rag.store.documents import DocumentIdentity, find_document, insert_document
from desktop_rag.store.filter_sql import matching_texts
from desktop_rag.store.records import (
    CommitResult,
    MissingDocumentError,
    StoredDocument,
    StoredParent,
    StoredSegment,
)
from desktop_rag.store.texts import (
    NewText,
    Space,
    insert_texts,
    packed,
    stored_hashes,
)


class DocumentStore(StoreCore):
    """What the files say. A document depends on content alone: copies share one."""

    def find_document(self, key: str) -> int | None:
        """Return the document that was made of this content before, if it is held."""
        with self._snapshot() as connection:
            return find_document(connection, key)

    def kind_of_document(self, document_id: int) -> str | None:
        """Return a document's kind, None when it is not stored any more."""
        with self._snapshot() as connection:
            found = connection.execute("SELECT kind FROM documents WHERE id = ?", (document_id,))
            row = found.fetchone()
        return None if row is None else str(row[0])

    def attach_document(
        self, file_id: int, stat: FileStat, content_hash: str, document_id: int
    ) -> None:
        """Make a file hold a document that is there already: a copy, nothing is read.

        Raises:
            MissingDocumentError: the document went with its last file; read it again.
            LookupError: the file is not there any more.
        """

        def work(connection: sqlite3.Connection) -> None:
            there = connection.execute("SELECT 1 FROM documents WHERE id = ?", (document_id,))
            if there.fetchone() is None:
                raise MissingDocumentError(document_id)
            silent = rows.hold_document(connection, file_id, stat, content_hash, document_id)
            _log(connection, file_id, silent, silent)

        self._write(work)
        self._changed()

    def known_hashes(self, hashes: Collection[str]) -> set[str]:
        """Return those texts that have a vector; they stay until a commit uses them."""
        self._leases.take(hashes)
        with self._snapshot() as connection:
            return set(stored_hashes(connection, hashes))

    def put_vectors(self, space: str, texts: Mapping[str, tuple[str, int, Vector]]) -> None:
        """Store vectors ahead of their document's commit, by text hash.

        Each comes with its text and number of tokens; what is stored already is kept.

        Raises:
            ValueError: a vector has a wrong dimension, a NaN, or nothing but zeros.
        """
        of_space = self._space(space)
        new = {
            text_hash: NewText(text_hash, of_space.id, text, tokens, self._column(of_space, vector))
            for text_hash, (text, tokens, vector) in texts.items()
        }
        self._leases.take(new.keys())

        def work(connection: sqlite3.Connection) -> None:
            known = stored_hashes(connection, new.keys())
            insert_texts(connection, [new[one] for one in new if one not in known])

        self._write(work)

    def release_hashes(self, hashes: Collection[str]) -> None:
        """Give up texts that were asked for or stored ahead: no commit will use them."""
        self._leases.end(hashes)

    def commit_document(
        self,
        file_id: int,
        stat: FileStat,
        content_hash: str,
        key: str,
        prepared: PreparedDocument,
        vectors: Mapping[str, Vector],
    ) -> CommitResult:
        """Store a document and make a file hold it, in one transaction.

        The file's former document goes unless another file holds it. ``vectors`` has
        those, by text hash, that are not stored yet.

        Raises:
            MissingVectorsError: a text has neither a stored nor a given vector.
            ValueError: a vector has a wrong dimension, a NaN, or nothing but zeros.
            LookupError: the file is not there any more.
        """
        new = self._new_texts(prepared, vectors)

        def work(connection: sqlite3.Connection) -> CommitResult:
            document_id = find_document(connection, key)
            awakened: set[int] = set()
            if document_id is None:
                identity = DocumentIdentity(key)
                inserted = insert_document(connection, identity, prepared, new)
                document_id, awakened = inserted.document_id, inserted.awakened
            silent = rows.hold_document(connection, file_id, stat, content_hash, document_id)
            change = _log(connection, file_id, awakened | silent, silent)
            return CommitResult(document_id, len(prepared.segments), change)

        result = self._write(work)
        self._leases.end({segment.text_hash for segment in prepared.segments})
        self._changed()
        return result

    def document(self, document_id: int) -> StoredDocument | None:
        """Return a whole document, None when it is not stored any more."""
        with self._snapshot() as connection:
            return reading.document(connection, document_id)

    def paths_of(self, document_ids: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Return the paths of all files that hold each document, the first file first."""
        with self._snapshot() as connection:
            return reading.paths_of(connection, document_ids)

    def parent(self, parent_id: int) -> StoredParent | None:
        """Return a passage to read, None when it is not stored any more."""
        with self._snapshot() as connection:
            return reading.parent(connection, parent_id)

    def parent_text(self, parent_id: int) -> str | None:
        """Return the text of a passage to read, None when it is not stored any more."""
        with self._snapshot() as connection:
            found = reading.parent(connection, parent_id)
            if found is None:
                return None
            where = (found.document_id, found.start, found.end)
            return reading.texts_between(connection, [where])[0]

    def segments_of_document(self, document_id: int) -> list[StoredSegment]:
        """Return a document's passages in reading order; none when it is not stored."""
        with self._snapshot() as connection:
            return reading.segments_of_document(connection, document_id)

    def segments_of_texts(
        self, text_ids: Sequence[int], condition: Filter | None = None
    ) -> dict[int, list[StoredSegment]]:
        """Return the passages that have these texts and match, by text.

        A passage of a document that several files hold comes once, with the first file
        that matches. Texts without any are left out; the order is that of ``text_ids``,
        and within one that of the passages' ids.

        Raises:
            ValueError: a stored value and the condition's are of different types.
        """
        with self._snapshot() as connection:
            return reading.segments_of_texts(connection, text_ids, condition)

    def allowed_texts(self, condition: Filter, space: str | None = None) -> list[int]:
        """Return the ids, ascending, of texts of which some passage matches.

        Raises:
            ValueError: a stored value and the condition's are of different types.
        """
        space_id = None if space is None else self._space(space).id
        with self._snapshot() as connection:
            return matching_texts(connection, condition, space_id)

    def _column(self, space: Space, vector: Vector) -> bytes | None:
        column = packed(vector, space.dimension)
        return None if space.name in self._outdated else column

    def _new_texts(
        self, prepared: PreparedDocument, vectors: Mapping[str, Vector]
    ) -> dict[str, NewText]:
        new: dict[str, NewText] = {}
        for s in prepared.segments:
            space = self._space(s.space)
            if s.text_hash in vectors and s.text_hash not in new:
                column = self._column(space, vectors[s.text_hash])
                new[s.text_hash] = NewText(s.text_hash, space.id, s.text, s.tokens, column, s.terms)
        return new


def _log(
    connection: sqlite3.Connection, file_id: int, texts: Collection[int], silent: Collection[int]
) -> int:
    change = rows.log_files(connection, [file_id], texts)
    if silent:
        note_replacement(connection, change)
    return change
