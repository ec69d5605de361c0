"""Looks at the disk and at the store for the same part of a source."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.changes import SourceScan
from desktop_rag.ingestion.listing import Listing, folder_of, join
from desktop_rag.ingestion.scan import SourceScanner

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore

_MANY_PATHS = 200
"""From so many paths on, all records of a source are read at once, not one by one."""

Paths = Mapping[str, bool]
"""Relative paths to look at; True where a folder is meant, or was."""

EVERYTHING: Paths = {"": True}


@dataclass(frozen=True, slots=True)
class Listed:
    """What was found of a source on the disk; ``listings`` is None if its root is gone."""

    source: Source
    paths: Paths
    listings: tuple[Listing, ...] | None


class Surveyor:
    """Makes listings and puts the store's records beside them.

    Args:
        store: what is known.
        data_dir: the program's own folder, never entered.
    """

    def __init__(self, store: KnowledgeStore, data_dir: Path) -> None:
        self._store = store
        self._data_dir = data_dir
        self._mounts: dict[int, str] = {}

    def look(self, source: Source, paths: Paths, cancel: CancelToken) -> Listed:
        """Look at the disk.

        Raises:
            Cancelled: the token was set.
        """
        scanner = SourceScanner(source, (self._data_dir,))
        if not scanner.available():
            return Listed(source, paths, None)
        outermost = _outermost(paths)
        listings = tuple(scanner.scan(path, cancel) for path in outermost)
        # The root is asked for again: a drive may have gone in the middle of the listing.
        if not scanner.available() or self._unmounted(source, listings):
            return Listed(source, outermost, None)
        return Listed(source, outermost, listings)

    def compare(self, listed: Listed) -> list[SourceScan]:
        """Put the store's records beside each listing."""
        listings = listed.listings or ()
        if len(listings) > _MANY_PATHS or any(listed.paths.values()):
            by_place = _by_place(self._store.files_on_disk(listed.source.id), listed.paths)
        else:
            by_place = {path: self._record_at(listed.source, path) for path in listed.paths}
        return [SourceScan(listed.source, each, by_place[each.within]) for each in listings]

    def _record_at(self, source: Source, relpath: str) -> list[FileRecord]:
        record = self._store.file_by_path(join(source.path, relpath))
        if record is None or record.source_id != source.id or record.container_id is not None:
            return []
        return [record]

    def _unmounted(self, source: Source, listings: Iterable[Listing]) -> bool:
        """Whether the root is but the empty place where another file system was mounted."""
        mount = _mount_point(folder_of(source))
        name = f"mount of source {source.id}"
        known = self._mounts.get(source.id) or self._store.note(name)
        empty = not any(
            listing.files or listing.remote or listing.folders > 1 for listing in listings
        )
        if known not in (None, mount) and empty:
            return True
        self._mounts[source.id] = mount
        if known != mount:
            self._store.set_note(name, mount)
        return False


def _mount_point(folder: str) -> str:
    """Return where the file system that holds a folder is mounted, ASCII alone."""
    path = os.path.realpath(folder)
    while not os.path.ismount(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return ascii(path)


def _outermost(paths: Paths) -> dict[str, bool]:
    """Drop paths that lie within others of them."""
    kept: dict[str, bool] = {}
    for path in sorted(paths):
        parts = path.split("/")
        above = ("/".join(parts[:depth]) for depth in range(len(parts)))
        if path == "" or not any(folder in kept for folder in above):
            kept[path] = paths[path]
    return kept


def _by_place(records: Iterable[FileRecord], paths: Paths) -> Mapping[str, list[FileRecord]]:
    """Sort records under the one of ``paths`` that they are at or below."""
    by_place: defaultdict[str, list[FileRecord]] = defaultdict(list)
    for record in records:
        parts = record.relpath.split("/")
        for depth in range(len(parts) + 1):
            place = "/".join(parts[:depth])
            if place in paths:
                by_place[place].append(record)
                break
    return by_place
