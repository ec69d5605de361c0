"""How a language model is run: fields for the settings that few people need."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QSpinBox, QWidget

from desktop_rag.foundation.model_settings import (
    MODEL_CONTEXT,
    MODEL_IDLE_MINUTES,
    MODEL_THREADS,
    STEPS_MODEL_FILE,
    STEPS_MODEL_KIND,
    STEPS_MODEL_NAME,
)
from desktop_rag.foundation.setting import Setting
from desktop_rag.foundation.settings import Settings
from desktop_rag.gui.strings import current_language, language_changed

_SHOWN: tuple[Setting[Any], ...] = (
    STEPS_MODEL_KIND,
    STEPS_MODEL_FILE,
    STEPS_MODEL_NAME,
    MODEL_IDLE_MINUTES,
    MODEL_CONTEXT,
    MODEL_THREADS,
)


class ModelOptions(QWidget):
    """One row a setting, its sentence as the tooltip; a change counts at once."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.fields: dict[str, QWidget] = {}
        self._labels: list[tuple[QLabel, QWidget, Setting[Any]]] = []
        form = QFormLayout(self)
        form.setContentsMargins(0, 8, 0, 0)
        for setting in _SHOWN:
            label, field = QLabel(), self._field(setting)
            label.setBuddy(field)
            form.addRow(label, field)
            self.fields[setting.key] = field
            self._labels.append((label, field, setting))
        language_changed.connect(self._say)
        self._say()

    def _field(self, setting: Setting[Any]) -> QWidget:
        value = self._settings.get(setting)
        if setting.choices:
            box = QComboBox()
            for choice in setting.choices:
                box.addItem(choice.value, choice.value)
            box.setCurrentIndex(box.findData(value))
            box.activated.connect(lambda n: self._settings.set(setting, box.itemData(n)))
            return box
        if setting.type is str:
            line = QLineEdit(value)
            line.editingFinished.connect(lambda: self._settings.set(setting, line.text()))
            return line
        number = QSpinBox()
        number.setKeyboardTracking(False)
        number.setRange(int(setting.minimum or 0), int(setting.maximum or 0))
        number.setValue(value)
        number.valueChanged.connect(lambda new: self._settings.set(setting, new))
        return number

    def _say(self) -> None:
        language = current_language()
        for label, field, setting in self._labels:
            label.setText(setting.label(language))
            field.setAccessibleName(setting.label(language))
            field.setToolTip(setting.help(language))
            if isinstance(field, QComboBox):
                for number, choice in enumerate(setting.choices):
                    field.setItemText(number, choice.label(language))
