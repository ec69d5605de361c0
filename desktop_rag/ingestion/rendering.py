"""Pictures of pages, and where words stand on them, from the viewer's child process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.domain.document import LineBox
from desktop_rag.foundation.errors import KnownError, explain_os_error
from desktop_rag.ingestion.child import Child, ChildEnded
from desktop_rag.ingestion.warm_child import WarmChild

_SECONDS = 20.0
"""One page; the window shows that it could not be drawn rather than wait longer."""

_MEMORY_MB = 1500


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as a picture: RGB, 8 bits each, ``stride`` bytes a row.

    ``width``/``height`` are pixels, ``page_width_pt``/``page_height_pt`` PDF points, so
    that ``width / page_width_pt`` scales boxes to the picture. ``pages`` counts all.
    """

    width: int
    height: int
    stride: int
    rgb: bytes
    page_width_pt: float
    page_height_pt: float
    pages: int


@dataclass(frozen=True, slots=True)
class WordBox:
    """A rectangle on a page in PDF points, origin at the top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class PageRenderer:
    """Draws pages in a child process of its own; thread-safe, one request at a time."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._asking = threading.Lock()
        self._warm = WarmChild("view", lambda: ("--memory-mb", str(_MEMORY_MB)), command)

    def render(self, path: Path, page: int, zoom: float) -> RenderedPage:
        """Draw a page (1-based); ``zoom`` is pixels per point.

        A picture that would be larger than the viewer's limit is drawn at less.

        Raises:
            KnownError: the file or the page cannot be drawn.
            OSError: the file is gone.
            ValueError: ``page`` or ``zoom`` is out of its range.
        """
        if page < 1 or not 0 < zoom <= 64:
            raise ValueError("page must be at least 1, and zoom above 0 and at most 64")
        request = {"path": os.fsencode(path), "page": page, "zoom": zoom}
        payload, pixels = self._ask("render", request, path)
        return RenderedPage(rgb=pixels, **payload)

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
        payload, _ = self._ask("find", request, path)
        return tuple(WordBox(page, *box) for box in payload["boxes"])

    def close(self) -> None:
        """End the child at once; a request in another thread raises."""
        self._warm.close()

    def _ask(self, kind: str, request: Any, path: Path) -> tuple[dict[str, Any], bytes]:  # noqa: ANN401
        with self._asking:
            child = self._warm.send([(kind, request)])
            try:
                return self._answer(child, path)
            except ChildEnded as ended:
                self._warm.drop(child)
                if self._warm.closed or not ended.started:
                    raise RuntimeError("the viewer's process is not running") from ended
                raise _not_drawn(path) from ended

    def _answer(self, child: Child, path: Path) -> tuple[dict[str, Any], bytes]:
        deadline = time.monotonic() + _SECONDS
        pixels: list[bytes] = []
        while time.monotonic() < deadline:
            frame = child.receive(deadline - time.monotonic())
            if frame is None:
                continue
            kind, payload = frame
            if kind == "pixels":
                pixels.append(payload)
            elif kind == "done":
                return payload, b"".join(pixels)
            elif kind == "problem":
                raise KnownError(payload["title"], payload["message"], str(path))
            elif kind == "oserror":
                failure = OSError(payload["errno"], payload["message"], str(path))
                raise explain_os_error(failure) or failure
            else:
                raise _not_drawn(path)
        self._warm.drop(child)
        raise _not_drawn(path)


def _not_drawn(path: Path) -> KnownError:
    return KnownError(
        "Cannot be shown",
        f"This page of “{path.name}” cannot be drawn. Open the file in its own program.",
        str(path),
    )
