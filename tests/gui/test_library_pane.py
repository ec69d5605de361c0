from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.foundation.settings import SPEED
from desktop_rag.gui.library.problems import ProblemsDialog, advice
from desktop_rag.gui.library.tree import CHIPS, NOT_READ
from desktop_rag.gui.scope.chips import Chip
from desktop_rag.gui.window import MainWindow
from desktop_rag.ingestion.progress import Progress
from desktop_rag.services.library_engine import ANOTHER_MODEL
from desktop_rag.services.reports import LibraryEvent, ModelChange
from tests.gui.conftest import OpenWindow


def shown_ids(window: MainWindow) -> set[int]:
    groups = window.library.model.tree.groups
    return {record.id for group in groups for record in group.files}


def test_the_pane_shows_progress_problems_and_counts(open_window: OpenWindow) -> None:
    window, _ = open_window()
    foot = window.library.foot
    assert foot.line.text() == "Reading 3,210 of 9,800 files · about 4 min"
    assert (foot.bar.value(), foot.bar.maximum()) == (3210, 9800)
    assert foot.problems.text() == "3 not read"
    assert [window.library._chips.button(n).text() for n in range(3)] == [
        "All 10", "PDF 5", "Not read 3",
    ]  # fmt: skip


def test_the_pane_shows_which_page_is_recognised(open_window: OpenWindow) -> None:
    window, _ = open_window()
    foot = window.library.foot
    foot.show_progress(Progress("recognising", current="/docs/Lease.pdf", page=3, pages=9))
    assert foot.line.text() == "Recognising page 3 of 9 · Lease.pdf"
    assert (foot.bar.value(), foot.bar.maximum()) == (2, 9)
    assert foot.pause.isVisibleTo(foot)


