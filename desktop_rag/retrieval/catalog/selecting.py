"""Which files a query of the catalog means: all of them, by rules that can be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Protocol

from desktop_rag.domain.catalog import (
    CatalogAction,
    CatalogFile,
    CatalogQuery,
    DateRange,
    Mention,
)
from desktop_rag.domain.file_kinds import kind_by_name, kinds_of
from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.filter import Filter
from desktop_rag.retrieval.catalog.file_dates import days_of
from desktop_rag.store.records import StoredSegment
from desktop_rag.text.analysis import analyse, analyse_query

_UNREAD = frozenset({FileStatus.FAILED, FileStatus.WAITING, FileStatus.READING})
_AUTHORS = ("author", "from")

Passages = Mapping[int, StoredSegment]
"""By document, the first passage that says what is asked for."""


class CatalogStore(Protocol):
    """Knows all files, and all that have some words."""

    def catalog(self, condition: Filter | None = None) -> list[CatalogFile]:
        """Return all files, or those that match."""
        ...

    def files_named(self, terms: Sequence[str]) -> set[int]:
        """Return the files that have all terms in name, title and headings."""
        ...

    def passages_having(self, terms: Sequence[str]) -> dict[int, StoredSegment]:
        """Return, by document, the first passage that has all terms."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """A file that is meant, with its date and, where its text counts, the passage."""

    file: CatalogFile
    days: DateRange | None = None
    passage: StoredSegment | None = None


@dataclass(slots=True)
class _Narrowing:
    """The files that are left, and the passages that speak for them."""

    store: CatalogStore
    files: list[CatalogFile]
    passages: dict[int, StoredSegment] = field(default_factory=dict)

    def keep(self, wanted: Callable[[CatalogFile], bool]) -> None:
        self.files = [file for file in self.files if wanted(file)]

    def about(self, words: Sequence[str]) -> None:
        """Keep the files named so; where none is, those whose text says it."""
        named: set[int] = set()
        for word in words:
            terms = analyse_query(word)
            if terms:
                named |= self.store.files_named(terms) | _in_folders(self.files, terms)
        if any(file.id in named for file in self.files):
            self.keep(lambda file: file.id in named)
        else:
            self.mentioning([(word,) for word in words])

    def mentioning(self, mentions: Iterable[Mention]) -> None:
        """Keep the files whose text has one of the alternatives."""
        found: dict[int, StoredSegment] = {}
        for mention in mentions:
            each = [self.store.passages_having(analyse_query(part)) for part in mention]
            for document, passage in each[0].items():
                if all(document in others for others in each[1:]):
                    found.setdefault(document, passage)
        self.keep(lambda file: file.document_id in found)
        self.passages |= found


def select(store: CatalogStore, query: CatalogQuery, condition: Filter | None) -> list[Found]:
    """Return the files that a query means, in the order in which they are told.

    A list is by path, one that is about dates the newest first.

    Raises:
        ValueError: a stored value and the condition's are of different types.
    """
    left = _Narrowing(store, store.catalog(condition))
    kinds = kinds_of(query.kind)
    if query.kind:
        left.keep(lambda file: (file.kind or kind_by_name(file.path)) in kinds)
    if query.unread:
        left.keep(lambda file: file.status in _UNREAD)
    if query.folder:
        _keep_folder(left, query.folder)
    if query.author:
        left.keep(lambda file: _is_by(file, query.author))
    if query.nouns:
        left.about(query.nouns)
    if query.topic:
        left.about([query.topic])
    if query.mentions:
        left.mentioning(query.mentions)
    return _ordered(left, query)


def _ordered(left: _Narrowing, query: CatalogQuery) -> list[Found]:
    found = [
        Found(file, days_of(file, query.meaning), left.passages.get(file.document_id or 0))
        for file in left.files
    ]
    wanted = query.dates
    if wanted is not None:
        found = [one for one in found if one.days is not None and wanted.covers(one.days)]
    found.sort(key=lambda one: one.file.path)
    if wanted is not None or query.is_ordered:
        newest_first = query.action is not CatalogAction.OLDEST
        found = [one for one in found if one.days is not None]
        found.sort(key=_newest if newest_first else _oldest, reverse=newest_first)
    return found[: query.most] if query.is_ordered else found


def _newest(found: Found) -> str:
    return str(found.days.last if found.days else "")


def _oldest(found: Found) -> str:
    return str(found.days.first if found.days else "")


def _keep_folder(left: _Narrowing, folder: str) -> None:
    """Keep what lies in a folder of this name, however deep, or else of one that holds it."""
    wanted = folder.casefold().strip("/\\")
    parts = {file.id: _folders(file) for file in left.files}
    exact = {number for number, names in parts.items() if wanted in names}
    if not exact:
        exact = {number for number, names in parts.items() if wanted in "/".join(names)}
    left.keep(lambda file: file.id in exact)


def _folders(file: CatalogFile) -> tuple[str, ...]:
    return tuple(part.casefold() for part in PurePath(file.path).parent.parts)


def _in_folders(files: Iterable[CatalogFile], terms: Sequence[str]) -> set[int]:
    """Return the files in a folder whose name has all of the terms."""
    wanted = frozenset(terms)
    known: dict[str, bool] = {}
    found: set[int] = set()
    for file in files:
        folder = str(PurePath(file.path).parent)
        if folder not in known:
            parts = PurePath(folder).parts
            known[folder] = any(wanted <= frozenset(analyse(part)) for part in parts)
        if known[folder]:
            found.add(file.id)
    return found


def _is_by(file: CatalogFile, author: str) -> bool:
    """Whether an author's name holds the words asked for, in whatever order."""
    stated = " ".join(str(file.metadata.get(key, "")) for key in _AUTHORS).casefold()
    wanted = author.casefold()
    return wanted in stated or frozenset(analyse(wanted)) <= frozenset(analyse(stated))
