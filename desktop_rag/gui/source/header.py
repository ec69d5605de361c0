"""The head of the source pane: name, hits, page, zoom, open, close."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QIntValidator, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui import icons, theme
from desktop_rag.gui.labels import ElidedLabel, named
from desktop_rag.gui.strings import language_changed, name_for_readers, tr
from desktop_rag.gui.words import file_name, readable

_NARROW = 320
"""Width in pixels of the drawing."""


class PageField(QLineEdit):
    """Takes the number of a page; Enter goes there, leaving it does not."""

    chosen = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageField")
        self.setMaximumWidth(72)
        self.returnPressed.connect(self._choose)
        self.editingFinished.connect(self.left)
        name_for_readers(self, "source.go_to_page")
        self.hide()

    def begin(self, page: int, pages: int) -> None:
        """Ask for a page."""
        self.setValidator(QIntValidator(1, pages, self))
        self.setText(str(page))
        self.show()
        self.setFocus()
        self.selectAll()

    def _choose(self) -> None:
        self.chosen.emit(int(self.text()))


class SourceHeader(QWidget):
    """Buttons that ask; the pane says what to show."""

    hit_wanted = Signal(int)
    page_wanted = Signal(int)
    page_chosen = Signal(int)
    continuous_wanted = Signal(bool)
    zoom_wanted = Signal(int)
    open_wanted = Signal()
    close_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = ElidedLabel(name="heading")
        self.hit = named(QLabel(), "soft")
        self.page = named(QPushButton(), "link")
        self.page_field = PageField()
        self.single = named(QPushButton(), "iconButton")
        self._hits = (0, 0)
        self._pages = (0, 0)
        self._zoomable = False
        self._narrow = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(self._upper_row())
        self._lower = QWidget()
        self._lower.setLayout(self._lower_row())
        layout.addWidget(self._lower)
        language_changed.connect(self._say)
        self._say()

    def _upper_row(self) -> QHBoxLayout:
        self.previous_hit = self._button("previous", "source.previous_hit", self.hit_wanted, -1)
        self.next_hit = self._button("next", "source.next_hit", self.hit_wanted, 1)
        self.open = named(QPushButton(), "quiet")
        name_for_readers(self.open, "source.open_name")
        icons.put(self.open, "open", "soft", 12)
        self.open.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.open.clicked.connect(self.open_wanted)
        close = named(QPushButton(), "iconButton")
        icons.put(close, "close", "soft", 14)
        name_for_readers(close, "source.close")
        close.clicked.connect(self.close_wanted)
        return _row((self.name, None, self.previous_hit, self.hit, self.next_hit, self.open, close))

    def _lower_row(self) -> QHBoxLayout:
        self._back = self._button("previous", "source.previous_page", self.page_wanted, -1)
        self._on = self._button("next", "source.next_page", self.page_wanted, 1)
        smaller = self._button("minus", "source.smaller", self.zoom_wanted, -1)
        larger = self._button("plus", "source.larger", self.zoom_wanted, 1)
        self.percent = named(QPushButton(), "link")
        name_for_readers(self.percent, "source.fit_width")
        self.percent.clicked.connect(lambda: self.zoom_wanted.emit(0))
        name_for_readers(self.page, "source.go_to_page")
        self.page.clicked.connect(self.ask_page)
        self.page_field.chosen.connect(self.page_chosen)
        self.page_field.left.connect(self._leave_field)
        self.single.setCheckable(True)
        icons.put(self.single, "page", "soft", 14)
        name_for_readers(self.single, "source.single_page")
        self.single.toggled.connect(lambda on: self.continuous_wanted.emit(not on))
        pages = (self._back, self.page, self.page_field, self._on, self.single)
        return _row((*pages, None, smaller, self.percent, larger))

    def ask_page(self) -> None:
        """Let the user type the number of a page."""
        page, pages = self._pages
        if pages > 1:
            self.page.hide()
            self.page_field.begin(page, pages)

    def back_out(self) -> bool:
        """Ask for no page any more; return whether one was asked for."""
        if not self.page_field.isVisible():
            return False
        self._leave_field()
        return True

    def _leave_field(self) -> None:
        self.page_field.hide()
        self.page.setVisible(self._pages[1] > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use fewer words where there is little room for the name."""
        super().resizeEvent(event)
        narrow = event.size().width() < theme.current.pixels(_NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            self._say()

    def show_file(self, path: str, is_there: bool) -> None:
        """Begin with another document."""
        self.name.setText(file_name(path))
        self.name.setToolTip(readable(path))
        self.open.setEnabled(is_there)
        self.show_hits(0, 0)
        self.show_pages(0, 0)

    def show_hits(self, index: int, count: int) -> None:
        """Show "hit 1 of 3"; nothing if there is none."""
        self._hits = (index, count)
        self._say()

    def show_pages(self, page: int, pages: int) -> None:
        """Show "Page 4 of 12"; nothing for a document without pages."""
        self._pages = (page, pages)
        self._say()

    def show_zoom(self, percent: int | None) -> None:
        """Show the scale; nothing for what has none."""
        self._zoomable = percent is not None
        self.percent.setText(f"{percent} %")
        self._say()

    def _button(self, icon: str, key: str, signal: SignalInstance, by: int) -> QPushButton:
        button = named(QPushButton(), "iconButton")
        icons.put(button, icon, "soft", 14)
        name_for_readers(button, key)
        button.clicked.connect(lambda: signal.emit(by))
        return button

    def _say(self) -> None:
        index, count = self._hits
        for widget in (self.hit, self.previous_hit, self.next_hit):
            widget.setVisible(count > 0)
        self.previous_hit.setEnabled(index > 0)
        self.next_hit.setEnabled(index < count - 1)
        key = "source.hit_short" if self._narrow else "source.hit"
        self.hit.setText(tr(key, index=index + 1, count=count))
        self.open.setText("" if self._narrow else tr("source.open"))
        page, pages = self._pages
        self._lower.setVisible(pages > 0 or self._zoomable)
        self.page.setText(tr("source.page", page=page, pages=pages))
        for widget in (self._back, self._on, self.single):
            widget.setVisible(pages > 1)
        self.page.setVisible(pages > 0 and not self.page_field.isVisible())
        self._back.setEnabled(page > 1)
        self._on.setEnabled(page < pages)


def _row(widgets: tuple[QWidget | None, ...]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(2)
    for widget in widgets:
        if widget is None:
            row.addStretch()
        else:
            row.addWidget(widget, 0 if not isinstance(widget, ElidedLabel) else 10)
    return row
