"""Looking into a file of the library: its pages, the words on them, how its text is set."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import file_at
from desktop_rag.ingestion.changes import NOT_HERE
from desktop_rag.ingestion.entries import is_in_the_cloud

if TYPE_CHECKING:
    from desktop_rag.domain.document import LineBox
    from desktop_rag.domain.structure import Structure
    from desktop_rag.ingestion.reading import PageRenderer, RenderedPage
    from desktop_rag.ingestion.rendering import PageWord, Rectangle, WordBox
    from desktop_rag.store.knowledge_store import KnowledgeStore

StrPath = str | os.PathLike[str]


class DocumentViewer:
    """Asks the viewer's processes; every method waits for them, and may be called anywhere.

    All that take a path raise ``KnownError`` when the file or the page cannot be read.
    """

    def __init__(self, store: KnowledgeStore, renderer: PageRenderer) -> None:
        self._store = store
        self._renderer = renderer

    def render_page(
        self, path: StrPath, page: int, zoom: float, clip: Rectangle | None = None
    ) -> RenderedPage:
        """Draw a page (from 1) of a file at ``zoom`` pixels a point, or its part in ``clip``."""
        here = _here(path)
        return self._renderer.render(here, page, zoom, clip)

    def find_words(
        self, path: StrPath, page: int, text: str, lines: Sequence[LineBox] = ()
    ) -> tuple[WordBox, ...]:
        """Return the rectangles of a quote on a page, one a line; () when it is not there."""
        here = _here(path)
        return self._renderer.find_words(here, page, text, lines)

    def find_all(self, path: StrPath, page: int, text: str) -> tuple[tuple[WordBox, ...], ...]:
        """Return every place of some words on a page, each one rectangle a line."""
        here = _here(path)
        return self._renderer.find_all(here, page, text)

    def page_words(self, path: StrPath, page: int) -> tuple[PageWord, ...]:
        """Return all words of a page in reading order; none for a picture of text."""
        here = _here(path)
        return self._renderer.words(here, page)

    def page_sizes(self, path: StrPath, first: int) -> tuple[tuple[float, float], ...]:
        """Return the sizes of pages in points, from ``first`` on, 500 at most."""
        here = _here(path)
        return self._renderer.sizes(here, first)

    def structure(self, path: StrPath) -> Structure:
        """Return how a document of text is set, as it is on the disk now."""
        here = _here(path)
        return self._renderer.structure(here)

    def recognised_lines(self, document_id: int, page: int) -> tuple[LineBox, ...]:
        """Return the lines of a page that are stored, in reading order: those of OCR too."""
        found = {
            line
            for stored in self._store.segments_of_document(document_id)
            for line in (stored.segment.place.lines if stored.segment.place else ())
            if line.page == page
        }
        return tuple(sorted(found, key=lambda line: (line.start, line.end)))


def _here(path: StrPath) -> Path:
    """Refuse a file that is in the cloud alone: to look into it would fetch it."""
    if is_in_the_cloud(str(file_at(Path(path)))):
        raise KnownError(NOT_HERE.title, NOT_HERE.message, os.fspath(path))
    return Path(path)
