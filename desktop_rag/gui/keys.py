"""The keys of the window, as data: what F1 lists is what is bound."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import say, tr


@dataclass(frozen=True, slots=True)
class Key:
    """One verb and the keys that ask for it; Qt turns Ctrl into ⌘ on macOS."""

    verb: str
    keys: tuple[str, ...]


_HIT_KEYS = ("Ctrl+Alt+Left", "Ctrl+Alt+Right") if sys.platform == "darwin" else (
    "Alt+Left", "Alt+Right",
)  # fmt: skip
"""Alt with an arrow moves the cursor by a word on macOS."""

KEYS = (
    Key("search", ("Ctrl+K",)),
    Key("ask", ("Ctrl+L",)),
    Key("add_files", ("Ctrl+O",)),
    Key("add_folder", ("Ctrl+Shift+O",)),
    Key("new_chat", ("Ctrl+N",)),
    Key("chats", ("Ctrl+H",)),
    Key("narrow", ("Ctrl+Shift+L",)),
    Key("library_pane", ("Ctrl+1",)),
    Key("chat_pane", ("Ctrl+2",)),
    Key("source_pane", ("Ctrl+3",)),
    Key("next_pane", ("F6",)),
    Key("previous_hit", (_HIT_KEYS[0],)),
    Key("next_hit", (_HIT_KEYS[1],)),
    Key("find", ("Ctrl+F",)),
    Key("go_to_page", ("Ctrl+G",)),
    Key("larger", ("Ctrl++", "Ctrl+=")),
    Key("smaller", ("Ctrl+-",)),
    Key("usual_size", ("Ctrl+0",)),
    Key("settings", ("Ctrl+,",)),
    Key("refresh", ("F5",)),
    Key("pause", ("Ctrl+P",)),
    Key("help", ("F1",)),
    Key("back", ("Esc",)),
)


def bind(window: QWidget, verbs: Mapping[str, Callable[[], object]]) -> None:
    """Bind every key to its verb.

    Raises:
        KeyError: a verb has nothing to do.
    """
    for key in KEYS:
        for sequence in key.keys:
            QShortcut(QKeySequence(sequence), window, verbs[key.verb])


class KeysDialog(QDialog):
    """What F1 shows: every key, and a way to the guide."""

    def __init__(self, ask_guide: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        say(self, "keys.title", "setWindowTitle")
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        half = (len(KEYS) + 1) // 2
        for position, key in enumerate(KEYS):
            row, column = position % half, 2 * (position // half)
            shown = QKeySequence(key.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
            grid.addWidget(named(QLabel(shown), "keyCap"), row, column)
            grid.addWidget(QLabel(tr(f"keys.{key.verb}")), row, column + 1)
        guide, close = named(QPushButton(), "quiet"), named(QPushButton(), "primary")
        say(guide, "start.guide")
        say(close, "dialog.close")
        guide.clicked.connect(self.accept)
        guide.clicked.connect(ask_guide)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.setSpacing(16)
        layout.addLayout(grid)
        foot = QHBoxLayout()
        foot.addWidget(guide)
        foot.addStretch()
        foot.addWidget(close)
        layout.addLayout(foot)
