"""The settings, drawn from their declaration; a change counts at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.foundation.living_settings import LIVING
from desktop_rag.foundation.model_settings import MODEL_SETTINGS
from desktop_rag.foundation.settings import SETTINGS, Setting
from desktop_rag.foundation.step_settings import STEP_SETTINGS
from desktop_rag.gui import theme
from desktop_rag.gui.labels import named
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.strings import current_language, language_changed, name_for_readers, say, tr

_WIDTH, _HEIGHT, _NAMES_WIDTH = 840, 620, 180
_OF_SCREEN = 0.85


_STEPS = tuple(setting.key for setting in STEP_SETTINGS)

PAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("appearance", ("theme", "text_size")),
    ("language", ("language",)),
    ("answers", ("when_not_found", "not_found_text", "rerank_folder", *_STEPS)),
    ("speed", ("speed", "ocr_page_seconds", "read_seconds_limit", "read_memory_mb")),
    ("living", tuple(setting.key for setting in LIVING)),
)
"""Which settings stand on which page; all others are about reading."""

READING = "reading"


class SettingsDialog(QDialog):
    """One row a setting: its name, a field for its type, its default, a sentence about it.

    Args:
        preferences: the values, changed at once.
        pages: more pages, each with the key of its name.
        parent: the window.
    """

    def __init__(
        self,
        preferences: Preferences,
        pages: Sequence[tuple[str, QWidget]] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._rows: list[_Row] = []
        self.fields: dict[str, QWidget] = {}
        self.resets: dict[str, QPushButton] = {}
        say(self, "settings.title", "setWindowTitle")
        self.search = QLineEdit(clearButtonEnabled=True)
        say(self.search, "settings.search", "setPlaceholderText")
        name_for_readers(self.search, "settings.search")
        self.names, self.stack = named(QListWidget(), "settingsPages"), QStackedWidget()
        name_for_readers(self.names, "settings.pages")
        self.names.setToolTip("")
        self.names.setMaximumWidth(theme.current.pixels(_NAMES_WIDTH))
        self.names.setSpacing(3)
        self._keys: list[str] = []
        self._others: dict[str, QWidget] = {}
        self._fill(pages)
        self._lay_out()
        self.resize(
            theme.current.pixels(_WIDTH), min(theme.current.pixels(_HEIGHT), _screen_share(self))
        )
        language_changed.connect(self._say)
        self._say()
        self.names.setCurrentRow(0)

    def _lay_out(self) -> None:
        self.names.currentRowChanged.connect(self.stack.setCurrentIndex)
        self.search.textChanged.connect(self._find)
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addWidget(self.names)
        middle.addWidget(self.stack, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(self.search)
        layout.addLayout(middle, 1)
        layout.addLayout(self._foot())

    def _fill(self, pages: Sequence[tuple[str, QWidget]]) -> None:
        """Make a page of each group of settings, then add the others."""
        shown = [setting for setting in SETTINGS if setting not in MODEL_SETTINGS]
        placed = {key for _, keys in PAGES for key in keys}
        rest = tuple(setting.key for setting in shown if setting.key not in placed)
        for page, keys in ((READING, rest), *PAGES):
            form = QFormLayout()
            form.setHorizontalSpacing(16)
            form.setVerticalSpacing(6)
            form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
            for setting in shown:
                if setting.key in keys:
                    self._add_row(form, setting, page)
            rows = QWidget()
            rows.setLayout(form)
            form.setContentsMargins(0, 0, 8, 0)
            self._add_page(page, _scrolled(rows))
        for page, widget in pages:
            self._others[page] = widget
            self._add_page(page, _scrolled(widget))

    def _add_page(self, key: str, widget: QWidget) -> None:
        self._keys.append(key)
        self.names.addItem(tr(f"settings.page_{key}"))
        self.stack.addWidget(widget)

    def _find(self, text: str) -> None:
        """Show the settings whose name or sentence has all words, and their pages alone."""
        words, language = text.casefold().split(), current_language()
        hit: set[str] = set()
        for row in self._rows:
            told = f"{row.setting.label(language)} {row.setting.help(language)}".casefold()
            found = all(word in told for word in words)
            row.form.setRowVisible(row.line, found)
            row.form.setRowVisible(row.help_text, found)
            hit |= {row.page} if found else set()
        hit |= {key for key, page in self._others.items() if _tells(page, words)}
        for position, key in enumerate(self._keys):
            named_so = any(word in self.names.item(position).text().casefold() for word in words)
            self.names.item(position).setHidden(bool(words) and key not in hit and not named_so)
        if self.names.currentItem() is not None and self.names.currentItem().isHidden():
            left = [n for n in range(self.names.count()) if not self.names.item(n).isHidden()]
            self.names.setCurrentRow(left[0] if left else self.names.currentRow())

    def _foot(self) -> QHBoxLayout:
        close = named(QPushButton(), "primary")
        say(close, "dialog.close")
        close.clicked.connect(self.accept)
        close.setAutoDefault(False)  # Enter in the search field closes nothing
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(close)
        return foot

    def _add_row(self, form: QFormLayout, setting: Setting[Any], page: str) -> None:
        name, help_text = QLabel(), named(QLabel(wordWrap=True), "soft")
        field, reset = self._field(setting), named(QPushButton(), "quiet")
        reset.setAutoDefault(False)
        reset.clicked.connect(lambda: self._reset(setting))
        name.setBuddy(field)
        self.fields[setting.key], self.resets[setting.key] = field, reset
        line = QWidget()
        inner = QHBoxLayout(line)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(field, 1)
        inner.addWidget(reset)
        form.addRow(name, line)
        form.addRow(help_text)
        self._rows.append(_Row(page, form, name, line, help_text, field, reset, setting))

    def _change(self, setting: Setting[Any], value: Any) -> None:  # noqa: ANN401
        self._preferences.change(setting, value)
        self._offer_reset(setting)

    def _reset(self, setting: Setting[Any]) -> None:
        self._change(setting, setting.default)
        field = self.fields[setting.key]
        with QSignalBlocker(field):
            if isinstance(field, QComboBox):
                field.setCurrentIndex(field.findData(setting.default))
            elif isinstance(field, QLineEdit):
                field.setText(setting.default)
            elif isinstance(field, QCheckBox):
                field.setChecked(setting.default)
            elif isinstance(field, QSpinBox):
                field.setValue(int(setting.default))

    def _offer_reset(self, setting: Setting[Any]) -> None:
        changed = self._preferences.settings.get(setting) != setting.default
        self.resets[setting.key].setEnabled(changed)

    def _field(self, setting: Setting[Any]) -> QWidget:
        if setting.choices:
            return self._choice(setting)
        if setting.type is str:
            return self._line(setting)
        return self._check(setting) if setting.type is bool else self._number(setting)

    def _check(self, setting: Setting[bool]) -> QCheckBox:
        box = QCheckBox()
        box.setChecked(self._preferences.settings.get(setting))
        box.toggled.connect(lambda checked: self._change(setting, checked))
        return box

    def _choice(self, setting: Setting[Any]) -> QComboBox:
        box = QComboBox()
        for choice in setting.choices:
            box.addItem(choice.value, choice.value)
        box.setCurrentIndex(box.findData(self._preferences.settings.get(setting)))
        box.activated.connect(lambda index: self._change(setting, box.itemData(index)))
        return box

    def _line(self, setting: Setting[str]) -> QLineEdit:
        line = QLineEdit(self._preferences.settings.get(setting))
        line.editingFinished.connect(lambda: self._change(setting, line.text()))
        return line

    def _number(self, setting: Setting[Any]) -> QSpinBox:
        box = QSpinBox()
        box.setKeyboardTracking(False)
        box.setRange(int(setting.minimum or 0), int(setting.maximum or 2**31 - 1))
        box.setValue(int(self._preferences.settings.get(setting)))
        box.valueChanged.connect(lambda value: self._change(setting, value))
        return box

    def _say(self) -> None:
        language = current_language()
        for position, key in enumerate(self._keys):
            self.names.item(position).setText(tr(f"settings.page_{key}"))
        for row in self._rows:
            setting = row.setting
            label, default = setting.label(language), _default_words(setting, language)
            row.name.setText(label)
            row.help_text.setText(setting.help(language))
            row.field.setAccessibleName(label)
            row.field.setAccessibleDescription(setting.help(language))
            row.reset.setText(tr("settings.reset"))
            row.reset.setToolTip(tr("settings.default", value=default))
            row.reset.setAccessibleName(tr("settings.reset_name", name=label))
            self._offer_reset(setting)
            if isinstance(row.field, QComboBox):
                for index, choice in enumerate(setting.choices):
                    row.field.setItemText(index, choice.label(language))
        self._find(self.search.text())


@dataclass(frozen=True, slots=True)
class _Row:
    """A setting's widgets, and where they stand."""

    page: str
    form: QFormLayout
    name: QLabel
    line: QWidget
    help_text: QLabel
    field: QWidget
    reset: QPushButton
    setting: Setting[Any]


def _default_words(setting: Setting[Any], language: str) -> str:
    for choice in setting.choices:
        if choice.value == setting.default:
            return choice.label(language)
    if isinstance(setting.default, bool):
        return tr("settings.on" if setting.default else "settings.off")
    return str(setting.default) or tr("settings.none")


def _tells(page: QWidget, words: Sequence[str]) -> bool:
    """Return whether the page's labels and buttons have all words."""
    labels, buttons = page.findChildren(QLabel), page.findChildren(QAbstractButton)
    told = " ".join([*(x.text() for x in labels), *(x.text() for x in buttons)]).casefold()
    return all(word in told for word in words)


def _scrolled(page: QWidget) -> QScrollArea:
    """Return a page that may be longer than the screen is high."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the field that has the focus
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area


def _screen_share(widget: QWidget) -> int:
    return int(_OF_SCREEN * widget.screen().availableGeometry().height())
