"""The main window: three panes between two bars, and how they work together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QVBoxLayout, QWidget

from desktop_rag.domain.answer import Citation
from desktop_rag.gui import keys
from desktop_rag.gui.bars import BottomBar, TopBar
from desktop_rag.gui.chat.controller import ChatController
from desktop_rag.gui.chat.pane import ChatPane
from desktop_rag.gui.chats.controller import ChatsFinder
from desktop_rag.gui.labels import named
from desktop_rag.gui.library.feed import LibraryFeed
from desktop_rag.gui.library.pane import RAIL_WIDTH, LibraryPane
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.scope.offers import Offers
from desktop_rag.gui.search.controller import SearchController
from desktop_rag.gui.search.field import SearchField
from desktop_rag.gui.source.opening import Opening, of_citations, of_file
from desktop_rag.gui.source.pane import SourcePane
from desktop_rag.gui.source.printing import Printing
from desktop_rag.gui.start.drop import DropOverlay
from desktop_rag.gui.trouble.bar import TroubleBar
from desktop_rag.gui.trouble.watch import TroubleWatch
from desktop_rag.gui.verbs import Verbs

if TYPE_CHECKING:
    from desktop_rag.services.services import Services

SIDE_BY_SIDE = 1_100
"""Narrower, the source takes the chat's place while it is open."""

WITH_LIBRARY = 760
"""Narrower, the library is a rail of icons."""

_SIZES = [288, 616, 416]
_GEOMETRY_KEY, _SPLITTER_KEY = "window/geometry", "window/splitter"


