"""The service that draws pages and finds words on them."""

from __future__ import annotations

import math
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pymupdf

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame
from desktop_rag.foundation.paths import file_at
from desktop_rag.ingestion.parsers.parts import source_of
from desktop_rag.ingestion.parsers.picture_open import open_paged
from desktop_rag.ingestion.parsers.problems import damaged
from desktop_rag.worker.structure import structure_frames
from desktop_rag.worker.words import PageWords, page_words

_OPEN_DOCUMENTS = 4
_MOST_PIXELS = 24_000_000
"""72 MB of RGB: an A4 page at 700 dots per inch."""

_PIXELS_FRAME = 240 * 1024
_ITEMS_FRAME = 1_000
_MOST_SIZES = 500
"""Pages whose sizes are told at once: a few milliseconds."""


@dataclass(slots=True)
class _Open:
    document: pymupdf.Document
    stamp: tuple[int, int, int]


class ViewService:
    """Answers all that the source pane asks; keeps the last few documents open."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._last_words: tuple[tuple[int, int], PageWords] | None = None

    def answer(self, kind: str, payload: Any) -> Iterator[Frame]:  # noqa: ANN401
        """Draw a page, find or list the words on one, or tell how a document is set.

        Raises:
            KnownError: the document cannot be opened or has no such page.
            OSError: it is gone.
            ValueError: the request is unknown.
        """
        path = os.fsdecode(payload["path"])
        if kind == "structure":
            yield from structure_frames(Path(path))
            return
        page = self._page(path, payload["page"])
        if kind == "render":
            yield from _rendered(page, payload["zoom"], payload["clip"])
        elif kind == "find":
            yield "done", {"boxes": self._words(page).find(payload["text"], payload["near"])}
        elif kind == "find_all":
            yield "done", {"found": self._words(page).find_all(payload["text"])}
        elif kind == "words":
            yield from _in_frames("words", page_words(page))
        elif kind == "sizes":
            yield from _in_frames("sizes", _sizes(page.parent, payload["page"]))
        else:
            raise ValueError(f"unknown request: {kind}")

    def _words(self, page: pymupdf.Page) -> PageWords:
        """Return the words of a page; those of the last one are remembered."""
        key = (id(page.parent), page.number)
        if self._last_words is None or self._last_words[0] != key:
            self._last_words = (key, PageWords(page))
        return self._last_words[1]

    def _page(self, path: str, number: int) -> pymupdf.Page:
        name = os.path.basename(path)
        document = self._document(path, name)
        if not 1 <= number <= document.page_count:
            raise KnownError("No such page", f"“{name}” has no page {number} any more.")
        try:
            return document[number - 1]
        except Exception as error:
            raise damaged(name) from error

    def _document(self, path: str, name: str) -> pymupdf.Document:
        """Return the open document; one whose file has changed is opened again."""
        status = os.stat(file_at(path))
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        known = self._open.pop(path, None)
        if known is not None and known.stamp != stamp:
            known.document.close()
            known, self._last_words = None, None
        if known is None:
            known = _Open(open_paged(source_of(Path(path)), name), stamp)
        self._open[path] = known
        while len(self._open) > _OPEN_DOCUMENTS:
            self._open.popitem(last=False)[1].document.close()
            self._last_words = None
        return known.document


def _sizes(document: pymupdf.Document, first: int) -> Iterator[tuple[float, float]]:
    """Yield the sizes of pages in points from ``first`` (1-based) on, so many at most."""
    for number in range(first - 1, min(document.page_count, first - 1 + _MOST_SIZES)):
        box = document[number].rect
        yield box.width, box.height


def _in_frames(kind: str, items: Iterable[object]) -> Iterator[Frame]:
    remaining = iter(items)
    while batch := list(islice(remaining, _ITEMS_FRAME)):
        yield kind, batch
    yield "done", {}


def _rendered(
    page: pymupdf.Page, zoom: float, clip: tuple[float, float, float, float] | None
) -> Iterator[Frame]:
    """Draw a page or, with ``clip`` (in points), a part of it: at any scale sharp."""
    width, height = page.rect.width, page.rect.height
    area = page.rect & pymupdf.Rect(clip) if clip is not None else page.rect
    largest = math.sqrt(_MOST_PIXELS / max(1.0, area.width * area.height))
    scale = min(zoom, largest)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False, clip=area)
    if pixmap.n != 3:
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pixmap)
    samples = memoryview(pixmap.samples_mv).cast("B")
    for start in range(0, len(samples), _PIXELS_FRAME):
        yield "pixels", bytes(samples[start : start + _PIXELS_FRAME])
    yield (
        "done",
        {
            "width": pixmap.width,
            "height": pixmap.height,
            "stride": pixmap.stride,
            "page_width_pt": width,
            "page_height_pt": height,
            "pages": page.parent.page_count,
            "x_pt": pixmap.x / scale,
            "y_pt": pixmap.y / scale,
            "scale": scale,
        },
    )
