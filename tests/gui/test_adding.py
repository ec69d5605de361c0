"""A great number of files is counted and asked about before it is added."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.library import adding
from desktop_rag.gui.library.choosing import ChoosingDialog
from desktop_rag.gui.window import MainWindow
from desktop_rag.services import surveying
from desktop_rag.services.surveying import Count, Survey
from tests.gui.conftest import OpenWindow


def added(services: object) -> list[object]:
    return [value for name, value in services.library.calls if name == "add"]  # type: ignore[attr-defined]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    docs = tmp_path / "drop"
    docs.mkdir()
    for number in range(3):
        (docs / f"{number}.txt").write_text("words")
    return str(docs)


def test_a_usual_folder_is_added_without_a_question(
    qtbot: QtBot, open_window: OpenWindow, folder: str
) -> None:
    window, services = open_window()
    window.verbs.add([folder])
    qtbot.waitUntil(lambda: added(services) == [[folder]])


@pytest.mark.parametrize("agreed", [True, False])
def test_much_is_asked_about_with_its_cost(
    qtbot: QtBot,
    open_window: OpenWindow,
    folder: str,
    monkeypatch: pytest.MonkeyPatch,
    agreed: bool,
) -> None:
    monkeypatch.setattr(surveying, "_BIG_FILES", 2)
    asked: list[str] = []

    def choose(box: QMessageBox) -> int:
        asked.extend((box.text(), box.informativeText()))
        button = next(b for b in box.buttons() if b.text() == ("Add" if agreed else "Cancel"))
        button.click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", choose)
    window, services = open_window()
    window.verbs.add([folder])
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked[0] == "Add 3 files (15 bytes)?"
    lines = asked[1].split("\n")
    assert lines[0].startswith("Reading them takes less than a minute in the background and ")
    assert lines[1:] == ["Most of them: TXT 3"]
    if agreed:
        qtbot.waitUntil(lambda: added(services) == [[folder]])
    else:
        _let_pass(qtbot, window)
        assert added(services) == []


def test_folders_of_a_great_drop_are_chosen(
    qtbot: QtBot, open_window: OpenWindow, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surveying, "_BIG_FILES", 4)
    for name in ("Letters", "Music", "Work"):
        (Path(folder) / name).mkdir()
        (Path(folder) / name / "a.txt").write_text("words")

    def choose(box: QMessageBox) -> int:
        next(b for b in box.buttons() if b.text() == "Choose folders…").click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", choose)
    window, services = open_window()
    window.verbs.add([folder])
    qtbot.waitUntil(lambda: window.findChild(ChoosingDialog) is not None)
    dialog = window.findChild(ChoosingDialog)
    assert isinstance(dialog, ChoosingDialog)
    items = [dialog.list.item(row) for row in range(dialog.list.count())]
    assert [item.text() for item in items] == [
        f"{name} – 1 file, 5 bytes" for name in ("Letters", "Music", "Work")
    ]
    assert not dialog.add.isEnabled()
    for item in (items[0], items[2]):
        item.setCheckState(Qt.CheckState.Checked)
    assert dialog.sum.text() == "Chosen: 2 files, 10 bytes"
    dialog.add.click()
    chosen = [str(Path(folder) / name) for name in ("Letters", "Work")]
    qtbot.waitUntil(lambda: added(services) == [chosen])


def test_a_home_and_what_is_known_are_told(qtbot: QtBot) -> None:
    counted = Survey(
        2, 9, 60.0, 9, 10**12, 1, (Count("", 1, 4), Count("pdf", 1, 5)), everything=True
    )
    lines = adding.about(counted).split("\n")
    assert lines[1:3] == ["Most of them: PDF 1", "1 more file is in the library already."]
    assert lines[3].startswith("This holds everything of yours")


def test_too_little_room_is_said_and_nothing_added(
    qtbot: QtBot, open_window: OpenWindow, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surveying, "_RESERVE", 10**18)
    window, services = open_window()
    errors: list[KnownError] = []
    window.operations.known_error.connect(errors.append)
    window.verbs.add([folder])
    qtbot.waitUntil(lambda: bool(errors))
    assert errors[0].title == "Not enough room"
    assert added(services) == []


def _let_pass(qtbot: QtBot, window: MainWindow) -> None:
    """Let whatever was begun come to its end."""
    done: list[int] = []
    window.operations.run(window, lambda _: None, lambda _: done.append(1))
    qtbot.waitUntil(lambda: bool(done))
