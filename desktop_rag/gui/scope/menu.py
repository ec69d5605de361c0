"""The menu behind “narrow down”: everything that a question can be limited to."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui import theme
from desktop_rag.gui.labels import named
from desktop_rag.gui.scope.chips import Chip
from desktop_rag.gui.scope.offers import Offers
from desktop_rag.gui.strings import name_for_readers, say, tr
from desktop_rag.gui.words import readable

_CHIP = Qt.ItemDataRole.UserRole + 1
_WIDTH, _HEIGHT = 340, 380


class ScopeMenu(QFrame):
    """A field to type in and a list; the field keeps the focus and steers the list."""

    chosen = Signal(object)
    collections_wanted = Signal()

    def __init__(self, offers: Offers, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._offers = offers
        self.field = QLineEdit(clearButtonEnabled=True)
        say(self.field, "scope.find", "setPlaceholderText")
        name_for_readers(self.field, "scope.find")
        self.field.setToolTip("")
        self.list = named(QListView(), "scopeList")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        name_for_readers(self.list, "scope.list_name")
        self.list.setToolTip("")
        self._model = QStandardItemModel(self)
        self.list.setModel(self._model)
        self.manage = named(QPushButton(), "link")
        say(self.manage, "scope.manage")
        self._lay_out()
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._take_current)
        self.list.clicked.connect(lambda _: self._take_current())
        self.manage.clicked.connect(self._manage)
        offers.changed.connect(self._refill)
        self._fill("")

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(6)
        for widget in (self.field, self.list, self.manage):
            layout.addWidget(widget)

    def show_above(self, corner: QPoint) -> None:
        """Show the menu with its lower left corner at a place of the screen."""
        size = (theme.current.pixels(_WIDTH), theme.current.pixels(_HEIGHT))
        self.resize(*size)
        self.move(corner.x(), max(0, corner.y() - size[1] - 4))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self._offers.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down choose, Esc closes."""
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def chips(self) -> list[Chip]:
        """Return what is offered now."""
        rows = (self._model.item(row).data(_CHIP) for row in range(self._model.rowCount()))
        return [chip for chip in rows if chip is not None]

    def _refill(self) -> None:
        self._fill(self.field.text())

    def _fill(self, words: str) -> None:
        self._model.clear()
        for name, chips in self._offers.offered(words):
            heading = QStandardItem(tr(f"scope.group_{name}"))
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            heading.setFont(theme.current.font(11, bold=True))
            self._model.appendRow(heading)
            for chip in chips:
                item = QStandardItem(readable(chip.label))
                item.setData(chip, _CHIP)
                item.setToolTip(chip.whole)
                self._model.appendRow(item)
        if not self._model.rowCount():
            nothing = QStandardItem(tr("search.nothing", words=words))
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self._model.appendRow(nothing)
        self.list.setCurrentIndex(self._model.index(-1, 0))
        self._step(1)

    def _step(self, by: int) -> None:
        row = self.list.currentIndex().row() + by
        while 0 <= row < self._model.rowCount():
            if self._model.item(row).data(_CHIP) is not None:
                self.list.setCurrentIndex(self._model.index(row, 0))
                return
            row += by

    def _take_current(self) -> None:
        chip = self.list.currentIndex().data(_CHIP)
        if chip is not None:
            self.close()
            self.chosen.emit(chip)

    def _manage(self) -> None:
        self.close()
        self.collections_wanted.emit()
