"""Choosing among the folders of a great drop those that are added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import name_for_readers, say, tr
from desktop_rag.gui.words import file_name, readable, size

if TYPE_CHECKING:
    from desktop_rag.services.surveying import Count

_COUNT = Qt.ItemDataRole.UserRole


class ChoosingDialog(QDialog):
    """Lists folders with what was counted in them, to be ticked."""

    def __init__(self, parts: Sequence[Count], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.resize(520, 460)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        say(self, "choose.title", "setWindowTitle")
        heading, beside = named(QLabel(), "heading"), named(QLabel(wordWrap=True), "soft")
        say(heading, "choose.heading")
        say(beside, "choose.beside")
        self.list = named(QListWidget(), "chooseList")
        name_for_readers(self.list, "choose.title")
        self.list.setToolTip("")
        for part in sorted(parts, key=lambda part: part.name.casefold()):
            self.list.addItem(_item(part))
        self.list.itemChanged.connect(self._add_up)
        self.sum = named(QLabel(), "soft")
        self.add = named(QPushButton(), "primary")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        for widget in (heading, self.list, beside):
            layout.addWidget(widget)
        layout.addLayout(self._foot())
        self._add_up()

    @property
    def paths(self) -> list[str]:
        """Those that are ticked."""
        return [part.name for part in self._ticked()]

    def _foot(self) -> QHBoxLayout:
        cancel = QPushButton()
        say(cancel, "dialog.cancel")
        say(self.add, "add.yes")
        cancel.clicked.connect(self.reject)
        self.add.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.sum, 1)
        row.addWidget(cancel)
        row.addWidget(self.add)
        return row

    def _ticked(self) -> list[Count]:
        items = [self.list.item(row) for row in range(self.list.count())]
        return [i.data(_COUNT) for i in items if i.checkState() is Qt.CheckState.Checked]

    def _add_up(self) -> None:
        ticked = self._ticked()
        files, number = sum(part.files for part in ticked), sum(part.bytes for part in ticked)
        self.sum.setText(tr("choose.sum", n=files, size=size(number)))
        self.add.setEnabled(bool(ticked))


def _item(part: Count) -> QListWidgetItem:
    name, held = file_name(part.name), size(part.bytes)
    item = QListWidgetItem(tr("choose.row", name=name, n=part.files, size=held))
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsSelectable)
    item.setCheckState(Qt.CheckState.Unchecked)
    item.setToolTip(readable(part.name))
    item.setData(_COUNT, part)
    return item
