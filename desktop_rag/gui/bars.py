"""The bars above and below the panes."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from desktop_rag.gui.labels import named
from desktop_rag.gui.models.line import ModelLine
from desktop_rag.gui.search.field import SearchField
from desktop_rag.gui.strings import name_for_readers, say

_WIDEST_SEARCH = 520


class TopBar(QWidget):
    """The product's name, the search field, the language, the settings."""

    language_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self, field: SearchField, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = named(QLabel("Desktop RAG"), "product")
        language = named(QPushButton(), "quiet")
        say(language, "top.other_language")
        name_for_readers(language, "top.other_language_name")
        settings = named(QPushButton(), "quiet")
        say(settings, "top.settings")
        language.clicked.connect(self.language_wanted)
        settings.clicked.connect(self.settings_wanted)
        field.setMaximumWidth(_WIDEST_SEARCH)
        right = QWidget()
        buttons = QHBoxLayout(right)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(4)
        buttons.addStretch()
        buttons.addWidget(language)
        buttons.addWidget(settings)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(name, 2)
        row.addWidget(field, 3)
        row.addWidget(right, 2)


class BottomBar(QWidget):
    """That everything stays here, and who writes the answers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        privacy = named(QLabel(), "soft")
        say(privacy, "bottom.private")
        self.answers = ModelLine()
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 2, 0)
        row.addWidget(privacy)
        row.addStretch()
        row.addWidget(self.answers)
