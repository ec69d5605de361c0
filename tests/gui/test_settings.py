from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QMessageBox, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from desktop_rag.foundation.model_settings import MODEL_SETTINGS
from desktop_rag.foundation.settings import MAX_FILE_MB, SETTINGS, SPEED
from desktop_rag.gui import settings_pages, strings
from desktop_rag.gui.settings_dialog import SettingsDialog
from desktop_rag.gui.settings_pages import AboutPage, PrivacyPage
from desktop_rag.gui.window import MainWindow
from tests.gui.conftest import OpenWindow


def settings_of(window: MainWindow) -> SettingsDialog:
    window.verbs.settings()
    return window.findChildren(SettingsDialog)[-1]


def pages(dialog: SettingsDialog) -> list[str]:
    items = [dialog.names.item(row) for row in range(dialog.names.count())]
    return [item.text() for item in items if not item.isHidden()]


def test_every_setting_stands_on_a_page_with_its_default(open_window: OpenWindow) -> None:
    window, services = open_window()
    dialog = settings_of(window)
    assert set(dialog.fields) == {s.key for s in SETTINGS if s not in MODEL_SETTINGS}
    assert pages(dialog) == [
        "Reading", "Appearance", "Language", "Answers", "Speed", "Desktop",
        "Language model", "Privacy", "About",
    ]  # fmt: skip
    number, reset = dialog.fields["max_file_mb"], dialog.resets["max_file_mb"]
    assert isinstance(number, QSpinBox)
    assert not reset.isEnabled()
    number.setValue(77)
    assert services.settings.get(MAX_FILE_MB) == 77
    assert reset.isEnabled()
    assert reset.toolTip() == "Back to the default: 500"
    reset.click()
    assert (services.settings.get(MAX_FILE_MB), number.value()) == (500, 500)
    box = cast(QComboBox, dialog.fields["speed"])
    box.activated.emit(box.findData("background"))
    dialog.resets["speed"].click()
    assert services.settings.get(SPEED) == "full"
    assert all(field.accessibleDescription() for field in dialog.fields.values())


def test_search_shows_the_settings_and_pages_that_match(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    dialog = settings_of(window)
    qtbot.keyClicks(dialog.search, "scanned")
    assert pages(dialog) == ["Reading"]
    assert dialog.fields["ocr"].isVisible()
    assert not dialog.fields["max_file_mb"].isVisible()
    dialog.search.setText("theme that no one has")
    assert pages(dialog) == []
    dialog.search.setText("privacy")
    assert pages(dialog) == ["Privacy"]
    assert dialog.findChildren(PrivacyPage)[0].isVisible()
    dialog.search.setText("disk encryption")
    assert pages(dialog) == ["Privacy"]
    dialog.search.clear()
    assert len(pages(dialog)) == 9
    strings.set_language("zh")
    dialog.search.setText("扫描")
    assert pages(dialog) == ["读取"]


def test_pages_are_reached_by_keys(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    dialog = settings_of(window)
    dialog.names.setFocus()
    qtbot.keyClick(dialog.names, Qt.Key.Key_Down)
    assert dialog.stack.currentIndex() == 1


def test_the_privacy_page_tells_exports_and_deletes(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()
    services.assistant.create_chat("Old")
    page = settings_of(window).findChildren(PrivacyPage)[0]
    assert page.place.text() == str(services.data_dir)
    qtbot.waitUntil(lambda: page.bytes_held.text().startswith("It takes"))
    buttons = {button.text(): button for button in page.findChildren(QPushButton)}
    target = str(services.data_dir / "all")
    exported: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (target, ""))
    monkeypatch.setattr(
        settings_pages, "export_library", lambda _, path: exported.append(str(path))
    )
    buttons["Export…"].click()
    qtbot.waitUntil(lambda: page.told.text() == "The library was written to the file.")
    assert exported == [target]
    answers = [1, 0]
    monkeypatch.setattr(QMessageBox, "exec", lambda box: box.buttons()[answers.pop(0)].click())
    buttons["Delete everything…"].click()
    assert not [call for call in services.library.calls if call[0] == "remove"]
    buttons["Delete everything…"].click()
    qtbot.waitUntil(lambda: page.told.text().startswith("Everything that was read"))
    paths = [source.path for source in services.library.sources()]
    assert ("remove", paths) in services.library.calls
    assert services.assistant.chats() == []


def test_about_names_the_packages_and_their_licences(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    page = settings_of(window).findChildren(AboutPage)[0]
    assert page.version.text().startswith("Desktop RAG 0.")
    qtbot.waitUntil(lambda: "numpy" in page.licences.toPlainText())
    lines = page.licences.toPlainText().split("\n")
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in page.licences.toPlainText()
    assert any(line.startswith("PySide6_Essentials") and "LGPL" in line for line in lines)
