"""Words that are out of the way until somebody wants them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.labels import named


class Folded(QWidget):
    """A line that unfolds a text below it, with the mouse or the keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = named(QPushButton(), "link")
        self.button.setCheckable(True)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.words = named(QLabel(wordWrap=True), "folded")
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.words.hide()
        self.button.toggled.connect(self._unfold)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.button)
        layout.addWidget(self.words)
        self._unfold(False)

    def show_words(self, title: str, words: str) -> None:
        """Set the line and what it unfolds; without words the whole is hidden."""
        self.button.setText(title)
        self.words.setText(words)
        self.words.setAccessibleName(title)
        self.button.setAccessibleDescription(words)
        self.setVisible(bool(words))

    def _unfold(self, unfolded: bool) -> None:
        icons.put(self.button, "down" if unfolded else "next", "soft", 10)
        self.words.setVisible(unfolded)
