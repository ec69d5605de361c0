"""The page of the first start: what to do, that it stays private, and a first question."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import say


class StartPage(QWidget):
    """Adds files, or asks the user guide."""

    add_files_wanted = Signal()
    add_folder_wanted = Signal()
    guide_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self._words("start.title", "startTitle")
        what = self._words("start.what", "startWords")
        private = self._words("start.private", "soft")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(40, 24, 40, 24)
        layout.setSpacing(14)
        layout.addStretch(2)
        for widget in (title, what, private):
            layout.addWidget(widget)
        layout.addSpacing(8)
        layout.addWidget(self._drop_zone())
        layout.addSpacing(8)
        layout.addWidget(self._guide_row())
        layout.addStretch(3)

    def _words(self, key: str, name: str) -> QLabel:
        label = named(QLabel(wordWrap=True), name)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        say(label, key)
        return label

    def _drop_zone(self) -> QFrame:
        zone = named(QFrame(), "dropZone")
        layout = QVBoxLayout(zone)
        layout.setContentsMargins(24, 28, 24, 28)
        layout.setSpacing(14)
        layout.addWidget(self._words("start.drop", "startDrop"))
        row = QHBoxLayout()
        row.addStretch()
        buttons = (
            ("start.add_folder", "primary", "folder", "on_accent", self.add_folder_wanted),
            ("start.add_files", "outlined", "file", "text", self.add_files_wanted),
        )
        for key, name, icon, token, signal in buttons:
            button = named(QPushButton(), name)
            say(button, key)
            icons.put(button, icon, token)
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addStretch()
        layout.addLayout(row)
        return zone

    def _guide_row(self) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        self.guide = named(QPushButton(), "quiet")
        say(self.guide, "start.guide")
        icons.put(self.guide, "guide", "accent")
        self.guide.clicked.connect(self.guide_wanted)
        layout.addStretch()
        layout.addWidget(self.guide)
        layout.addStretch()
        return row
