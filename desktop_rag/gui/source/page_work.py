"""What the pages of one document need from the viewer: pictures, sizes, words, places."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Signal
from PySide6.QtGui import QImage

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui import desktop
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.source.find_bar import FindBar
from desktop_rag.gui.source.locating import (
    Boxes,
    Located,
    PageMatches,
    find_on_pages,
    locate_hit,
    words_on_page,
)
from desktop_rag.gui.source.opening import Hit, Opened
from desktop_rag.gui.source.page_pictures import PagePicture, Wanted
from desktop_rag.gui.source.page_view import PageView

if TYPE_CHECKING:
    from desktop_rag.ingestion.rendering import Rectangle, RenderedPage
    from desktop_rag.services.library import Library


class PageWork(QObject):
    """Asks in the pool for what the pages show. ``failed`` says why a page can't be drawn."""

    failed = Signal(object)

    def __init__(self, operations: Operations, find_bar: FindBar, parent: QObject) -> None:
        super().__init__(parent)
        self._operations = operations
        self._bar = find_bar
        self._library: Library | None = None
        self._source: Opened | None = None
        self._running: list[Operation] = []
        self._finding: Operation | None = None
        self._words = ""
        self._places: list[tuple[int, Boxes]] = []
        self._at = -1
        self.pages = PageView(self._draw)
        self.pages.drawn.connect(self._fetch_words)

    def begin(self, library: Library, source: Opened) -> None:
        """Work for another document from now on."""
        self.stop()
        self._library, self._source = library, source
        self._words, self._places, self._at = "", [], -1
        path = source.path
        self._run(
            lambda _: [QSizeF(*each) for each in library.viewer.page_sizes(path, 1)],
            lambda sizes: self.pages.set_sizes(1, sizes),
            self._quietly,
        )

    def stop(self) -> None:
        """Let go of the document; nothing of it arrives any more."""
        for operation in (*self._running, self._finding):
            if operation is not None:
                operation.cancel()
        self._running, self._finding, self._library = [], None, None

    def locate(self, hit: Hit) -> None:
        """Mark a passage's own words in place of its lines, once they are found."""
        library, source = self._library, self._source
        if library is not None and source is not None:
            self._run(lambda _: locate_hit(library, source.path, hit), self._mark, self._quietly)

    def _mark(self, located: Located) -> None:
        if located.boxes:
            self.pages.mark(located.page, located.boxes)

    def find(self, words: str, backwards: bool, onward: bool) -> None:
        """Go to the next place of some words, from the page that is shown on."""
        if words == self._words and self._places:
            self._step(-1 if backwards else 1 if onward else 0)
            return
        library, source = self._library, self._source
        if library is None or source is None:
            return
        if self._finding is not None:
            self._finding.cancel()
        self._words, self._places, self._at = words, [], -1
        self.pages.all_found = {}
        order = self.pages.order(backwards)
        self._finding = self._operations.run(
            self,
            lambda operation: find_on_pages(library, source.path, words, order, operation),
            self._found_all,
            self._quietly,
            self._found,
        )

    def _found(self, matches: PageMatches) -> None:
        current = self._places[self._at] if self._at >= 0 else None
        self._places += [(matches.page, boxes) for boxes in matches.places]
        self._places.sort(key=lambda place: place[0])
        self.pages.all_found[matches.page] = [box for boxes in matches.places for box in boxes]
        if current is None:
            self._at = self._places.index((matches.page, matches.places[0]))
            self._show()
        else:
            self._at = self._places.index(current)
        self.pages.viewport().update()

    def _found_all(self, count: int) -> None:
        self._finding = None
        self._bar.show_found(count > 0, self._at + 1, count)

    def _step(self, by: int) -> None:
        self._at = (self._at + by) % len(self._places)
        self._show()

    def _show(self) -> None:
        page, boxes = self._places[self._at]
        self.pages.show_found(page, boxes)
        number = 0 if self._finding is not None else self._at + 1
        self._bar.show_found(True, number, len(self._places))

    def _draw(self, wanted: Wanted, done: Callable[[PagePicture], None]) -> None:
        library, source = self._library, self._source
        if library is None or source is None:
            return
        clip = _corners(wanted.clip)

        def work(_operation: Operation) -> PagePicture:
            scale = wanted.scale
            return picture_of(library.viewer.render_page(source.path, wanted.page, scale, clip))

        self._run(work, done, self._could_not_draw)

    def _could_not_draw(self, error: Exception) -> None:
        if isinstance(error, OSError) and self._source is not None:
            error = desktop.gone(self._source.path)
        if isinstance(error, KnownError):
            self.failed.emit(error)
        else:
            self._operations.report(error)

    def _fetch_words(self, page: int) -> None:
        library, source = self._library, self._source
        if library is None or source is None or page in self.pages.selection.words:
            return
        document = source.document
        if document is None:
            return

        def take(found: tuple) -> None:  # type: ignore[type-arg]
            words, recognised = found
            self.pages.set_words(page, words)
            self.pages.recognised[page] = list(recognised)
            self.pages.viewport().update()

        self._run(
            lambda _: words_on_page(library, source.path, document, page), take, self._quietly
        )

    def _run(
        self,
        work: Callable[[Operation], object],
        done: Callable[..., None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._running = [each for each in self._running if each.pending]
        self._running.append(self._operations.run(self, work, done, failed))

    def _quietly(self, error: Exception) -> None:
        """A page that has no words to find or select is still a page; bugs are told."""
        if not isinstance(error, (KnownError, OSError)):
            self._operations.report(error)


def _corners(clip: QRectF | None) -> Rectangle | None:
    return None if clip is None else (clip.left(), clip.top(), clip.right(), clip.bottom())


def picture_of(drawn: RenderedPage) -> PagePicture:
    """Return what the viewer drew as a picture of Qt's own."""
    form = QImage.Format.Format_RGB888
    image = QImage(drawn.rgb, drawn.width, drawn.height, drawn.stride, form).copy()
    size = QSizeF(drawn.page_width_pt, drawn.page_height_pt)
    return PagePicture(image, size, QPointF(drawn.x_pt, drawn.y_pt), drawn.scale)
