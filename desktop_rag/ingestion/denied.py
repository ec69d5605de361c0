"""Folders that the system does not let this program see, told in words."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

from desktop_rag.domain.files import Source
from desktop_rag.ingestion.listing import Listing, is_within, join

_MOST_NAMED = 3


def remedy(platform: str = sys.platform) -> str:
    """Return what the user can do, where that is in the system's own settings."""
    if platform == "darwin":
        return (
            "Allow Desktop RAG to see it in System Settings › Privacy & Security › Files and "
            "Folders, or change its permissions."
        )
    return "Change its permissions, so that you may read it."


class DeniedFolders:
    """Remembers what the last look at each part of a source could not open."""

    def __init__(self) -> None:
        self._by_source: dict[int, tuple[Source, frozenset[str]]] = {}

    def looked(self, source: Source, listings: Iterable[Listing]) -> None:
        """Replace what is known of the parts that were looked at."""
        _, denied = self._by_source.get(source.id, (source, frozenset[str]()))
        for listing in listings:
            kept = {path for path in denied if not is_within(path, listing.within)}
            denied = frozenset({*kept, *listing.unreadable})
        self._by_source = {**self._by_source, source.id: (source, denied)}

    def keep(self, source_ids: Collection[int]) -> None:
        """Forget all sources but these."""
        self._by_source = {i: known for i, known in self._by_source.items() if i in source_ids}

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user; the first few by name."""
        paths = [
            join(source.path, relpath)
            for source, denied in self._by_source.values()
            for relpath in sorted(denied)
        ]
        named = [
            f"“{path}” cannot be opened, so what is in it is not read. {remedy()}"
            for path in paths[:_MOST_NAMED]
        ]
        more = len(paths) - _MOST_NAMED
        rest = [f"Other folders and files that cannot be opened: {more:,}."] if more > 0 else []
        return (*named, *rest)
