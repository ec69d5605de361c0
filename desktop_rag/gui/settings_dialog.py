"""The settings, drawn from their declaration; a change counts at once."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.foundation.settings import SETTINGS, Setting
from desktop_rag.gui.labels import named
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.strings import current_language, language_changed, say


class SettingsDialog(QDialog):
    """One row a setting: its name, a field for its type, a sentence about it."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._said: list[tuple[QLabel, QLabel, QWidget, Setting[Any]]] = []
        self.fields: dict[str, QWidget] = {}
        say(self, "settings.title", "setWindowTitle")
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(6)
        for setting in SETTINGS:
            self._add_row(form, setting)
        close = named(QPushButton(), "primary")
        say(close, "dialog.close")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.setSpacing(18)
        layout.addLayout(form)
        layout.addLayout(foot)
        language_changed.connect(self._say)
        self._say()

    def _add_row(self, form: QFormLayout, setting: Setting[Any]) -> None:
        name, help_text = QLabel(), named(QLabel(wordWrap=True), "soft")
        field = self._choice(setting) if setting.choices else self._number(setting)
        name.setBuddy(field)
        self.fields[setting.key] = field
        form.addRow(name, field)
        form.addRow(help_text)
        self._said.append((name, help_text, field, setting))

    def _choice(self, setting: Setting[Any]) -> QComboBox:
        box = QComboBox()
        for choice in setting.choices:
            box.addItem(choice.value, choice.value)
        box.setCurrentIndex(box.findData(self._preferences.settings.get(setting)))
        box.activated.connect(lambda index: self._preferences.change(setting, box.itemData(index)))
        return box

    def _number(self, setting: Setting[Any]) -> QSpinBox:
        box = QSpinBox()
        box.setKeyboardTracking(False)
        box.setRange(int(setting.minimum or 0), int(setting.maximum or 2**31 - 1))
        box.setValue(int(self._preferences.settings.get(setting)))
        box.valueChanged.connect(lambda value: self._preferences.change(setting, value))
        return box

    def _say(self) -> None:
        language = current_language()
        for name, help_text, field, setting in self._said:
            name.setText(setting.label(language))
            help_text.setText(setting.help(language))
            field.setAccessibleName(setting.label(language))
            if isinstance(field, QComboBox):
                for index, choice in enumerate(setting.choices):
                    field.setItemText(index, choice.label(language))
