"""Finding words on the pages of a PDF, in the viewer's process. All of it runs in the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from desktop_rag.gui.operations import Operation
from desktop_rag.gui.source.opening import Hit
from desktop_rag.gui.source.page_selection import Word

if TYPE_CHECKING:
    from desktop_rag.domain.document import LineBox
    from desktop_rag.ingestion.rendering import WordBox
    from desktop_rag.services.library import Library
    from desktop_rag.store.records import StoredDocument

Boxes = tuple[QRectF, ...]


@dataclass(frozen=True, slots=True)
class Located:
    """Words on a page (1-based): one rectangle a line, in PDF points."""

    page: int
    boxes: Boxes


@dataclass(frozen=True, slots=True)
class PageMatches:
    """Every place of some words on one page."""

    page: int
    places: tuple[Boxes, ...]


def locate_hit(library: Library, path: str, hit: Hit) -> Located:
    """Return the rectangles of a passage's own words, which its lines are wider than."""
    page = hit.page or 1
    return Located(page, _boxes(library.viewer.find_words(path, page, hit.quote, hit.lines)))


def find_on_pages(
    library: Library, path: str, words: str, pages: Sequence[int], operation: Operation
) -> int:
    """Tell the places of some words page by page; return how many there are in all.

    Raises:
        Cancelled: the operation was cancelled.
        KnownError: a page cannot be read.
    """
    count = 0
    for page in pages:
        operation.token.check()
        found = library.viewer.find_all(path, page, words)
        if found:
            count += len(found)
            operation.tell(PageMatches(page, tuple(_boxes(place) for place in found)))
    return count


def words_on_page(
    library: Library, path: str, document: StoredDocument, page: int
) -> tuple[tuple[Word, ...], tuple[QRectF, ...]]:
    """Return the words of a page, and the boxes of the lines that OCR read on it, if it did."""
    words = library.viewer.page_words(path, page)
    if words:
        return tuple(
            Word(w.text, QRectF(w.x0, w.y0, w.x1 - w.x0, w.y1 - w.y0), w.line) for w in words
        ), ()
    lines = library.viewer.recognised_lines(document.id, page)
    read = [word for n, line in enumerate(lines) for word in _words_of(line, document.text, n)]
    return tuple(read), tuple(_box(line) for line in lines)


def _words_of(line: LineBox, text: str, number: int) -> list[Word]:
    """Return a recognised line's words, each with its share of the line's box."""
    words: list[Word] = []
    length = max(1, line.end - line.start)
    at = line.start
    for word in text[line.start : line.end].split():
        at = text.index(word, at)
        left = line.x0 + (line.x1 - line.x0) * (at - line.start) / length
        width = (line.x1 - line.x0) * len(word) / length
        words.append(Word(word, QRectF(left, line.y0, width, line.y1 - line.y0), number))
        at += len(word)
    return words


def _boxes(found: Sequence[WordBox]) -> Boxes:
    return tuple(_box(box) for box in found)


def _box(box: WordBox | LineBox) -> QRectF:
    return QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