def test_a_changed_model_says_its_cost_and_reads_when_allowed(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()
    services.library.change = ModelChange(12_345, 725.0)
    foot = window.library.foot
    foot.show_progress(Progress(notes=(ANOTHER_MODEL,), new_model=True))
    assert foot.line.isVisibleTo(foot)
    assert "found by their words alone" in foot.line.text()
    said: list[str] = []

    def choose(box: QMessageBox) -> int:
        said.append(box.informativeText())
        box.buttons()[len(said) % 2].click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", choose)
    foot.model.click()
    qtbot.waitUntil(lambda: len(said) == 1)
    assert said[0].startswith("12,345 passages, about 12 min.")
    assert services.library.change is not None
    foot.model.click()
    qtbot.waitUntil(lambda: services.library.change is None)
    foot.show_progress(Progress("relearning", page=5, pages=9, seconds_left=61.0))
    assert foot.line.text() == "The new language model reads 5 of 9 passages · about 1 min"
    assert (foot.bar.value(), foot.bar.maximum()) == (5, 9)
    foot.show_progress(Progress("relearning", page=0, pages=9))
    assert foot.bar.value() == 0
    assert not foot.model.isVisibleTo(foot)


def test_notes_are_in_the_windows_language(open_window: OpenWindow) -> None:
    window, _ = open_window(language="zh")
    late = "Changes in “Akten” are noticed after 30 seconds or more, because {}."
    notes = (
        ANOTHER_MODEL,
        late.format("the system tells of no changes there"),
        late.format("the system can watch no more folders"),
        "Disk full: There is no room.",
        "Something new.",
    )
    window.library.foot.show_progress(Progress(notes=notes))
    lines = window.library.foot.line.text().split("\n")
    assert lines[0].startswith("语言模型已更换")
    assert lines[1].startswith("“Akten”中的变化要在 30 秒")
    assert lines[3].startswith("磁盘上没有剩余空间")
    assert lines[4] == "Something new."


def test_typing_and_chips_filter(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    qtbot.keyClicks(window.library.field, "lease")
    qtbot.waitUntil(lambda: shown_ids(window) == {1, 5})
    window.library.field.clear()
    window.library._chips.button(CHIPS.index(NOT_READ)).click()
    qtbot.waitUntil(lambda: shown_ids(window) == {3, 4, 9})
    qtbot.keyClicks(window.library.field, "zzz")
    qtbot.waitUntil(lambda: not shown_ids(window))
    assert window.library._empty.text() == "No file matches the filter."


def test_more_filters_are_by_state_and_type(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    pane = window.library
    pane.offer_more()
    offered = {action.text(): action for action in pane.more.menu().actions()}
    assert list(offered) == [
        "Waiting 2", "Drive not connected 1", "Ignored 1", "Word 1", "Tables 1", "Plain text 3",
    ]  # fmt: skip
    offered["Tables 1"].trigger()
    qtbot.waitUntil(lambda: shown_ids(window) == {7})
    assert pane.more.text() == "Tables 1"
    pane._chips.button(0).click()
    qtbot.waitUntil(lambda: len(shown_ids(window)) == 11)
    assert pane.more.text() == "More"


def test_a_changed_file_is_looked_up_alone(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    library = services.library
    library.records[7] = replace(library.records[7], status=FileStatus.READY)
    whole = list[int]()
    window.feed.reset.connect(lambda: whole.append(1))
    library.tell(LibraryEvent("files", (7,)))
    qtbot.waitUntil(lambda: window.feed.records[7].status is FileStatus.READY)
    assert not whole
    index = window.library.model.index_of(7)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "figures.xlsx, ready"


def test_added_and_removed_files_appear_and_go(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    library = services.library
    path = "/home/ada/Research/new.txt"
    library.records[50] = FileRecord(50, 2, "new.txt", path, FileStatus.WAITING)
    del library.records[7]
    library.tell(LibraryEvent("files", (50, 7)))
    qtbot.waitUntil(lambda: 50 in shown_ids(window) and 7 not in shown_ids(window))


def test_a_flood_of_events_reads_the_whole_list(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    library = services.library
    for number in range(1000, 2000):
        path = f"/home/ada/Research/{number}.txt"
        library.records[number] = FileRecord(number, 2, f"{number}.txt", path, FileStatus.WAITING)
    for number in range(1000, 2000, 50):
        library.tell(LibraryEvent("files", tuple(range(number, number + 50))))
    qtbot.waitUntil(lambda: len(shown_ids(window)) == 1011)


def test_pause_and_resume_reach_the_library(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    foot = window.library.foot
    foot.pause.click()
    qtbot.waitUntil(lambda: foot.paused)
    assert foot.line.text() == "Paused at 3,210 of 9,800 files"
    assert foot.pause.text() == "Resume"
    foot.pause.click()
    qtbot.waitUntil(lambda: not foot.paused)
    assert [call for call, _ in services.library.calls if call != "start"] == ["pause", "resume"]


def test_an_idle_library_shows_no_bar(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    services.library.state = Progress(notes=("Changes in “x” are noticed late.",))
    services.library.tell(LibraryEvent("progress"))
    qtbot.waitUntil(lambda: not window.library.foot.bar.isVisible())
    assert window.library.foot.problems.isVisible()


def test_the_speed_button_changes_the_setting(open_window: OpenWindow) -> None:
    window, services = open_window()
    foot = window.library.foot
    assert foot.speed.text() == "In the background"
    foot.speed.click()
    assert foot.speed.text() == "Full speed"
    assert services.settings.get(SPEED) == "background"


def actions(window: MainWindow, file_id: int) -> dict[str, QAction]:
    menu = window.library.view.menu_of(window.library.model.index_of(file_id))
    return {action.text(): action for action in menu.actions() if action.text()}


def test_the_context_menu_offers_what_can_be_done(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    assert list(actions(window, 9)) == [
        "Open beside the chat", "Open in its own application", "Show in folder", "Try again",
        "Details…", "Ignore",
    ]  # fmt: skip
    assert "Try again" not in actions(window, 1)
    actions(window, 9)["Try again"].trigger()
    qtbot.waitUntil(lambda: ("retry", [9]) in services.library.calls)
    actions(window, 1)["Ask only about this"].trigger()
    assert window.chat.composer.chips == [Chip("file", "/home/ada/Contracts/Lease 2024-08.pdf")]
    actions(window, 7)["Read first"].trigger()
    qtbot.waitUntil(lambda: ("retry", [7]) in services.library.calls)
    source = window.library.view.menu_of(window.library.model.index(6, 0))
    (first,) = [action for action in source.actions() if action.text() == "Read first"]
    first.trigger()
    qtbot.waitUntil(lambda: ("add", ["/home/ada/Research"]) in services.library.calls)


def test_removing_asks_first(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()
    said: list[str] = []

    def accept(box: QMessageBox) -> int:
        said.append(box.text())
        box.buttons()[0].click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", accept)
    actions(window, 8)["Ignore"].trigger()
    path = "/home/ada/Research/field-notes.md"
    qtbot.waitUntil(lambda: ("remove", [path]) in services.library.calls)
    assert said == ["Leave “field-notes.md” out of the library?"]


def test_the_list_of_problems_says_what_to_do(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    window.library.foot.problems.click()
    dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, ProblemsDialog))
    model = dialog.list.model()
    lines = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    assert any("Minutes.pdf: needs a password" in line and "save a copy" in line for line in lines)
    assert "Page 2: no text" in advice(services.library.records[3])
    dialog.retry_wanted.emit([services.library.records[4]])
    qtbot.waitUntil(lambda: ("retry", [4]) in services.library.calls)
    dialog.close()


def test_the_list_is_worked_with_keys(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    view, model = window.library.view, window.library.model
    view.setCurrentIndex(model.index(0, 0))
    rows = model.rowCount()
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert model.rowCount() == rows - 5
    qtbot.keyClick(view, Qt.Key.Key_Right)
    view.setCurrentIndex(model.index_of(8))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(window.source.isVisible)
    assert window.source.header.name.text() == "field-notes.md"
