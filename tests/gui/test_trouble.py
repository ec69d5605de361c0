"""Each trouble is caused, and told in words with something to do about it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QMessageBox
from pytestqt.qtbot import QtBot

import desktop_rag
from desktop_rag.domain.files import FileStatus, Problem, SourceState
from desktop_rag.foundation import paths
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.settings import SPEED, Settings
from desktop_rag.gui.app import Answers, run
from desktop_rag.gui.strings import tr
from desktop_rag.gui.trouble import place
from desktop_rag.gui.trouble.desk import ErrorDesk
from desktop_rag.gui.trouble.doing import Doer
from desktop_rag.gui.trouble.remedies import REMEDIES, Remedy
from desktop_rag.gui.trouble.report import crash_report
from desktop_rag.gui.window import MainWindow
from desktop_rag.services.reports import LibraryEvent
from tests.gui.conftest import OpenWindow
from tests.helpers.window_services import FakeServices

FULL = Problem("Disk full", "There is no room left on the disk. Make some room and try again.")


def told(window: MainWindow) -> str:
    bar = window.trouble_bar
    return bar.title.text() if bar.isVisible() else ""


def press(window: MainWindow, words: str) -> None:
    next(button for button in window.trouble_bar.buttons if button.text() == words).click()


def desk_of(window: MainWindow, data_dir: Path, again: Callable[[], object] = print) -> ErrorDesk:
    log = data_dir / "logs" / "desktop-rag.log"
    doer = Doer(window, data_dir, log, again)
    window.trouble_bar.wanted.connect(doer.do)
    return ErrorDesk(window, log, doer)


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[QMessageBox]:
    """The messages that would be open."""
    shown: list[QMessageBox] = []

    def note(box: QMessageBox) -> None:
        shown.append(box)

    monkeypatch.setattr(QMessageBox, "open", note)
    return shown


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the desktop was asked to open."""
    urls: list[str] = []

    def note(url: QUrl) -> bool:
        urls.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", note)
    return urls


def button_of(box: QMessageBox, words: str) -> QAbstractButton:
    return next(button for button in box.buttons() if button.text() == words)


def stall(qtbot: QtBot, window: MainWindow, services: FakeServices, problem: Any) -> None:
    services.library.state = replace(services.library.state, problem=problem)
    with qtbot.waitSignal(window.feed.progress_changed):
        services.library.tell(LibraryEvent("progress"))


def test_a_full_disk_is_told_until_there_is_room(
    qtbot: QtBot, open_window: OpenWindow, data_dir: Path, opened: list[str]
) -> None:
    window, services = open_window()
    desk_of(window, data_dir)
    stall(qtbot, window, services, FULL)
    assert told(window) == "Disk full"
    assert "no room left" in window.trouble_bar.message.text()
    press(window, "Show the data folder")
    assert opened == [QUrl.fromLocalFile(str(data_dir)).toString()]
    press(window, "Try again")
    qtbot.waitUntil(lambda: ("resume", None) in services.library.calls)
    stall(qtbot, window, services, None)
    assert told(window) != "Disk full"


