"""A bar above the panes: the worst trouble, what to do about it, a way to put it aside."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import name_for_readers, tr
from desktop_rag.gui.trouble.remedies import Remedy


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that the user should know of; ``key`` tells it from others."""

    key: str
    title: str
    message: str
    remedies: tuple[Remedy, ...] = field(default=())


class TroubleBar(QFrame):
    """Hidden while there is no trouble. ``wanted`` asks for a remedy."""

    wanted = Signal(object, object)
    put_aside = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("troubleBar")
        self.trouble: Trouble | None = None
        self.title = named(QLabel(wordWrap=True), "troubleTitle")
        self.message = named(QLabel(wordWrap=True), "troubleWords")
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons: list[QPushButton] = []
        self._row = QWidget()
        self._flow = FlowLayout(self._row)
        close = named(QPushButton(), "iconButton")
        icons.put(close, "close", "soft", 14)
        name_for_readers(close, "trouble.put_aside")
        close.clicked.connect(self._put_aside)
        words = QVBoxLayout()
        words.setSpacing(2)
        for widget in (self.title, self.message, self._row):
            words.addWidget(widget)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 10, 8, 10)
        layout.addLayout(words, 1)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_trouble(self, trouble: Trouble | None) -> None:
        """Show one trouble, or none."""
        if trouble == self.trouble:
            return
        self.trouble = trouble
        for button in self.buttons:
            self._flow.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        if trouble is not None:
            self.title.setText(trouble.title)
            self.message.setText(trouble.message)
            for remedy in trouble.remedies:
                button = named(QPushButton(tr(f"remedy.{remedy.value}")), "outlined")
                button.clicked.connect(partial(self.wanted.emit, remedy, trouble))
                self._flow.addWidget(button)
                self.buttons.append(button)
            self.setAccessibleName(f"{trouble.title}. {trouble.message}")
        self._row.setVisible(bool(self.buttons))
        self.setVisible(trouble is not None)

    def _put_aside(self) -> None:
        if self.trouble is not None:
            self.put_aside.emit(self.trouble)
