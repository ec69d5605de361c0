"""Finding words on the pages of a PDF, in the viewer's process. All of it runs in the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from desktop_rag.gui.source.opening import Hit

if TYPE_CHECKING:
    from desktop_rag.foundation.cancellation import CancelToken
    from desktop_rag.services.library import Library


@dataclass(frozen=True, slots=True)
class Located:
    """Words on a page (1-based): one rectangle a line, in PDF points."""

    page: int
    boxes: tuple[QRectF, ...]


def locate_hit(library: Library, path: str, hit: Hit) -> Located:
    """Return the rectangles of a passage's own words, which its lines are wider than."""
    page = hit.page or 1
    return _on_page(library, path, page, hit.quote, hit)


def next_on_pages(
    library: Library, path: str, words: str, pages: Sequence[int], token: CancelToken
) -> Located | None:
    """Return the first of ``pages`` that has the words; None if there is none.

    Raises:
        Cancelled: ``token`` was set.
        KnownError: a page cannot be read.
    """
    for page in pages:
        token.check()
        found = _on_page(library, path, page, words)
        if found.boxes:
            return found
    return None


def _on_page(library: Library, path: str, page: int, words: str, hit: Hit | None = None) -> Located:
    found = library.find_words(path, page, words, hit.lines if hit is not None else ())
    boxes = (QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0) for box in found)
    return Located(page, tuple(boxes))
