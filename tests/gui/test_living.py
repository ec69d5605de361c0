from __future__ import annotations

import configparser
import ctypes
import ctypes.util
import os
import plistlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from desktop_rag.domain.files import FileRecord, FileStatus, Problem
from desktop_rag.foundation.living_settings import ASK_SHORTCUT, CLOSE_TO_TRAY, START_AT_LOGIN
from desktop_rag.gui.living import autostart
from desktop_rag.gui.living.autostart import desktop_entry, own_command, start_file, windows_command
from desktop_rag.gui.living.hotkey import (
    Hotkey,
    parse_keys,
    windows_keys,
    x11_keysym,
    x11_modifiers,
)
from desktop_rag.gui.living.living import Living
from desktop_rag.gui.living.notices import Notices
from desktop_rag.gui.living.tray import Tray, TrayState, tray_icon, tray_state
from desktop_rag.gui.window import MainWindow
from desktop_rag.ingestion.progress import Progress
from tests.gui.conftest import OpenWindow

COMMAND = ["/opt/my apps/desktop-rag", "--data-dir", "/home/ada/100% $mine", "--hidden"]
FULL = Progress(problem=Problem("Disk full", "There is no room left on the disk."))


@pytest.fixture
def tray_there(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """A system with a tray; returns what is told there."""
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(Tray, "notify", lambda _tray, *words: told.append(words))
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _icon: None)
    return told


Made = tuple[MainWindow, Living, list[str]]


@pytest.fixture
def living(
    open_window: OpenWindow, data_dir: Path, tray_there: list[tuple[str, str]]
) -> Iterator[Made]:
    window, _ = open_window()
    quits: list[str] = []
    made = Living(window, data_dir, lambda: quits.append("quit"))
    yield window, made, quits
    made.close()


def test_closing_hides_where_that_was_chosen_and_quitting_ends(
    living: Made, tray_there: list[tuple[str, str]]
) -> None:
    window, made, quits = living
    ended: list[bool] = []
    window.ended.connect(lambda: ended.append(True))
    window.preferences.change(CLOSE_TO_TRAY, True)
    window.close()
    assert (window.isVisible(), ended, quits) == (False, [], [])
    assert [title for title, _ in tray_there] == ["Desktop RAG"]
    assert made.tray is not None
    made.tray.open_wanted.emit()
    assert window.isVisible()
    window.close()
    assert len(tray_there) == 1
    made.ask()
    assert window.isVisible()
    assert window.focusWidget() is window.chat.composer.field
    made.tray.quit_wanted.emit()
    assert (window.isVisible(), ended, quits) == (False, [True], ["quit"])