class MainWindow(QMainWindow):
    """Everything the user sees. ``ended`` says that it was closed for good."""

    ended = Signal()

    def __init__(self, operations: Operations, preferences: Preferences, memory: Memory) -> None:
        super().__init__()
        self.operations = operations
        self.preferences = preferences
        self.memory = memory
        self.hides_on_close: Callable[[], bool] = lambda: False
        self._unfolded = False
        self.feed = LibraryFeed(operations, self)
        self.chat_controller = ChatController(operations, memory, self)
        self.search_controller = SearchController(self.feed, operations, self)
        self.library = LibraryPane(self.feed, operations)
        self.chats_finder = ChatsFinder(operations, self)
        self.offers = Offers(self.feed, operations, self)
        self.chat = ChatPane(self.chat_controller, self.chats_finder, self.offers, memory)
        self.source = SourcePane(self.feed, operations)
        self.search = SearchField(self.search_controller, self)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self._build()
        self.overlay = DropOverlay(self, operations)
        self.verbs = Verbs(self)
        self._connect()
        keys.bind(self, self._key_verbs())
        self._restore()
        self.chat.composer.field.setFocus()

    def _build(self) -> None:
        self.setWindowTitle("Desktop RAG")
        self.setMinimumSize(480, 420)
        for pane in (self.library, self.chat, self.source):
            self.splitter.addWidget(pane)
        self.splitter.setHandleWidth(8)
        for index, stretch in enumerate((0, 3, 2)):
            self.splitter.setStretchFactor(index, stretch)
        self.library.setMinimumWidth(220)
        self.chat.setMinimumWidth(320)
        self.source.setMinimumWidth(320)
        self.source.hide()
        self.top = TopBar(self.search)
        self.trouble_bar = TroubleBar()
        self.troubles = TroubleWatch(self.feed, self)
        central = named(QWidget(), "central")
        layout = QVBoxLayout(central)
        layout.setContentsMargins(12, 9, 12, 7)
        layout.setSpacing(8)
        layout.addWidget(self.top)
        layout.addWidget(self.trouble_bar)
        layout.addWidget(self.splitter, 1)
        self.bottom = BottomBar()
        layout.addWidget(self.bottom)
        self.setCentralWidget(central)

    def _connect(self) -> None:
        verbs = self.verbs
        self.top.language_wanted.connect(self.preferences.other_language)
        self.top.settings_wanted.connect(verbs.settings)
        self.search.opened.connect(self.open_source)
        self.overlay.dropped.connect(verbs.add)
        for asker in (self.library, self.chat.start):
            asker.add_files_wanted.connect(verbs.add_files)
            asker.add_folder_wanted.connect(verbs.add_folder)
        self.chat.start.guide_wanted.connect(verbs.ask_guide)
        self.chat.opened.connect(self._open_citation)
        self.library.view.opened.connect(lambda record: self.open_source(of_file(record)))
        self.library.view.wanted.connect(verbs.on_row)
        self.library.foot.pause_wanted.connect(verbs.pause)
        self.library.foot.speed_wanted.connect(verbs.speed)
        self.library.foot.problems_wanted.connect(verbs.problems)
        self.library.foot.model_wanted.connect(verbs.new_model)
        self.library.unfold.clicked.connect(self._unfold_library)
        self.source.opened.connect(self._show_source)
        self.source.closed.connect(self.close_source)
        self.source.open_outside.connect(verbs.open_outside)
        self.feed.reset.connect(self._on_files)
        self.troubles.changed.connect(self.trouble_bar.show_trouble)
        self.trouble_bar.put_aside.connect(self.troubles.put_aside)
        self.feed.reset.connect(self.chat_controller.check_soon)
        self.preferences.restyled.connect(self._restyle)
        self.preferences.failed.connect(self.operations.report)

    def _key_verbs(self) -> dict[str, Callable[[], object]]:
        verbs = self.verbs
        return {
            "search": self._go_to_search,
            "ask": self.chat.composer.field.setFocus,
            "add_files": verbs.add_files,
            "add_folder": verbs.add_folder,
            "new_chat": self.chat.new_chat,
            "chats": self.chat.show_chats,
            "narrow": self.chat.composer.offer_scopes,
            "library_pane": lambda: self._go_to(0),
            "chat_pane": lambda: self._go_to(1),
            "source_pane": lambda: self._go_to(2),
            "next_pane": self._next_pane,
            "previous_hit": lambda: self.source.step_hit(-1),
            "next_hit": lambda: self.source.step_hit(1),
            "find": self.source.begin_find,
            "go_to_page": self.source.ask_page,
            "larger": lambda: self.source.zoom(1),
            "smaller": lambda: self.source.zoom(-1),
            "usual_size": lambda: self.source.zoom(0),
            "settings": verbs.settings,
            "refresh": verbs.refresh,
            "pause": self._pause_or_print,
            "help": verbs.help,
            "back": self._back,
        }

    def open_services(self, services: Services) -> None:
        """Begin to work with the services, which were built in another thread."""
        self.preferences.adopt(services.settings)
        self.verbs.open(services)
        self.feed.open(services.library)
        self.chat_controller.open(services.assistant)
        self.chats_finder.open(services.assistant)
        self.offers.open(services)
        self.search_controller.open(services.assistant)
        self.source.start(services.library)

    def close_services(self) -> None:
        """Stop asking the services; what runs is cancelled."""
        self.feed.close()
        self.chat_controller.close()
        self.chats_finder.close()
        self.offers.close()
        self.search_controller.close()
        self.source.close_library()
        self.verbs.close()

    def open_source(self, opening: Opening) -> None:
        """Show a document in the source pane."""
        self.source.show_opening(opening)

    def close_source(self) -> None:
        """Hide the source pane and give the focus back to the question."""
        self.source.hide()
        self.chat.show()
        self.chat.composer.field.setFocus()

    def come_forward(self, paths: tuple[str, ...] = ()) -> None:
        """Raise the window, also out of the taskbar, and add ``paths``."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        self.verbs.add(list(paths))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the panes for the new width."""
        super().resizeEvent(event)
        if event.size().width() >= WITH_LIBRARY:
            self._unfolded = False
        self._arrange()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember how the window stands; the application ends the services.

        Where it is only hidden, it comes back from the tray.
        """
        self.memory.put(_GEOMETRY_KEY, self.saveGeometry())
        self.memory.put(_SPLITTER_KEY, self.splitter.saveState())
        self.memory.save()
        if self.isVisible() and self.hides_on_close():
            event.ignore()
            self.hide()
            return
        event.accept()
        self.ended.emit()

    def _restore(self) -> None:
        if not self.restoreGeometry(self.memory.state(_GEOMETRY_KEY)):
            self.resize(1360, 820)
        if not self.splitter.restoreState(self.memory.state(_SPLITTER_KEY)):
            self.splitter.setSizes(_SIZES)
        self.source.hide()

    def _arrange(self) -> None:
        narrow = self.width() < SIDE_BY_SIDE
        self.chat.setVisible(not (narrow and self.source.isVisibleTo(self.splitter)))
        folded = self.width() < WITH_LIBRARY and not self._unfolded
        changed = self.library.fold(folded)
        sizes = self.splitter.sizes()
        if changed or (folded and sizes[0] > RAIL_WIDTH):
            self.splitter.setSizes([RAIL_WIDTH if folded else _SIZES[0], *sizes[1:]])

    def _unfold_library(self) -> None:
        self._unfolded = True
        self._arrange()

    def _show_source(self) -> None:
        if self.source.isHidden():
            self.source.show()
            library, chat, source = self.splitter.sizes()
            if source < self.source.minimumWidth():
                source = max(self.source.minimumWidth(), (chat + source) * 2 // 5)
                self.splitter.setSizes([library, chat - source, source])
        self._arrange()

    def _open_citation(self, citations: tuple[Citation, ...], position: int) -> None:
        self.open_source(of_citations(citations, position))

    def _on_files(self) -> None:
        self.chat.show_start(self.feed.loaded and not self.feed.sources)

    def _restyle(self) -> None:
        self.library.view.fit_rows()
        self.chat.retranslate()
        self.source.retranslate()

    def _go_to(self, pane: int) -> None:
        if pane == 1 and self.chat.isHidden():
            self.close_source()
        targets = (self.library.view, self.chat.composer.field, self.source.current_view)
        targets[pane].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _pause_or_print(self) -> None:
        """The same key prints where a document has the focus."""
        focus = self.focusWidget()
        if focus is not None and self.source.isAncestorOf(focus):
            Printing(self.source, self.operations).begin()
        else:
            self.verbs.pause(not self.library.foot.paused)

    def _next_pane(self) -> None:
        panes = (self.library, self.chat, self.source)
        focus = self.focusWidget()
        here = next(
            (i for i, p in enumerate(panes) if focus is not None and p.isAncestorOf(focus)), -1
        )
        order = [(here + step) % len(panes) for step in range(1, len(panes) + 1)]
        self._go_to(next(index for index in order if panes[index].isVisible()))

    def _back(self) -> None:
        """Esc: out of the innermost thing first."""
        if self.search.back_out() or self.chat.back_out():
            return
        if self.chat_controller.busy:
            self.chat_controller.stop()
        elif self.source.back_out():
            return
        elif self.source.isVisible():
            self.close_source()
        else:
            self.chat.composer.field.setFocus()
