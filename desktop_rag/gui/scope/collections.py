"""Collections: made, named, described, filled and deleted."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.labels import named
from desktop_rag.gui.messages import ask
from desktop_rag.gui.scope.offers import CollectionInfo, Offers
from desktop_rag.gui.strings import name_for_readers, say, tr
from desktop_rag.gui.words import file_name, readable

_PATH = Qt.ItemDataRole.UserRole + 1


class CollectionsDialog(QDialog):
    """At left the collections, at right the chosen one; “Save” keeps what was changed."""

    def __init__(self, offers: Offers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offers = offers
        self._wanted = ""
        say(self, "collections.title", "setWindowTitle")
        self.resize(620, 420)
        self.list = named(QListWidget(), "chooseList")
        name_for_readers(self.list, "collections.list_name")
        self.list.setToolTip("")
        self.name, self.description = QLineEdit(), QLineEdit()
        self.sources = named(QListWidget(), "chooseList")
        name_for_readers(self.sources, "collections.sources")
        self.sources.setToolTip("")
        self.new, self.delete = self._button("collections.new"), self._button("collections.delete")
        self.save, self.close_button = named(QPushButton(), "primary"), QPushButton()
        say(self.save, "collections.save")
        say(self.close_button, "dialog.close")
        self._lay_out()
        self.list.currentItemChanged.connect(lambda *_: self._show_current())
        self.new.clicked.connect(self._begin_new)
        self.save.clicked.connect(self._save)
        self.delete.clicked.connect(self._delete)
        self.close_button.clicked.connect(self.accept)
        offers.changed.connect(self._fill)
        self._fill()

    def _button(self, key: str) -> QPushButton:
        button = named(QPushButton(), "quiet")
        say(button, key)
        return button

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.addWidget(self.list)
        left.addWidget(self.new, 0, Qt.AlignmentFlag.AlignLeft)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(16)
        layout.addLayout(left, 2)
        layout.addLayout(self._chosen_one(), 3)

    def _chosen_one(self) -> QVBoxLayout:
        form = QFormLayout()
        for key, field in (
            ("collections.name", self.name),
            ("collections.description", self.description),
        ):
            label = QLabel()
            say(label, key)
            label.setBuddy(field)
            name_for_readers(field, key)
            field.setToolTip("")
            form.addRow(label, field)
        caption = named(QLabel(), "soft")
        say(caption, "collections.sources")
        right = QVBoxLayout()
        right.addLayout(form)
        right.addWidget(caption)
        right.addWidget(self.sources, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.delete)
        foot.addStretch()
        foot.addWidget(self.close_button)
        foot.addWidget(self.save)
        right.addLayout(foot)
        return right

    @property
    def _current(self) -> CollectionInfo | None:
        item = self.list.currentItem()
        name = item.data(_PATH) if item is not None else None
        return next((one for one in self._offers.collections if one.name == name), None)

    def _fill(self) -> None:
        current = self._wanted or (self._current.name if self._current is not None else "")
        self._wanted = ""
        self.list.clear()
        for one in self._offers.collections:
            item = QListWidgetItem(readable(one.name))
            item.setData(_PATH, one.name)
            item.setToolTip(one.description)
            self.list.addItem(item)
            if one.name == current:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and self.list.count():
            self.list.setCurrentRow(0)
        self._show_current()

    def _show_current(self) -> None:
        current = self._current or CollectionInfo("")
        self.name.setText(current.name)
        self.description.setText(current.description)
        self.delete.setEnabled(self._current is not None)
        self.sources.clear()
        for source in self._offers.feed.sources:
            item = QListWidgetItem(file_name(source.path))
            item.setToolTip(readable(source.path))
            item.setData(_PATH, source.path)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            chosen = source.path in current.sources
            item.setCheckState(Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked)
            self.sources.addItem(item)

    def _begin_new(self) -> None:
        self.list.setCurrentItem(None)  # type: ignore[call-overload]
        self._show_current()
        self.name.setFocus()

    def _save(self) -> None:
        from desktop_rag.services.collecting import CollectionChange

        name, current = self.name.text().strip(), self._current
        if not name:
            self.name.setFocus()
            return
        chosen = set(self._chosen())
        before = set(current.sources) if current is not None else set()
        self._wanted = name
        self._offers.change_collection(
            current.name if current is not None else name,
            CollectionChange(
                rename=name,
                description=self.description.text().strip(),
                add=sorted(chosen - before),
                drop=sorted(before - chosen),
            ),
        )

    def _chosen(self) -> list[str]:
        items = (self.sources.item(row) for row in range(self.sources.count()))
        return [one.data(_PATH) for one in items if one.checkState() == Qt.CheckState.Checked]

    def _delete(self) -> None:
        from desktop_rag.services.collecting import CollectionChange

        current = self._current
        if current is None:
            return
        question = tr("collections.delete_question", name=current.name)
        info = tr("collections.delete_info")
        if ask(self, question, info, tr("collections.delete"), tr("dialog.cancel")) == 0:
            self._offers.change_collection(current.name, CollectionChange(delete=True))