def test_trouble_is_told_in_the_windows_language(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window(language="zh")
    stall(qtbot, window, services, FULL)
    assert told(window) == "磁盘已满"
    assert [b.text() for b in window.trouble_bar.buttons] == ["重试", "显示数据文件夹"]


def test_a_drive_that_is_gone_is_told_and_can_be_put_aside(
    qtbot: QtBot, open_window: OpenWindow, data_dir: Path
) -> None:
    window, services = open_window()
    desk_of(window, data_dir)
    assert told(window) == "“Mail archive” cannot be reached"
    press(window, "Look again")
    qtbot.waitUntil(lambda: ("refresh", None) in services.library.calls)
    trouble = window.trouble_bar.trouble
    assert trouble is not None
    window.trouble_bar._put_aside()
    assert told(window) == ""
    window.troubles.look()
    assert told(window) == ""
    for number, source in enumerate(services.library.source_list):
        services.library.source_list[number] = replace(source, state=SourceState.UNAVAILABLE)
    services.library.tell(LibraryEvent("sources"))
    qtbot.waitUntil(lambda: told(window).startswith("3 places cannot be reached"))


def test_another_model_is_told_with_what_it_costs(
    qtbot: QtBot, open_window: OpenWindow, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()
    asked: list[bool] = []
    monkeypatch.setattr(window.verbs, "new_model", lambda: asked.append(True))
    desk_of(window, data_dir)
    window.trouble_bar._put_aside()
    services.library.state = replace(services.library.state, new_model=True)
    services.library.tell(LibraryEvent("progress"))
    qtbot.waitUntil(lambda: "another language model" in told(window))
    press(window, "Have them read…")
    assert asked == [True]


def test_files_that_need_libreoffice_are_told_and_tried_again(
    qtbot: QtBot, open_window: OpenWindow, data_dir: Path, opened: list[str]
) -> None:
    window, services = open_window()
    desk_of(window, data_dir)
    window.trouble_bar._put_aside()
    record = window.feed.records[4]
    lacking = replace(record, status=FileStatus.FAILED, problem=Problem("Needs LibreOffice", "…"))
    services.library.records[4] = lacking
    services.library.tell(LibraryEvent("files", (4,)))
    qtbot.waitUntil(lambda: told(window) == "1 file needs LibreOffice")
    press(window, "Open LibreOffice's web page")
    assert opened == ["https://www.libreoffice.org/download/"]
    press(window, "Try again")
    qtbot.waitUntil(lambda: ("retry", [4]) in services.library.calls)


def test_a_damaged_model_is_told_and_opening_can_be_tried_again(
    open_window: OpenWindow, data_dir: Path, boxes: list[QMessageBox], opened: list[str]
) -> None:
    window, _ = open_window()
    again: list[bool] = []
    desk = desk_of(window, data_dir, lambda: again.append(True))
    desk.show(KnownError("A model file is damaged", "“model.onnx” cannot be read.", "model.onnx"))
    (box,) = boxes
    assert box.text() == "A model file is damaged"
    button_of(box, "Show the program's folder").click()
    assert opened == [QUrl.fromLocalFile(str(paths.models_dir())).toString()]
    button_of(box, "Try again").click()
    assert again == [True]


def test_a_mistake_of_the_program_is_told_once_with_a_report_to_copy(
    open_window: OpenWindow, data_dir: Path, boxes: list[QMessageBox]
) -> None:
    window, _ = open_window()
    desk = desk_of(window, data_dir)
    window.chat.composer.field.setPlainText("half a question")
    window.chat.composer.typed.emit("half a question")

    words = "a secret of the user's"

    def fail() -> Exception:
        try:
            raise ValueError(words)
        except ValueError as error:
            return error

    desk.happened.emit(fail())
    desk.happened.emit(fail())
    (box,) = boxes
    assert str(data_dir / "logs" / "desktop-rag.log") in box.informativeText()
    button_of(box, "Copy the report").click()
    report = QGuiApplication.clipboard().text()
    assert "ValueError" in report
    assert "test_trouble.py" in report
    assert words not in report
    assert "half a question" in (data_dir / "window.ini").read_text("utf-8")


def test_an_error_of_the_disk_is_told_in_words(
    open_window: OpenWindow, data_dir: Path, boxes: list[QMessageBox]
) -> None:
    window, _ = open_window()
    desk = desk_of(window, data_dir)
    desk.show(OSError(errno.ENOSPC, "No space left on device"))
    assert boxes[0].text() == "Disk full"
    assert {b.text() for b in boxes[0].buttons()} >= {"Try again", "Show the data folder"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_remedy_has_a_word_and_a_way(
    open_window: OpenWindow, data_dir: Path, language: str
) -> None:
    window, _ = open_window(language=language)
    doer = Doer(window, data_dir, data_dir / "log", print)
    for remedy in Remedy:
        assert tr(f"remedy.{remedy.value}")
        assert doer.can(remedy) is (remedy is not Remedy.OTHER_DATA_FOLDER)
    assert all(REMEDIES.values())


def test_a_data_folder_that_cannot_be_used_can_be_another(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file stands here")
    asked: list[str] = []
    built: list[Path] = []

    def what_now(error: KnownError) -> Remedy | None:
        asked.append(error.title)
        return [Remedy.OPEN_AGAIN, Remedy.OTHER_DATA_FOLDER][len(asked) - 1]

    def build(folder: Path) -> Any:
        built.append(folder)
        raise KnownError("Enough", "This test wants no services.")

    monkeypatch.setattr(ErrorDesk, "show", lambda *_: QGuiApplication.exit(0))
    answers = Answers(what_now, lambda: tmp_path / "other")
    assert run(blocked, (), build, answers=answers) == 0
    assert asked == ["Not a folder", "Not a folder"]
    assert built == [tmp_path / "other"]
    with pytest.raises(KnownError, match="Not a folder"):
        run(blocked, (), build, answers=Answers(lambda _: None, lambda: None))


def test_the_folder_that_was_chosen_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("DESKTOP_RAG_DATA_DIR", raising=False)
    chosen = tmp_path / "资料"
    monkeypatch.setattr(place.QFileDialog, "getExistingDirectory", lambda *_args: str(chosen))
    assert place.choose_folder() == chosen
    assert paths.default_data_dir() == chosen
    monkeypatch.setattr(place.QFileDialog, "getExistingDirectory", lambda *_args: "")
    assert place.choose_folder() is None


def test_what_now_offers_what_can_be_done_before_there_is_a_window(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[list[str]] = []

    def execute(box: QMessageBox) -> int:
        words.append([button.text() for button in box.buttons()])
        button_of(box, "Choose another data folder…").click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", execute)
    remedy = place.ask_what_now(KnownError("Read only", "This disk cannot be written."))
    assert remedy is Remedy.OTHER_DATA_FOLDER
    assert set(words[0]) == {"Close", "Try again", "Choose another data folder…"}


def test_settings_that_cannot_be_saved_are_told(
    open_window: OpenWindow, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = open_window()
    known: list[KnownError] = []
    window.operations.known_error.connect(known.append)

    def fail(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Settings, "set", fail)
    window.preferences.change(SPEED, "background")
    assert [error.title for error in known] == ["Disk full"]


CRASHING = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from desktop_rag.bootstrap import open_services
from desktop_rag.gui.app import make_application, run
from desktop_rag.gui.window import MainWindow

def window():
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))

def look():
    found = window()
    print("bar:", found.trouble_bar.title.text(), flush=True)
    print("typed:", found.chat.composer.field.toPlainText(), flush=True)
    print("chats:", len(found.chat_controller.chats), flush=True)

def act():
    found = window()
    if not found.chat_controller.is_open:
        return QTimer.singleShot(50, act)
    if sys.argv[2] == "look":
        look()
        return found.close()
    found.chat_controller.ask("What was asked before?")
    found.chat.composer.field.setPlainText("not sent yet")
    QTimer.singleShot(1500, crash)

def crash():
    print("ready", flush=True)
    if sys.argv[2] == "segfault":
        import ctypes
        ctypes.string_at(0)

make_application()
QTimer.singleShot(200, act)
sys.exit(run(Path(sys.argv[1]), (), open_services))
"""


def start(data_dir: Path, what: str) -> subprocess.Popen[str]:
    root = Path(desktop_rag.__file__).parent.parent
    return subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(data_dir), what],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=root,
    )  # fmt: skip


def looked_at(data_dir: Path) -> str:
    again = start(data_dir, "look")
    try:
        output, _ = again.communicate(timeout=60)
    finally:
        again.kill()
    assert again.returncode == 0
    return output


@pytest.mark.parametrize("how", ["segfault", "kill"])
def test_after_a_hard_crash_the_next_start_says_so_and_has_everything(
    data_dir: Path, how: str
) -> None:
    crashed = start(data_dir, how)
    try:
        assert crashed.stdout is not None
        assert crashed.stdout.readline() == "ready\n"
        if how == "kill":
            os.kill(crashed.pid, signal.SIGKILL)
        assert crashed.wait(20) < 0
    finally:
        crashed.kill()
        crashed.communicate()
    output = looked_at(data_dir)
    assert "bar: The program was ended in the middle of something" in output
    assert "typed: not sent yet" in output
    assert "chats: 1" in output
    report = crash_report(None, data_dir / "logs" / "desktop-rag.log")
    assert ("Segmentation fault" in report) is (how == "segfault")
    assert "bar: The program was ended" not in looked_at(data_dir)
