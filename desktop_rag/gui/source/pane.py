"""The source pane: a document beside the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.domain.structure import Structure
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.labels import named
from desktop_rag.gui.library.feed import LibraryFeed
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.source.attachments import AttachmentBar
from desktop_rag.gui.source.find_bar import FindBar
from desktop_rag.gui.source.footer import footer_line
from desktop_rag.gui.source.header import SourceHeader
from desktop_rag.gui.source.kinds import Manner, manner_of
from desktop_rag.gui.source.notice import SourceNotice
from desktop_rag.gui.source.opening import Opened, Opening, look_up, of_file
from desktop_rag.gui.source.page_work import PageWork
from desktop_rag.gui.source.rich_view import RichView
from desktop_rag.gui.source.sheet_view import SheetView
from desktop_rag.gui.source.text_view import TextView
from desktop_rag.gui.source.text_work import TextWork
from desktop_rag.gui.strings import language_changed

if TYPE_CHECKING:
    from desktop_rag.services.library import Library
    from desktop_rag.store.records import StoredDocument


class SourcePane(QFrame):
    """Hidden until something is opened. ``closed`` asks to hide it again.

    ``open_outside`` brings a path and the page that is shown, 0 where there is none.
    """

    opened = Signal()
    closed = Signal()
    open_outside = Signal(str, int)

    def __init__(
        self, feed: LibraryFeed, operations: Operations, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self._feed = feed
        self._operations = operations
        self._library: Library | None = None
        self._opening: Operation | None = None
        self._source: Opened | None = None
        self._hit = 0
        self.header = SourceHeader()
        self.find_bar = FindBar()
        self.work = PageWork(operations, self.find_bar, self)
        self.setting = TextWork(operations, self)
        self.pages = self.work.pages
        self.text, self.rich, self.sheets = TextView(), RichView(), SheetView()
        self.notice = SourceNotice()
        self.attachments = AttachmentBar()
        self.footer = named(QLabel(wordWrap=True), "soft")
        self._build()
        self._connect()

    def _build(self) -> None:
        self.views = QStackedWidget()
        for view in (self.pages, self.text, self.rich, self.sheets, self.notice):
            self.views.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 12)
        layout.setSpacing(8)
        for widget in (self.header, self.find_bar, self.attachments):
            layout.addWidget(widget)
        layout.addWidget(self.views, 1)
        layout.addWidget(self.footer)

    def _connect(self) -> None:
        header = self.header
        header.hit_wanted.connect(self.step_hit)
        header.page_wanted.connect(self.pages.turn)
        header.page_chosen.connect(self._choose_page)
        header.continuous_wanted.connect(self.pages.set_continuous)
        header.zoom_wanted.connect(self.zoom)
        header.open_wanted.connect(self._open_outside)
        header.close_wanted.connect(self.closed)
        self.find_bar.wanted.connect(self._find)
        self.find_bar.left.connect(self._leave_find)
        self.pages.page_changed.connect(lambda page: header.show_pages(page, self.pages.pages))
        self.pages.zoom_changed.connect(header.show_zoom)
        self.work.failed.connect(self._could_not_draw)
        self.setting.ready.connect(self._show_set)
        self.attachments.wanted.connect(lambda record: self.show_opening(of_file(record)))
        language_changed.connect(self.retranslate)

    @property
    def current_view(self) -> QWidget:
        """What shows the document: pages, text, a table, or a notice."""
        return self.views.currentWidget() or self.notice

    @property
    def document(self) -> StoredDocument | None:
        """What is shown, None while nothing is, or where only a notice stands."""
        return self._source.document if self._source is not None else None

    @property
    def path(self) -> str:
        """The file that is shown, "" while none is."""
        return self._source.path if self._source is not None else ""

    @property
    def library(self) -> Library | None:
        """What is asked for documents, None while there is none."""
        return self._library

    def start(self, library: Library) -> None:
        """Begin to show documents of a library."""
        self._library = library

    def close_library(self) -> None:
        """Ask the library nothing more."""
        self.work.stop()
        self.setting.stop()
        self._library = None

    def show_opening(self, opening: Opening) -> None:
        """Fetch a document and show it at its passage."""
        library = self._library
        if library is None:
            return
        self.setting.stop()
        if self._opening is not None:
            self._opening.cancel()
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
        view = self.current_view
        if view is self.pages:
            self.pages.show_page(hit.page or 1, hit.lines)
            self.work.locate(hit)
        elif isinstance(view, (TextView, RichView, SheetView)):
            view.mark(hit.start, hit.end)

    def step_hit(self, by: int) -> None:
        """Go to the next or the previous passage."""
        self.show_hit(self._hit + by)

    def zoom(self, steps: int) -> None:
        """Enlarge or reduce what is shown; 0 for the usual size."""
        view = self.current_view
        if view is self.pages:
            self.pages.zoom(steps)
        elif isinstance(view, (TextView, RichView, SheetView)):
            view.zoom(steps)
            self.header.show_zoom(round(view.zoom_factor * 100))

    def ask_page(self) -> None:
        """Let the user type the number of a page."""
        if self.current_view is self.pages:
            self.header.ask_page()

    def _choose_page(self, page: int) -> None:
        self.pages.go_to_page(page)
        self.pages.setFocus()

    def begin_find(self) -> None:
        """Offer to search in the document, where that is possible."""
        if self.current_view is not self.notice:
            self.find_bar.begin()

    def back_out(self) -> bool:
        """Leave what is typed into first; return whether there was such a thing."""
        if self.header.back_out():
            self.current_view.setFocus()
            return True
        return self.find_bar.back_out()

    def _leave_find(self) -> None:
        self.pages.all_found = {}
        self.pages.show_found(0, ())
        self.current_view.setFocus()

    def _find(self, words: str, backwards: bool, onward: bool) -> None:
        view = self.current_view
        if view is self.pages:
            self.work.find(words, backwards, onward)
        elif isinstance(view, (TextView, RichView, SheetView)):
            found = view.find_words(words, backwards, onward)
            number, count = (found.number, found.count) if found else (0, 0)
            self.find_bar.show_found(found is not None, number, count)

    def retranslate(self) -> None:
        """Say everything again, in the theme's colours."""
        for view in (self.text, self.rich, self.sheets):
            view.restyle()
        self.pages.viewport().update()
        if self._source is not None:
            self._show_footer()
            if self._source.document is None:
                self.notice.show_source(self._source)

    def _show(self, source: Opened) -> None:
        self._source, library = source, self._library
        self._hit = source.opening.index
        if library is None:
            return
        self.find_bar.hide()
        self.header.show_file(source.path, source.record is not None)
        number = source.record.id if source.record is not None else -1
        inside = [r for r in self._feed.records.values() if r.container_id == number]
        self.attachments.show_files(sorted(inside, key=lambda record: record.path))
        document = source.document
        self.work.stop()
        if document is None:
            self.notice.show_source(source)
            self._turn_to(self.notice)
        elif manner_of(document) is Manner.PAGES:
            self.views.setCurrentWidget(self.pages)
            self.work.begin(library, source)
            self.pages.show_document(document.pages or 1)
            if not source.opening.hits:
                self.pages.show_page(1)
            self._turn_to(self.pages)
        elif manner_of(document) is Manner.PLAIN:
            self._show_plain()
        else:
            self.setting.begin(library, source.path, document)

    def _show_set(self, structure: Structure | None) -> None:
        document = self.document
        if document is None:
            return
        if manner_of(document) is Manner.SHEETS:
            self.sheets.show_document(document.text, structure.blocks if structure else ())
            self._turn_to(self.sheets)
        elif structure is not None and structure.blocks:
            self.rich.show_document(document.text, document.kind, structure)
            self._turn_to(self.rich)
        else:
            self._show_plain()

    def _show_plain(self) -> None:
        if self.document is not None:
            self.text.show_text(self.document.text, self.document.kind != "text")
            self._turn_to(self.text)

    def _turn_to(self, view: QWidget) -> None:
        """Show a view with the document in it, at its passage."""
        self.views.setCurrentWidget(view)
        if isinstance(view, (TextView, RichView, SheetView)):
            self.header.show_zoom(round(view.zoom_factor * 100))
        elif view is self.notice:
            self.header.show_zoom(None)
        self._show_footer()
        self.show_hit(self._hit)
        self.opened.emit()

    def _show_footer(self) -> None:
        if self._source is not None:
            view = self.current_view
            part = isinstance(view, (TextView, RichView)) and view.is_part
            self.footer.setText(footer_line(self._source, part))

    def _could_not_draw(self, error: KnownError) -> None:
        if self._source is not None:
            self.notice.show_error(error, self._source.opening.hits)
            self.views.setCurrentWidget(self.notice)
            self.header.show_pages(0, 0)
            self.header.show_zoom(None)

    def _open_outside(self) -> None:
        if self._source is not None:
            page = self.pages.page if self.current_view is self.pages else 0
            self.open_outside.emit(self._source.path, page)
