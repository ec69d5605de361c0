"""The source pane: a document beside the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSizeF, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.labels import named
from desktop_rag.gui.library.feed import LibraryFeed
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.source.find_bar import FindBar
from desktop_rag.gui.source.footer import footer_line
from desktop_rag.gui.source.header import SourceHeader
from desktop_rag.gui.source.locating import Located, locate_hit, next_on_pages
from desktop_rag.gui.source.notice import SourceNotice
from desktop_rag.gui.source.opening import Opened, Opening, look_up
from desktop_rag.gui.source.page_view import PagePicture, PageView
from desktop_rag.gui.source.text_view import TextView
from desktop_rag.gui.strings import language_changed
from desktop_rag.gui.words import file_name, readable

if TYPE_CHECKING:
    from desktop_rag.foundation.cancellation import CancelToken
    from desktop_rag.services.library import Library


class SourcePane(QFrame):
    """Hidden until something is opened. ``closed`` asks to hide it again."""

    opened = Signal()
    closed = Signal()
    open_outside = Signal(str)

    def __init__(
        self, feed: LibraryFeed, operations: Operations, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self._feed = feed
        self._operations = operations
        self._library: Library | None = None
        self._opening: Operation | None = None
        self._rendering: Operation | None = None
        self._locating: Operation | None = None
        self._source: Opened | None = None
        self._hit = 0
        self.header = SourceHeader()
        self.pages = PageView(self._request_page)
        self.text = TextView()
        self.notice = SourceNotice()
        self.find_bar = FindBar()
        self.footer = named(QLabel(wordWrap=True), "soft")
        self.views = QStackedWidget()
        for view in (self.pages, self.text, self.notice):
            self.views.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 12)
        layout.setSpacing(8)
        layout.addWidget(self.header)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.views, 1)
        layout.addWidget(self.footer)
        self._connect()

    def _connect(self) -> None:
        header = self.header
        header.hit_wanted.connect(lambda by: self.show_hit(self._hit + by))
        header.page_wanted.connect(self.pages.turn)
        header.zoom_wanted.connect(self.pages.zoom)
        header.open_wanted.connect(self._open_outside)
        header.close_wanted.connect(self.closed)
        self.find_bar.wanted.connect(self._find)
        self.find_bar.left.connect(self._focus_document)
        self.pages.page_changed.connect(lambda page: header.show_pages(page, self.pages.pages))
        self.pages.zoom_changed.connect(header.show_zoom)
        language_changed.connect(self.retranslate)

    @property
    def current_view(self) -> QWidget:
        """What shows the document: pages, text, or a notice."""
        return self.views.currentWidget() or self.notice

    def start(self, library: Library) -> None:
        """Begin to show documents of a library."""
        self._library = library

    def close_library(self) -> None:
        """Ask the library nothing more."""
        self._library = None

    def show_opening(self, opening: Opening) -> None:
        """Fetch a document and show it at its passage."""
        library = self._library
        if library is None:
            return
        for operation in (self._opening, self._rendering, self._locating):
            if operation is not None:
                operation.cancel()
        records = list(self._feed.records.values())
        self._opening = self._operations.run(
            self, lambda operation: look_up(library, records, opening, operation), self._show
        )

    def show_hit(self, index: int) -> None:
        """Show one of the passages."""
        source = self._source
        if source is None or not 0 <= index < len(source.opening.hits):
            return
        self._hit = index
        hit = source.opening.hits[index]
        self.header.show_hits(index, len(source.opening.hits))
        if self.views.currentWidget() is self.pages:
            self.pages.show_page(hit.page or 1, hit.lines)
            path = source.path
            self._locate(lambda library, _: locate_hit(library, path, hit), self._mark_hit)
        elif self.views.currentWidget() is self.text:
            self.text.mark(hit.start, hit.end)

    def step_hit(self, by: int) -> None:
        """Go to the next or the previous passage."""
        self.show_hit(self._hit + by)

    def begin_find(self) -> None:
        """Offer to search in the document, where that is possible."""
        if self.current_view is not self.notice:
            self.find_bar.begin()

    def _focus_document(self) -> None:
        self.current_view.setFocus()

    def _find(self, words: str, backwards: bool, onward: bool) -> None:
        if self.current_view is self.text:
            self.find_bar.show_found(self.text.find_words(words, backwards, onward))
        elif self.current_view is self.pages and self._source is not None:
            path, order = self._source.path, self.pages.order(backwards, onward)
            self._locate(
                lambda library, token: next_on_pages(library, path, words, order, token),
                self._mark_found,
            )

    def _locate(
        self,
        work: Callable[[Library, CancelToken], Located | None],
        done: Callable[[Located | None], None],
    ) -> None:
        library = self._library
        if self._locating is not None:
            self._locating.cancel()
        if library is not None:
            self._locating = self._operations.run(
                self, lambda operation: work(library, operation.token), done, self._not_located
            )

    def _not_located(self, error: Exception) -> None:
        if not isinstance(error, KnownError):
            self._operations.report(error)

    def _mark_hit(self, located: Located | None) -> None:
        if located is not None and located.boxes:
            self.pages.mark(located.page, located.boxes)

    def _mark_found(self, located: Located | None) -> None:
        self.find_bar.show_found(located is not None)
        if located is not None:
            self.pages.mark(located.page, located.boxes, scroll=True)

    def retranslate(self) -> None:
        """Say everything again, in the theme's colours."""
        self.text.repaint_mark()
        if self._source is not None:
            self._show_footer(self._source)
            self._show_notice(self._source)

    def _show(self, source: Opened) -> None:
        self._source = source
        self.find_bar.hide()
        self.header.name.setText(file_name(source.path))
        self.header.name.setToolTip(readable(source.path))
        self.header.show_hits(0, 0)
        self.header.show_pages(0, 0)
        self.header.open.setEnabled(source.record is not None)
        document = source.document
        if document is None:
            self._show_notice(source)
            self.views.setCurrentWidget(self.notice)
        elif document.kind in ("pdf", "image") and document.pages:
            self.views.setCurrentWidget(self.pages)
            self.pages.show_document(document.pages)
            if not source.opening.hits:
                self.pages.show_page(1)
        else:
            self.views.setCurrentWidget(self.text)
            self.text.show_text(document.text, document.kind == "markdown")
        self._show_footer(source)
        self.show_hit(source.opening.index)
        self.opened.emit()

    def _show_footer(self, source: Opened) -> None:
        part = self.current_view is self.text and self.text.is_part
        self.footer.setText(footer_line(source, part))

    def _show_notice(self, source: Opened) -> None:
        if source.document is None:
            self.notice.show_source(source)

    def _request_page(self, page: int, scale: float, done: Callable[[PagePicture], None]) -> None:
        library, source = self._library, self._source
        if library is None or source is None:
            return
        if self._rendering is not None:
            self._rendering.cancel()
        path = source.path

        def work(_operation: Operation) -> PagePicture:
            drawn = library.render_page(path, page, scale)
            image = QImage(
                drawn.rgb, drawn.width, drawn.height, drawn.stride, QImage.Format.Format_RGB888
            )
            return PagePicture(image.copy(), QSizeF(drawn.page_width_pt, drawn.page_height_pt))

        self._rendering = self._operations.run(self, work, done, self._could_not_draw)

    def _could_not_draw(self, error: Exception) -> None:
        if not isinstance(error, KnownError):
            self._operations.report(error)
            return
        if self._source is not None:
            self.notice.show_error(error, self._source.opening.hits)
            self.views.setCurrentWidget(self.notice)
            self.header.show_pages(0, 0)

    def _open_outside(self) -> None:
        if self._source is not None:
            self.open_outside.emit(self._source.path)
