from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library import about_rows
from desktop_rag.gui.library.details import DetailsDialog, page_lines
from desktop_rag.gui.library.rules_dialog import RulesDialog
from desktop_rag.gui.window import MainWindow
from tests.gui.conftest import OpenWindow
from tests.helpers.window_services import example_files


def choose(window: MainWindow, row: int, word: str) -> None:
    menu = window.library.view.menu_of(window.library.model.index(row, 0))
    next(action for action in menu.actions() if action.text() == word).trigger()
    menu.close()


def shown(qtbot: QtBot, window: MainWindow, kind: type[Any]) -> Any:
    found: list[Any] = []

    def look() -> bool:
        found[:] = [d for d in window.findChildren(QDialog) if isinstance(d, kind)]
        return bool(found) and found[0].isVisible()

    qtbot.waitUntil(cast("Callable[[], bool]", look))
    return found[0]


def row_of(window: MainWindow, file_id: int) -> int:
    return window.library.model.index_of(file_id).row()


def test_details_say_what_was_read_page_by_page(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    choose(window, row_of(window, 3), "Details…")
    dialog = shown(qtbot, window, DetailsDialog)
    model = dialog.pages.model()
    lines = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert lines[0] == "Page 1: read"
    assert lines[2] == "Pages 3 to 4: read"
    assert lines[1].startswith("Page 2: ")
    assert lines[-1].startswith("Page 9: ")
    facts = dict(dialog.facts)
    assert facts["details.state"] == "3 pages not read"
    assert facts["details.read"] == "6 of 9 parts"
    assert facts["details.size"] == "1.0 kB"
    assert "Ignore" in [button.text() for button in dialog.findChildren(QPushButton)]
    again = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Try again")
    again.click()
    qtbot.waitUntil(lambda: ("retry", [3]) in services.library.calls)


def test_details_say_what_was_found_and_why_a_file_was_not_read(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    choose(window, row_of(window, 1), "Details…")
    dialog = shown(qtbot, window, DetailsDialog)
    assert dict(dialog.facts)["details.found"].startswith("PDF · ")
    assert "in English" in dict(dialog.facts)["details.found"]
    dialog.accept()
    qtbot.waitUntil(lambda: not window.findChildren(DetailsDialog))
    choose(window, row_of(window, 9), "Details…")
    facts = dict(shown(qtbot, window, DetailsDialog).facts)
    assert "needs a password" in facts["details.reason"]


def test_a_file_that_was_not_read_has_no_pages() -> None:
    assert not list(page_lines(example_files()[3]))


def test_rules_are_seen_added_and_taken_back(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = open_window()
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(about_rows, "change_rules", lambda *given: asked.append(given[1:4]))
    source = window.library.model.tree.groups[0].source
    object.__setattr__(source, "ignore_rules", ("*.tmp", "/drafts/"))
    choose(window, 0, "What is left out…")
    dialog = shown(qtbot, window, RulesDialog)
    assert [dialog.list.item(n).text() for n in range(2)] == ["*.tmp", "/drafts/"]
    dialog.list.setCurrentRow(0)
    dialog.drop.click()
    qtbot.keyClicks(dialog.field, "*.log")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    dialog.save.click()
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [(source.path, ["*.log"], ["*.tmp"])]


def test_an_ignored_file_is_taken_back(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    choose(window, row_of(window, 10), "Read it again")
    path = services.library.records[10].path
    qtbot.waitUntil(lambda: ("add", [path]) in services.library.calls)


def test_rows_can_be_dragged_out_as_files(open_window: OpenWindow) -> None:
    window, _ = open_window()
    model = window.library.model
    index = model.index_of(1)
    assert model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    data = model.mimeData([index, model.index(0, 0)])
    assert [url.toLocalFile() for url in data.urls()] == [
        "/home/ada/Contracts/Lease 2024-08.pdf",
        "/home/ada/Contracts",
    ]
    assert window.library.view.dragEnabled()
