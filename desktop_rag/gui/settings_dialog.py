"""The settings, drawn from their declaration; a change counts at once."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.foundation.model_settings import MODEL_SETTINGS
from desktop_rag.foundation.settings import SETTINGS, Setting
from desktop_rag.gui.labels import named
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.strings import current_language, language_changed, say

_WIDTH = 560
_OF_SCREEN = 0.85


class SettingsDialog(QDialog):
    """One row a setting: its name, a field for its type, a sentence about it.

    ``models_wanted`` asks for the page of language models.
    """

    models_wanted = Signal()

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
            if setting in MODEL_SETTINGS:  # they have a page of their own
                continue
            self._add_row(form, setting)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.setSpacing(18)
        layout.addWidget(_scrolled(form))
        layout.addLayout(self._foot())
        self.resize(_WIDTH, min(form.sizeHint().height() + 120, _screen_share(self)))
        language_changed.connect(self._say)
        self._say()

    def _foot(self) -> QHBoxLayout:
        close = named(QPushButton(), "primary")
        say(close, "dialog.close")
        close.clicked.connect(self.accept)
        models = named(QPushButton(), "quiet")
        say(models, "settings.models")
        models.clicked.connect(self.models_wanted)
        foot = QHBoxLayout()
        foot.addWidget(models)
        foot.addStretch()
        foot.addWidget(close)
        return foot

    def _add_row(self, form: QFormLayout, setting: Setting[Any]) -> None:
        name, help_text = QLabel(), named(QLabel(wordWrap=True), "soft")
        field = self._field(setting)
        name.setBuddy(field)
        self.fields[setting.key] = field
        form.addRow(name, field)
        form.addRow(help_text)
        self._said.append((name, help_text, field, setting))

    def _field(self, setting: Setting[Any]) -> QWidget:
        if setting.choices:
            return self._choice(setting)
        if setting.type is str:
            return self._line(setting)
        return self._check(setting) if setting.type is bool else self._number(setting)

    def _check(self, setting: Setting[bool]) -> QCheckBox:
        box = QCheckBox()
        box.setChecked(self._preferences.settings.get(setting))
        box.toggled.connect(lambda checked: self._preferences.change(setting, checked))
        return box

    def _choice(self, setting: Setting[Any]) -> QComboBox:
        box = QComboBox()
        for choice in setting.choices:
            box.addItem(choice.value, choice.value)
        box.setCurrentIndex(box.findData(self._preferences.settings.get(setting)))
        box.activated.connect(lambda index: self._preferences.change(setting, box.itemData(index)))
        return box

    def _line(self, setting: Setting[str]) -> QLineEdit:
        line = QLineEdit(self._preferences.settings.get(setting))
        line.editingFinished.connect(lambda: self._preferences.change(setting, line.text()))
        return line

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


def _scrolled(form: QFormLayout) -> QScrollArea:
    """Return a form that may be longer than the screen is high."""
    page = QWidget()
    page.setLayout(form)
    form.setContentsMargins(0, 0, 8, 0)
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(page)
    return area


def _screen_share(widget: QWidget) -> int:
    return int(_OF_SCREEN * widget.screen().availableGeometry().height())