def test_closing_ends_where_nothing_was_chosen_or_there_is_no_tray(
    open_window: OpenWindow, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    window, _ = open_window()
    made = Living(window, data_dir, lambda: None)
    assert (made.tray, made.can_hide) == (None, False)
    window.preferences.change(CLOSE_TO_TRAY, True)
    event = QCloseEvent()
    window.closeEvent(event)
    assert event.isAccepted()
    made.close()


def test_the_tray_tells_and_changes_what_the_program_does(living: Made) -> None:
    window, made, _ = living
    tray = made.tray
    assert tray is not None
    states = {
        TrayState.IDLE: Progress(),
        TrayState.WORKING: Progress("reading", 3, 9),
        TrayState.PAUSED: Progress("paused", 3, 9),
        TrayState.TROUBLE: FULL,
    }
    pictures = set()
    for state, progress in states.items():
        assert tray_state(progress) is state
        pictures.add(tray_icon(state).pixmap(22, 22).toImage().bits().tobytes())
    assert len(pictures) == 4
    tray.show_progress(states[TrayState.WORKING])
    assert tray.icon.toolTip() == "Desktop RAG\nReading 3 of 9 files"
    assert tray.pause.text() == "Pause"
    tray.pause.trigger()
    assert [a.text() for a in tray.menu.actions() if a.text()] == [
        "Open the window", "Ask a question…", "Pause", "Quit",
    ]  # fmt: skip
    window.preferences.other_language()
    assert tray.menu.actions()[0].text() == "打开窗口"
    window.preferences.other_language()


def test_a_person_is_told_once_and_only_of_what_needs_one(
    living: Made, tray_there: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, made, _ = living
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)
    for progress in (Progress("reading"), FULL, FULL, Progress("reading"), Progress()):
        window.feed.progress_changed.emit(progress)
    assert [title for title, _ in tray_there] == ["Disk full"]
    monkeypatch.setattr(window, "isActiveWindow", lambda: True)
    window.feed.progress_changed.emit(FULL)
    assert len(tray_there) == 1
    made._on_notice()
    assert window.isVisible()


def failed(number: int, title: str) -> FileRecord:
    problem = Problem(title, "…")
    return FileRecord(number, 1, "a", f"/a{number}", FileStatus.FAILED, problem=problem)


def test_files_that_need_a_person_are_told_when_they_are_new() -> None:
    notices = Notices()
    old, damaged = failed(1, "Needs a password"), failed(2, "Damaged")
    assert notices.of_files([old]) is None
    assert notices.of_files([old, damaged]) is None
    notice = notices.of_files([old, failed(3, "Needs a password"), failed(4, "Needs LibreOffice")])
    assert notice is not None
    assert notice.title == "2 files need you"


def test_linux_starts_it_by_a_desktop_entry() -> None:
    file = start_file(COMMAND, "linux", {"XDG_CONFIG_HOME": "/x/config"}, Path("/home/ada"))
    assert file is not None
    assert file.path == Path("/x/config/autostart/desktop-rag.desktop")
    parser = configparser.RawConfigParser()
    parser.read_string(file.content.decode())
    entry = parser["Desktop Entry"]
    assert entry["Exec"] == (
        r'"/opt/my apps/desktop-rag" --data-dir "/home/ada/100%% \$mine" --hidden'
    )
    assert entry["Type"] == "Application"
    default = start_file(["x"], "linux", {}, Path("/home/ada"))
    assert default is not None
    assert default.path.parent == Path("/home/ada/.config/autostart")
    assert desktop_entry(["desktop-rag"]).endswith("enabled=true\n")


def test_macos_starts_it_by_a_launch_agent_and_windows_by_a_key() -> None:
    file = start_file(COMMAND, "darwin", {}, Path("/Users/ada"))
    assert file is not None
    assert file.path.parent == Path("/Users/ada/Library/LaunchAgents")
    content = plistlib.loads(file.content)
    assert content["ProgramArguments"] == COMMAND
    assert content["RunAtLoad"] is True
    assert start_file(COMMAND, "win32", {}, Path("C:/Users/ada")) is None
    assert windows_command(COMMAND).startswith('"/opt/my apps/desktop-rag" --data-dir "/home')


def test_the_command_starts_the_same_program_hidden(tmp_path: Path) -> None:
    assert own_command(tmp_path, True) == [sys.executable, "-m", "desktop_rag", "--hidden"]
    assert own_command(tmp_path, False)[3:] == ["--data-dir", str(tmp_path), "--hidden"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="writes where Linux looks")
def test_the_setting_writes_and_removes_the_entry(
    qtbot: QtBot, living: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _, _ = living
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    entry = tmp_path / "config" / "autostart" / "desktop-rag.desktop"
    window.preferences.change(START_AT_LOGIN, True)
    qtbot.waitUntil(entry.is_file)
    assert "--hidden" in entry.read_text("utf-8")
    window.preferences.change(START_AT_LOGIN, False)
    qtbot.waitUntil(lambda: not entry.exists())
    autostart.set_autostart(False, COMMAND)


@pytest.mark.parametrize("text", ["", "K", "Shift+K", "nonsense+", "Ctrl+K, Ctrl+L"])
def test_keys_that_would_be_lost_for_typing_are_refused(text: str) -> None:
    assert parse_keys(text) is None


def test_keys_have_the_names_that_the_systems_know() -> None:
    keys = parse_keys("Ctrl+Alt+Space")
    assert keys is not None
    assert (x11_keysym(keys.key), x11_modifiers(keys.modifiers)) == (0x20, 4 | 8)
    assert windows_keys(keys) == (1 | 2 | 0x4000, 0x20)
    letter, function = parse_keys("Meta+Shift+D"), parse_keys("Ctrl+F9")
    assert letter is not None
    assert function is not None
    assert (x11_keysym(letter.key), x11_modifiers(letter.modifiers)) == (0x64, 64 | 1)
    assert windows_keys(letter) == (8 | 4 | 0x4000, 0x44)
    assert (x11_keysym(function.key), windows_keys(function)[1]) == (0xFFC6, 0x78)


def test_without_a_system_for_it_there_are_no_keys(qtbot: QtBot, living: Made) -> None:
    window, made, _ = living
    window.preferences.change(ASK_SHORTCUT, "Ctrl+Alt+Space")
    assert made.hotkey.set_keys("") is True
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        assert made.hotkey.set_keys("Ctrl+Alt+Space") is False


@pytest.mark.xvfb
def test_keys_are_heard_from_anywhere_on_x11(qtbot: QtBot, qapp: object) -> None:
    if ctypes.util.find_library("Xtst") is None:
        pytest.skip("what presses keys for tests is not installed")
    hotkey = Hotkey()
    assert hotkey.set_keys("Ctrl+Alt+D")
    with qtbot.waitSignal(hotkey.pressed, timeout=5_000):
        _press(0xFFE3, 0xFFE9, 0x64)
    hotkey.close()


def _press(*keysyms: int) -> None:
    """Press keys as a keyboard would, with X's own extension for tests."""
    x: Any = ctypes.CDLL("libX11.so.6")
    test: Any = ctypes.CDLL("libXtst.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    codes = [x.XKeysymToKeycode(display, keysym) & 0xFF for keysym in keysyms]
    for down, order in ((1, codes), (0, codes[::-1])):
        for code in order:
            test.XTestFakeKeyEvent(display, code, down, ctypes.c_ulong(0))
    x.XSync(display, 0)
    x.XCloseDisplay(display)


def test_files_dropped_on_the_icon_are_told_by_macos() -> None:
    code = """
import sys
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFileOpenEvent
from desktop_rag.gui.app import DesktopApplication
app = DesktopApplication(sys.argv[:1])
app.file_dropped.connect(print)
QCoreApplication.sendEvent(app, QFileOpenEvent("/home/ada/lease.pdf"))
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert run.stdout == "/home/ada/lease.pdf\n"


def test_the_notice_of_a_problem_is_in_the_windows_language(living: Made) -> None:
    window, _, _ = living
    window.preferences.other_language()
    notice = Notices().of_problem(FULL)
    assert notice is not None
    assert notice.title == "磁盘已满"
    other = replace(FULL, problem=Problem("Something else", "Words."))
    again = Notices().of_problem(other)
    assert again is not None
    assert (again.title, again.message) == ("Something else", "Words.")
    window.preferences.other_language()
