"""The library pane: heading and add button, filter, list, drop hint, progress."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.files import FileRecord
from desktop_rag.gui import icons, theme
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named
from desktop_rag.gui.library.feed import LibraryFeed
from desktop_rag.gui.library.model import LibraryModel
from desktop_rag.gui.library.progress import ProgressFoot
from desktop_rag.gui.library.tree import (
    ALL,
    CHIPS,
    MORE_CHIPS,
    NOT_READ,
    FileFilter,
    Tree,
    build_tree,
)
from desktop_rag.gui.library.view import LibraryView
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.strings import language_changed, name_for_readers, say, tr

_FILTER_AFTER_MS = 120
_COUNT_AFTER_MS = 2_000
"""States change one by one while files are read; the counts follow at leisure."""

RAIL_WIDTH = 56


class LibraryPane(QFrame):
    """Shows what the feed saw; asks for everything else through signals."""

    add_files_wanted = Signal()
    add_folder_wanted = Signal()

    def __init__(
        self, feed: LibraryFeed, operations: Operations, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self._feed = feed
        self._operations = operations
        self._sorting: Operation | None = None
        self._filter = FileFilter()
        self._more_chip = MORE_CHIPS[0]
        self.model = LibraryModel(self)
        self.view = LibraryView(self.model)
        self.foot = ProgressFoot()
        self.field = QLineEdit(clearButtonEnabled=True)
        self._typed = QTimer(self, singleShot=True, interval=_FILTER_AFTER_MS)
        self._build()
        self._recount = QTimer(self, singleShot=True, interval=_COUNT_AFTER_MS)
        self._recount.timeout.connect(self._sort)
        self.field.textChanged.connect(lambda _: self._typed.start())
        self._typed.timeout.connect(self._filter_changed)
        feed.reset.connect(self._sort)
        feed.updated.connect(self._update)
        feed.progress_changed.connect(self.foot.show_progress)
        language_changed.connect(self._say)
        self._say()

    def _build(self) -> None:
        say(self.field, "library.filter", "setPlaceholderText")
        name_for_readers(self.field, "library.filter_name")
        self._hint = named(QLabel(wordWrap=True), "dropHint")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        say(self._hint, "library.drop_hint")
        self._empty = named(QLabel(wordWrap=True), "soft")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lists = QStackedWidget()
        self._lists.addWidget(self.view)
        self._lists.addWidget(self._empty)
        full = QWidget()
        layout = QVBoxLayout(full)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(8)
        layout.addLayout(self._head())
        layout.addWidget(self.field)
        layout.addWidget(self._chip_row())
        layout.addWidget(self._lists, 1)
        layout.addWidget(self._hint)
        layout.addWidget(self.foot)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(full)
        self._pages.addWidget(self._rail())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.addWidget(self._pages)

    def _head(self) -> QHBoxLayout:
        title = named(QLabel(), "heading")
        say(title, "library.title")
        self.add = named(QPushButton(), "outlined")
        say(self.add, "library.add")
        icons.put(self.add, "plus", "text")
        self.add.setMenu(self._add_menu(self.add))
        row = QHBoxLayout()
        row.addWidget(title)
        row.addStretch()
        row.addWidget(self.add)
        return row

    def _add_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        say(menu.addAction("", self.add_files_wanted.emit), "library.add_files")
        say(menu.addAction("", self.add_folder_wanted.emit), "library.add_folder")
        return menu

    def _chip_row(self) -> QWidget:
        row = QWidget()
        flow = FlowLayout(row)
        self._chips = QButtonGroup(self)
        for position, _ in enumerate(CHIPS):
            chip = named(QPushButton(), "chip")
            chip.setCheckable(True)
            self._chips.addButton(chip, position)
            flow.addWidget(chip)
        self.more = named(QPushButton(), "chip")
        self.more.setCheckable(True)
        self.more.setMenu(QMenu(self.more))
        self.more.menu().aboutToShow.connect(self.offer_more)
        name_for_readers(self.more, "library.more_name")
        self._chips.addButton(self.more, len(CHIPS))
        flow.addWidget(self.more)
        self._chips.button(0).setChecked(True)
        self._chips.idClicked.connect(lambda _id: self._filter_changed())
        return row

    def offer_more(self) -> None:
        """Fill the menu of filters with those that would show something."""
        menu, counts = self.more.menu(), self.model.tree.counts
        menu.clear()
        for chip in MORE_CHIPS:
            if counts.get(chip):
                text = tr(f"library.chip_{chip}", n=counts[chip])
                action = menu.addAction(text, partial(self._choose_more, chip))
                action.setCheckable(True)
                action.setChecked(self._filter.chip == chip)

    def _choose_more(self, chip: str) -> None:
        self._more_chip = chip
        self.more.setChecked(True)
        self._filter_changed()

    def _rail(self) -> QWidget:
        rail = QWidget()
        layout = QVBoxLayout(rail)
        layout.setContentsMargins(6, 12, 6, 12)
        self.unfold = named(QPushButton(), "iconButton")
        icons.put(self.unfold, "library", "text", 20)
        name_for_readers(self.unfold, "library.unfold")
        add = named(QPushButton(), "iconButton")
        icons.put(add, "plus", "text", 20)
        name_for_readers(add, "library.add")
        add.clicked.connect(self.add_files_wanted)
        layout.addWidget(self.unfold)
        layout.addWidget(add)
        layout.addStretch()
        return rail

    def fold(self, folded: bool) -> bool:
        """Show a narrow rail with icons in place of the pane; return whether that is new."""
        if folded == (self._pages.currentIndex() == 1):
            return False
        self._pages.setCurrentIndex(1 if folded else 0)
        self.setMaximumWidth(RAIL_WIDTH if folded else 16_777_215)
        self.setMinimumWidth(RAIL_WIDTH if folded else 220)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the drop hint out where every line is needed for files."""
        super().resizeEvent(event)
        self._hint.setVisible(event.size().height() > theme.current.pixels(480))

    def _filter_changed(self) -> None:
        chip = (*CHIPS, self._more_chip)[max(0, self._chips.checkedId())]
        self._filter = FileFilter(chip, self.field.text().strip())
        self._sort()

    def _sort(self) -> None:
        if self._sorting is not None:
            self._sorting.cancel()
        sources, wanted = list(self._feed.sources), self._filter
        records = list(self._feed.records.values())
        self._sorting = self._operations.run(
            self, lambda _: build_tree(sources, records, wanted), self._show
        )

    def _show(self, tree: Tree) -> None:
        current = self.view.currentIndex()
        chosen = self.model.row(current) if current.isValid() else None
        scrolled = self.view.verticalScrollBar().value()
        self.model.show_tree(tree)
        self.view.verticalScrollBar().setValue(scrolled)
        file_id = getattr(chosen, "id", None)
        if file_id is not None:
            self.view.setCurrentIndex(self.model.index_of(file_id))
        self._say()

    def _update(self, records: list[FileRecord]) -> None:
        self.model.update_files(records)
        if not self._recount.isActive():
            self._recount.start()

    def _say(self) -> None:
        counts = self.model.tree.counts
        for position, chip in enumerate(CHIPS):
            number = counts.get(chip, 0)
            text = tr(f"library.chip_{chip}", n=number)
            self._chips.button(position).setText(text)
            self._chips.button(position).setVisible(bool(counts.get(ALL)))
        self._say_more()
        problems = counts.get(NOT_READ, 0)
        offered = problems > 0 or (self._filter.chip == NOT_READ and bool(counts.get(ALL)))
        self._chips.button(CHIPS.index(NOT_READ)).setVisible(offered)
        self.foot.show_problems(problems)
        shown = bool(self.model.tree.groups)
        self._lists.setCurrentIndex(0 if shown else 1)
        filtered = self._filter != FileFilter()
        if not self._feed.loaded:
            key = "library.opening"
        else:
            key = "library.no_match" if filtered else "library.empty"
        say(self._empty, key)
        self.model.repaint_all()

    def _say_more(self) -> None:
        counts, chip = self.model.tree.counts, self._filter.chip
        chosen = chip in MORE_CHIPS
        number = counts.get(chip, 0)
        self.more.setText(tr(f"library.chip_{chip}", n=number) if chosen else tr("library.more"))
        self.more.setVisible(chosen or any(counts.get(each) for each in MORE_CHIPS))

    def source_paths(self) -> list[str]:
        """Return the paths of all sources."""
        return [source.path for source in self._feed.sources]
