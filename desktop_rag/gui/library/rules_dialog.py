"""What a source leaves out: the rules are seen, added, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui import theme
from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import name_for_readers, say
from desktop_rag.gui.words import file_name

if TYPE_CHECKING:
    from desktop_rag.domain.files import Source


class RulesDialog(QDialog):
    """``changed`` brings the source's path, the rules to add, and those to take back."""

    changed = Signal(str, list, list)

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self.resize(theme.current.pixels(480), theme.current.pixels(400))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        say(self, "rules.title", "setWindowTitle")
        heading, how = named(QLabel(wordWrap=True), "heading"), named(QLabel(wordWrap=True), "soft")
        say(heading, "rules.heading", name=file_name(source.path))
        say(how, "rules.how")
        self.list = QListWidget()
        self.list.addItems(source.ignore_rules)
        name_for_readers(self.list, "rules.list")
        self.field = QLineEdit()
        say(self.field, "rules.new", "setPlaceholderText")
        name_for_readers(self.field, "rules.new")
        self.add, self.drop, self.save = (
            QPushButton(),
            QPushButton(),
            named(QPushButton(), "primary"),
        )
        self._build(heading, how)

    def _build(self, heading: QLabel, how: QLabel) -> None:
        say(self.add, "rules.add")
        say(self.drop, "rules.drop")
        say(self.save, "rules.save")
        cancel = QPushButton()
        say(cancel, "dialog.cancel")
        for button in (self.add, self.drop, self.save, cancel):
            button.setAutoDefault(False)
        self.field.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        self.drop.clicked.connect(self._drop)
        self.save.clicked.connect(self._save)
        cancel.clicked.connect(self.reject)
        self.list.itemSelectionChanged.connect(self._offer)
        self._offer()
        new, foot = QHBoxLayout(), QHBoxLayout()
        new.addWidget(self.field, 1)
        new.addWidget(self.add)
        foot.addWidget(self.drop)
        foot.addStretch()
        foot.addWidget(cancel)
        foot.addWidget(self.save)
        layout = self._column(heading)
        layout.addLayout(new)
        layout.addWidget(how)
        layout.addLayout(foot)

    def _column(self, heading: QLabel) -> QVBoxLayout:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(self.list, 1)
        return layout

    @property
    def _rules(self) -> list[str]:
        return [self.list.item(row).text() for row in range(self.list.count())]

    def _offer(self) -> None:
        self.drop.setEnabled(bool(self.list.selectedItems()))

    def _add(self) -> None:
        rule = self.field.text().strip()
        if rule and not self.list.findItems(rule, Qt.MatchFlag.MatchExactly):
            self.list.addItem(rule)
        self.field.clear()

    def _drop(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))

    def _save(self) -> None:
        self._add()
        before, now = self._source.ignore_rules, self._rules
        added = [rule for rule in now if rule not in before]
        dropped = [rule for rule in before if rule not in now]
        self.accept()
        if added or dropped:
            self.changed.emit(self._source.path, added, dropped)
