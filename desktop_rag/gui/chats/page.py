"""All chats in place of the conversation: a field to find one, and the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui import icons
from desktop_rag.gui.chats.controller import ChatsFinder
from desktop_rag.gui.chats.rows import CHAT, ChatDelegate, ChatRows
from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import name_for_readers, say, tr

if TYPE_CHECKING:
    from desktop_rag.store.records import ChatMatch


_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2, Qt.Key.Key_Delete)


class _ChatList(QListView):
    """Tells the keys that mean something for the chosen chat."""

    pressed_key = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS:
            self.pressed_key.emit(event.key())
        else:
            super().keyPressEvent(event)


class ChatsPage(QWidget):
    """``opened``, ``renamed`` and ``deleted`` bring a chat's number."""

    opened = Signal(int)
    renamed = Signal(str, int)
    deleted = Signal(int, str)
    left = Signal()

    def __init__(self, finder: ChatsFinder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finder = finder
        self._open_chat: int | None = None
        self.field = QLineEdit(clearButtonEnabled=True)
        say(self.field, "chats.find", "setPlaceholderText")
        name_for_readers(self.field, "chats.find")
        self.field.setToolTip("")
        self.rows = ChatRows(self)
        self.list = named(_ChatList(), "chatList")
        self.list.setModel(self.rows)
        self.list.setItemDelegate(ChatDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        name_for_readers(self.list, "chats.list_name")
        self.list.setToolTip("")
        self.empty = named(QLabel(wordWrap=True), "soft")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.rename = self._button("edit", "chat.rename", self._rename)
        self.delete = self._button("bin", "chat.delete", self._delete)
        self._lay_out()
        self._connect()

    def _button(self, icon: str, key: str, press: object) -> QPushButton:
        button = named(QPushButton(), "quiet")
        icons.put(button, icon, "soft", 14)
        say(button, key)
        button.clicked.connect(press)
        return button

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.addWidget(self.rename)
        foot.addWidget(self.delete)
        foot.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 4)
        layout.setSpacing(8)
        layout.addWidget(self.field)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.empty, 1)
        layout.addLayout(foot)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._finder.type_words)
        self.field.returnPressed.connect(self._open)
        self._finder.found.connect(self._show)
        self.list.clicked.connect(lambda _: self._open())
        self.list.customContextMenuRequested.connect(self._offer)
        self.list.pressed_key.connect(self._on_key)

    def _on_key(self, key: int) -> None:
        verbs = {Qt.Key.Key_F2: self._rename, Qt.Key.Key_Delete: self._delete}
        verbs.get(Qt.Key(key), self._open)()

    def begin(self, open_chat: int | None) -> None:
        """Show all chats, the open one chosen, and go to the field."""
        self._open_chat = open_chat
        self.field.clear()
        self._finder.look()
        self.field.setFocus()

    def refresh(self) -> None:
        """Look again: the chats have changed."""
        self._finder.look()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down in the field choose in the list."""
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.field.hasFocus():
            row = self.list.currentIndex().row() + (1 if key == Qt.Key.Key_Down else -1)
            self._choose(min(max(0, row), self.rows.rowCount() - 1))
        else:
            super().keyPressEvent(event)

    def _show(self, matches: list[ChatMatch], words: str) -> None:
        before = self._current
        wanted = before[0] if before is not None else self._open_chat
        self.rows.show_matches(matches, words)
        some = bool(matches)
        self.list.setVisible(some)
        self.empty.setVisible(not some)
        none = tr("search.nothing", words=words) if words.strip() else tr("chats.none")
        self.empty.setText(none)
        self.rename.setEnabled(some)
        self.delete.setEnabled(some)
        numbers = self.rows.numbers()
        self._choose(numbers.index(wanted) if wanted in numbers else 0)

    def _choose(self, row: int) -> None:
        index = self.rows.index(row, 0)
        self.list.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        self.list.scrollTo(index)

    @property
    def _current(self) -> tuple[int, str] | None:
        match = self.list.currentIndex().data(CHAT)
        return None if match is None else (match.chat.id, match.chat.title)

    def _open(self) -> None:
        if self._current is not None:
            self.opened.emit(self._current[0])

    def _rename(self) -> None:
        if self._current is None:
            return
        number, title = self._current
        words = (tr("chat.rename"), tr("chat.rename_label"))
        new, agreed = QInputDialog.getText(self, *words, text=title)
        if agreed:
            self.renamed.emit(new, number)

    def _delete(self) -> None:
        if self._current is not None:
            self.deleted.emit(*self._current)

    def _offer(self, place: QPoint) -> None:
        if self._current is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("chats.open"), self._open)
        menu.addAction(tr("chat.rename"), self._rename)
        menu.addAction(tr("chat.delete"), self._delete)
        menu.popup(self.list.viewport().mapToGlobal(place))
