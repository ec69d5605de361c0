"""Finds files that the question names: people look for file names first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Protocol

from desktop_rag.domain.content import Content, ContentKey, ContentValue
from desktop_rag.domain.files import FileRecord
from desktop_rag.domain.filter import IsIn, all_of
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.passages import PassageStore, contents_of
from desktop_rag.retrieval.postprocessors.copies import document_of
from desktop_rag.store.records import StoredDocument, StoredSegment
from desktop_rag.text.analysis import analyse, analyse_query

NAME = "name"
"""Noted where the question is nothing but a name: the file itself is looked for."""

MENTION = "mention"
"""Noted where the question asks something and mentions a file by its name."""


_NOTES: Mapping[ContentKey, ContentValue] = {ContentKey.SCORE: 1.0}


class NameStore(PassageStore, Protocol):
    """A passage store that knows its files."""

    def file(self, file_id: int) -> FileRecord | None:
        """Return a file's record."""
        ...

    def document(self, document_id: int) -> StoredDocument | None:
        """Return a whole document."""
        ...

    def segments_of_document(self, document_id: int) -> Sequence[StoredSegment]:
        """Return a document's passages in reading order."""
        ...


class FileNameContentRetriever:
    """Gives the best passages of files whose name the question holds.

    A file is named when every word of the question is in its name or title (``NAME``), or
    when every word of its name is in the question (``MENTION``). All passages get the same
    score, so that the other retrievers decide among them.

    Args:
        store: where files and passages are.
        max_files: the most files, > 0.
        passages_per_file: how many passages a file gives in the mean, > 0.

    Raises:
        ValueError: a number is not positive.
    """

    def __init__(self, store: NameStore, max_files: int = 5, passages_per_file: int = 3) -> None:
        if max_files <= 0 or passages_per_file <= 0:
            raise ValueError("max_files and passages_per_file must be greater than 0")
        self._store = store
        self._max_files = max_files
        self._passages = passages_per_file

    def retrieve(self, query: Query) -> list[Content]:
        """Return the passages of the files named."""
        terms = analyse_query(query.text)
        if not terms:
            return []
        named: dict[int, str] = {}
        for file_id, _ in self._store.name_search(terms, self._max_files, query.context.filter):
            document, kind = self._match(frozenset(terms), file_id)
            if kind is not None:
                named.setdefault(document, kind)
        if not named:
            return []
        found = self._best_passages(query, terms, named)
        silent = named.keys() - {document_of(content) for content in found}
        for document in sorted(silent):
            first = self._store.segments_of_document(document)[:1]
            found += [Content(passage.segment, _NOTES) for passage in first]
        kinds = ((content, named.get(document_of(content) or 0)) for content in found)
        return [one.noted(ContentKey.RETRIEVER, kind) for one, kind in kinds if kind is not None]

    def _match(self, terms: frozenset[str], file_id: int) -> tuple[int, str | None]:
        record = self._store.file(file_id)
        if record is None or record.document_id is None:
            return 0, None
        document = self._store.document(record.document_id)
        title = document.title if document else ""
        return record.document_id, _kind_of_match(terms, record.path, title)

    def _best_passages(
        self, query: Query, terms: Sequence[str], named: Collection[int]
    ) -> list[Content]:
        condition = all_of(query.context.filter, IsIn("document_id", frozenset(named)))
        hits = self._store.keyword_search(terms, self._passages * len(named), condition)
        return contents_of(self._store, [(text_id, _NOTES) for text_id, _ in hits], condition)


def _kind_of_match(terms: frozenset[str], path: str, title: str) -> str | None:
    name = PurePath(path)
    whole_name = set(analyse(name.stem)) | set(analyse(name.name))
    if terms <= whole_name | set(analyse(title)):
        return NAME
    words_of_name = frozenset(analyse_query(name.stem))
    return MENTION if words_of_name and words_of_name <= terms else None
