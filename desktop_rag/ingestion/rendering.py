"""Pictures of pages, and where words stand on them, from the viewer's child process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.domain.document import Block, BlockKind, LineBox
from desktop_rag.domain.structure import Look, Span, Structure
from desktop_rag.foundation.child import Child, ChildEnded
from desktop_rag.foundation.errors import KnownError, explain_os_error
from desktop_rag.foundation.frames import Frame
from desktop_rag.foundation.warm_child import WarmChild

_SECONDS = 20.0
"""One page; the window shows that it could not be drawn rather than wait longer."""

_MEMORY_MB = 1500
_PIECES = frozenset({"pixels", "words", "sizes", "blocks", "spans"})

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom, in PDF points from the page's top left."""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as a picture: RGB, 8 bits each, ``stride`` bytes a row.

    ``width``/``height`` are pixels, ``page_width_pt``/``page_height_pt`` PDF points, so
    that ``scale`` (pixels a point) scales boxes to the picture, whose upper left corner is at
    ``x_pt``/``y_pt`` of the page. ``pages`` counts all.
    """

    width: int
    height: int
    stride: int
    rgb: bytes
    page_width_pt: float
    page_height_pt: float
    pages: int
    x_pt: float = 0.0
    y_pt: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class PageWord:
    """A word of a page, its rectangle in PDF points, and the number of its line."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    line: int


@dataclass(frozen=True, slots=True)
class WordBox:
    """A rectangle on a page in PDF points, origin at the top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class PageRenderer:
    """Draws pages in a child process of its own; thread-safe, one request at a time.

    How a document is set is told by a second process: it has to be parsed for that, and no
    page should wait meanwhile.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._pages = _Asked(command)
        self._structures = _Asked(command)

    def render(
        self, path: Path, page: int, zoom: float, clip: Rectangle | None = None
    ) -> RenderedPage:
        """Draw a page (1-based), or its part in ``clip``; ``zoom`` is pixels per point.

        A picture that would be larger than the viewer's limit is drawn at less.

        Raises:
            KnownError: the file or the page cannot be drawn.
            OSError: the file is gone.
            ValueError: ``page`` or ``zoom`` is out of its range.
        """
        if page < 1 or not 0 < zoom <= 64:
            raise ValueError("page must be at least 1, and zoom above 0 and at most 64")
        request = {"path": os.fsencode(path), "page": page, "zoom": zoom, "clip": clip}
        payload, pieces = self._pages.ask("render", request, path)
        return RenderedPage(rgb=b"".join(piece for _, piece in pieces), **payload)

    def find_words(
        self, path: Path, page: int, text: str, lines: Sequence[LineBox] = ()
    ) -> tuple[WordBox, ...]:
        """Return the rectangles of a quote on a page, one a line; () when it is not there.

        Spaces, line ends, hyphens at line ends and ligatures make no difference. Where a
        page says the same twice, ``lines`` (where it was read) tells which is meant.

        Raises:
            KnownError: the file or the page cannot be read.
            OSError: the file is gone.
        """
        request = {
            "path": os.fsencode(path),
            "page": page,
            "text": text,
            "near": [(box.x0, box.y0, box.x1, box.y1) for box in lines if box.page == page],
        }
        payload, _ = self._pages.ask("find", request, path)
        return tuple(WordBox(page, *box) for box in payload["boxes"])

    def find_all(self, path: Path, page: int, text: str) -> tuple[tuple[WordBox, ...], ...]:
        """Return every place of some words on a page, each one rectangle a line.

        Raises:
            KnownError: the file or the page cannot be read.
            OSError: the file is gone.
        """
        request = {"path": os.fsencode(path), "page": page, "text": text}
        payload, _ = self._pages.ask("find_all", request, path)
        return tuple(tuple(WordBox(page, *box) for box in boxes) for boxes in payload["found"])

    def words(self, path: Path, page: int) -> tuple[PageWord, ...]:
        """Return all words of a page in reading order; raises what ``find_words`` does."""
        request = {"path": os.fsencode(path), "page": page}
        _, pieces = self._pages.ask("words", request, path)
        return tuple(PageWord(*word) for _, words in pieces for word in words)

    def sizes(self, path: Path, first: int) -> tuple[tuple[float, float], ...]:
        """Return the sizes of pages in points from ``first`` (1-based) on, 500 at most.

        Raises what ``find_words`` does.
        """
        request = {"path": os.fsencode(path), "page": first}
        _, pieces = self._pages.ask("sizes", request, path)
        return tuple((width, height) for _, sizes in pieces for width, height in sizes)

    def structure(self, path: Path) -> Structure:
        """Return how a document of text is set.

        Raises:
            KnownError: it cannot be read any more.
            OSError: it is gone.
        """
        payload, pieces = self._structures.ask("structure", {"path": os.fsencode(path)}, path)
        blocks = [_block(row) for kind, rows in pieces if kind == "blocks" for row in rows]
        spans = [row for kind, rows in pieces if kind == "spans" for row in rows]
        found = (Span(start, end, Look(look)) for start, end, look in spans)
        return Structure(payload["digest"], tuple(blocks), tuple(found))

    def close(self) -> None:
        """End the children at once; a request in another thread raises."""
        self._pages.close()
        self._structures.close()


class _Asked:
    """One process that is asked one thing at a time."""

    def __init__(self, command: Sequence[str] | None) -> None:
        self._asking = threading.Lock()
        self._warm = WarmChild("view", lambda: ("--memory-mb", str(_MEMORY_MB)), command)

    def close(self) -> None:
        """End it."""
        self._warm.close()

    def ask(self, kind: str, request: Any, path: Path) -> tuple[dict[str, Any], list[Frame]]:  # noqa: ANN401
        """Return what an answer ends with, and the frames before that."""
        with self._asking:
            child = self._warm.send([(kind, request)])
            try:
                return self._answer(child, path)
            except ChildEnded as ended:
                self._warm.drop(child)
                if self._warm.closed or not ended.started:
                    raise RuntimeError("the viewer's process is not running") from ended
                raise _not_drawn(path) from ended

    def _answer(self, child: Child, path: Path) -> tuple[dict[str, Any], list[Frame]]:
        deadline = time.monotonic() + _SECONDS
        pieces: list[Frame] = []
        while time.monotonic() < deadline:
            frame = child.receive(deadline - time.monotonic())
            if frame is None:
                continue
            kind, payload = frame
            if kind in _PIECES:
                pieces.append(frame)
            elif kind == "done":
                return payload, pieces
            elif kind == "problem":
                raise KnownError(payload["title"], payload["message"], str(path))
            elif kind == "oserror":
                failure = OSError(payload["errno"], payload["message"], str(path))
                raise explain_os_error(failure) or failure
            else:
                raise _not_drawn(path)
        self._warm.drop(child)
        raise _not_drawn(path)


def _block(row: Sequence[Any]) -> Block:
    kind, start, end, level, page, header = row
    return Block(BlockKind(kind), start, end, level, page, tuple(header) if header else None)


def _not_drawn(path: Path) -> KnownError:
    return KnownError(
        "Cannot be shown",
        f"This page of “{path.name}” cannot be drawn. Open the file in its own program.",
        str(path),
    )
