"""Finds files that the question names: people look for file names first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Protocol

from desktop_rag.domain.content import Content, ContentKey, ContentValue
from desktop_rag.domain.files import FileRecord
from desktop_rag.domain.filter import IsEqualTo, all_of
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.passages import PassageStore, contents_of
from desktop_rag.store.records import StoredSegment
from desktop_rag.text.analysis import analyse, analyse_query

NAME = "name"
"""Noted where the question is nothing but a name: the file itself is looked for."""

MENTION = "mention"
"""Noted where the question asks something and mentions a file by its name."""


class NameStore(PassageStore, Protocol):
    """A passage store that knows its files."""

    def file(self, file_id: int) -> FileRecord | None:
        """Return a file's record."""
        ...

    def segments_of_document(self, document_id: int) -> Sequence[StoredSegment]:
        """Return a document's passages in reading order."""
        ...


class FileNameContentRetriever:
    """Gives the best passages of files whose name the question holds.

    A file is named when every word of the question is in its name, title or headings
    (``NAME``), or when every word of its name is in the question (``MENTION``). All
    passages get the same score, so that the other retrievers decide among them.

    Args:
        store: where files and passages are.
        max_files: the most files, > 0.
        passages_per_file: the most passages of one file, > 0.

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
        """Return the passages of the files named, the best name first."""
        terms = analyse_query(query.text)
        if not terms:
            return []
        found = self._store.name_search(terms, self._max_files, query.context.filter)
        contents: list[Content] = []
        for file_id, _ in found:
            record = self._store.file(file_id)
            if record is not None and record.document_id is not None:
                contents += self._contents(query, terms, record, record.document_id)
        return contents

    def _contents(
        self, query: Query, terms: Sequence[str], record: FileRecord, document_id: int
    ) -> list[Content]:
        condition = all_of(query.context.filter, IsEqualTo("document_id", document_id))
        hits = self._store.keyword_search(terms, self._passages, condition)
        notes: dict[ContentKey, ContentValue] = {ContentKey.SCORE: 1.0}
        contents = contents_of(self._store, [(text_id, notes) for text_id, _ in hits], condition)
        title = str(contents[0].segment.metadata.get("title", "")) if contents else ""
        kind = _kind_of_match(frozenset(terms), record.path, title)
        if kind is None:
            return []
        if not contents:
            first = self._store.segments_of_document(document_id)[:1]
            contents = [Content(passage.segment, notes) for passage in first]
        return [content.noted(ContentKey.RETRIEVER, kind) for content in contents]


def _kind_of_match(terms: frozenset[str], path: str, title: str) -> str | None:
    name = PurePath(path)
    whole_name = set(analyse(name.stem)) | set(analyse(name.name))
    if terms <= whole_name | set(analyse(title)):
        return NAME
    words_of_name = frozenset(analyse_query(name.stem))
    return MENTION if words_of_name and words_of_name <= terms else None
