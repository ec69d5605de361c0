"""What a question can be narrowed down to, as far as the library has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rag.domain.files import FileStatus
from desktop_rag.gui.library.feed import LibraryFeed
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.scope.chips import (
    AFTER,
    AUTHOR,
    BEFORE,
    COLLECTION,
    FILE,
    FOLDER,
    TYPE,
    Chip,
)
from desktop_rag.gui.words import file_name

if TYPE_CHECKING:
    from desktop_rag.services.collecting import CollectionChange
    from desktop_rag.services.services import Services

_MOST_OF_A_KIND = 6
_MOST_FOUND = 40


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """A named group of what was added; ``sources`` are paths."""

    name: str
    description: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Names:
    """Names in lower case with paths, of files and of folders within sources."""

    files: list[tuple[str, str]]
    folders: list[tuple[str, str]]


class Offers(QObject):
    """``changed`` says that there are other collections or authors."""

    changed = Signal()

    def __init__(
        self, feed: LibraryFeed, operations: Operations, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.feed = feed
        self.collections: list[CollectionInfo] = []
        self.authors: list[str] = []
        self._operations = operations
        self._services: Services | None = None
        self._known: _Names | None = None
        feed.reset.connect(self._forget_names)

    def open(self, services: Services) -> None:
        """Begin to offer what these have."""
        self._services = services
        self.refresh()

    def close(self) -> None:
        """Look nothing up any more."""
        self._services = None

    def refresh(self) -> None:
        """Look up the collections and authors."""
        self._then_listed(lambda _: None)

    def change_collection(self, name: str, change: CollectionChange) -> None:
        """Make, change or delete a collection; failures are told to the user."""

        def work(services: Services) -> None:
            from desktop_rag.services.collecting import change_collection

            change_collection(services, name, change)

        self._then_listed(work)

    def _then_listed(self, work: Callable[[Services], None]) -> None:
        services = self._services
        if services is None:
            return

        def run(_operation: object) -> tuple[list[CollectionInfo], list[str]]:
            work(services)
            store = services.store
            paths = {source.id: source.path for source in store.sources()}
            collections = [
                CollectionInfo(
                    one.name,
                    one.description,
                    tuple(paths[each] for each in one.source_ids if each in paths),
                )
                for one in store.collections()
            ]
            return collections, store.authors()

        self._operations.run(self, run, self._show)

    def _show(self, found: tuple[list[CollectionInfo], list[str]]) -> None:
        self.collections, self.authors = found
        self.changed.emit()

    def offered(self, words: str) -> list[tuple[str, list[Chip]]]:
        """Return groups of chips that fit the words typed, each with its kind first."""
        wanted = words.casefold().split()
        most = _MOST_FOUND if wanted else _MOST_OF_A_KIND
        groups: list[tuple[str, list[Chip]]] = []
        for name, chips in self._groups(wanted):
            fitting: list[Chip] = []
            for chip in chips:
                if _fits(chip, wanted):
                    fitting.append(chip)
                    if len(fitting) == most:
                        break
            if fitting:
                groups.append((name, fitting))
        return groups

    def _groups(self, wanted: list[str]) -> Iterator[tuple[str, Iterator[Chip]]]:
        yield "collections", (Chip(COLLECTION, one.name) for one in self.collections)
        yield "folders", self._folders(wanted)
        yield "kinds", (Chip(TYPE, kind) for kind in self._kinds())
        yield "dates", _dates(date.today())
        yield "authors", (Chip(AUTHOR, author) for author in self.authors)
        if wanted:
            yield "files", self._files(wanted)

    def _files(self, wanted: list[str]) -> Iterator[Chip]:
        for name, path in self._names().files:
            if all(word in name for word in wanted):
                yield Chip(FILE, path)

    def _folders(self, wanted: list[str]) -> Iterator[Chip]:
        yield from (Chip(FOLDER, one.path) for one in self.feed.sources if one.is_folder)
        for name, path in self._names().folders if wanted else ():
            if all(word in name for word in wanted):
                yield Chip(FOLDER, path)

    def _names(self) -> _Names:
        """Return all names in lower case; made once until the list of files is another."""
        if self._known is None:
            self._known = _names_of(self.feed)
        return self._known

    def _forget_names(self) -> None:
        self._known = None

    def _kinds(self) -> list[str]:
        counts: dict[str, int] = {}
        for record in self.feed.records.values():
            if record.kind:
                counts[record.kind] = counts.get(record.kind, 0) + 1
        return sorted(counts, key=lambda kind: (-counts[kind], kind))


def _names_of(feed: LibraryFeed) -> _Names:
    sources = {source.path for source in feed.sources}
    files: list[tuple[str, str]] = []
    folders: set[str] = set()
    for record in feed.records.values():
        if record.status is not FileStatus.IGNORED:
            folder, _, name = record.path.replace("\\", "/").rpartition("/")
            files.append((name.casefold(), record.path))
            folders.add(record.path[: len(folder)])
    inner = sorted(folders - sources)
    return _Names(files, [(path.rpartition("/")[2].casefold(), path) for path in inner])


def _dates(today: date) -> Iterator[Chip]:
    month = today.replace(day=1)
    for months in (0, 3):
        back = month.year * 12 + month.month - 1 - months
        yield Chip(AFTER, f"{back // 12}-{back % 12 + 1:02}")
    yield Chip(AFTER, str(today.year))
    yield Chip(AFTER, str(today.year - 1))
    yield Chip(BEFORE, str(today.year))


def _fits(chip: Chip, wanted: list[str]) -> bool:
    if not wanted:
        return True
    shown = chip.value if chip.kind in (COLLECTION, AUTHOR) else ""
    name = shown or (file_name(chip.value) if chip.kind in (FILE, FOLDER) else chip.label)
    folded = name.casefold()
    return all(word in folded for word in wanted)
