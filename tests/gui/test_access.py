"""Everything that takes the focus has a name for screen readers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractScrollArea, QComboBox, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.keys import KeysDialog
from desktop_rag.gui.library.problems import ProblemsDialog
from desktop_rag.gui.library.rules_dialog import RulesDialog
from desktop_rag.gui.settings_dialog import SettingsDialog
from tests.gui.conftest import OpenWindow


def nameless(root: QWidget) -> list[str]:
    """Return the widgets that the keyboard reaches and a screen reader has no word for."""
    found = []
    for widget in root.findChildren(QWidget):
        inside = widget.parentWidget()
        qts_own = widget.objectName().startswith("qt_") or isinstance(widget.window(), QMenu)
        of_box = type(inside).__name__ == "QFrame" and isinstance(inside.parent(), QComboBox)
        part = isinstance(inside, QAbstractScrollArea) or qts_own or of_box
        reached = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and not part
        shut = inside is not None and inside.isHidden()  # what has no words yet
        unused = isinstance(widget, QPushButton) and (shut or widget.isHidden())
        if not reached or unused or widget.focusProxy() is not None:
            continue
        spoken = QAccessible.queryAccessibleInterface(widget)
        told = spoken.text(QAccessible.Text.Name) if spoken is not None else ""
        if not (widget.accessibleName() or told).strip():
            found.append(
                f"{type(widget).__name__} {widget.objectName()} in {type(inside).__name__}"
            )
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_window_and_its_dialogs_have_names(
    qtbot: QtBot, open_window: OpenWindow, language: str
) -> None:
    window, _ = open_window(language=language)
    window.chat_controller.ask("When can it be ended?")
    qtbot.waitUntil(lambda: not window.chat_controller.busy)
    verbs = window.verbs
    verbs.settings()
    verbs.problems()
    verbs.help()
    verbs.on_row("rules", window.library.model.tree.groups[0])
    for kind in (SettingsDialog, ProblemsDialog, KeysDialog, RulesDialog):
        assert window.findChildren(kind), kind
    left = nameless(window)
    assert "; ".join(left) == ""
