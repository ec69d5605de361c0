from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.domain.scope import Scope
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.settings import (
    LANGUAGE,
    NOT_FOUND_TEXT,
    OCR,
    TEXT_SIZE,
    THEME,
    Settings,
)
from desktop_rag.gui import keys, strings, theme
from desktop_rag.gui.library.pane import RAIL_WIDTH
from desktop_rag.gui.settings_dialog import SettingsDialog
from desktop_rag.gui.source.opening import of_file
from desktop_rag.gui.start.drop import Load, count_files, local_paths
from desktop_rag.gui.window import MainWindow
from tests.gui.conftest import OpenWindow

INTERACTIVE = (QAbstractButton, QLineEdit, QPlainTextEdit, QAbstractItemView, QComboBox)


def spoken(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [(1360, 820), (960, 600), (700, 560)])
def test_everything_that_can_be_used_has_a_name(
    open_window: OpenWindow, language: str, size: tuple[int, int]
) -> None:
    window, _ = open_window(size, language=language)
    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, INTERACTIVE)
        and widget.focusPolicy() is not Qt.FocusPolicy.NoFocus
        and not widget.objectName().startswith("qt_")
        and not spoken(widget)
    ]
    assert not nameless


def test_the_tab_key_reaches_all_panes(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    with qtbot.waitSignal(window.source.opened):
        window.open_source(of_file(services.library.records[8]))
    window.chat_controller.ask("How long?")
    qtbot.waitUntil(lambda: not window.chat_controller.busy)
    turn = window.chat.thread_view.turns[0]
    seen: list[QWidget] = [window.search]
    while (widget := seen[-1].nextInFocusChain()) is not window.search:
        seen.append(widget)
    stops = [widget for widget in seen if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
    targets = [
        window.search,
        window.library.add,
        window.library.view,
        window.chat.title,
        turn.text,
        turn.foot.copy,
        turn.foot.bad,
        turn.sources.cards[0],
        turn.sources.cards[2].open_button,
        window.chat.composer.field,
        window.chat.composer.button,
        window.source.header.open,
        window.source.text,
    ]
    assert [stops.index(target) for target in targets] == sorted(map(stops.index, targets))


def test_every_key_is_bound_once_and_listed(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    bound = [shortcut.key().toString() for shortcut in window.findChildren(QShortcut)]
    assert sorted(bound) == sorted({sequence for key in keys.KEYS for sequence in key.keys})
    window.verbs.help()
    dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, keys.KeysDialog))
    assert dialog.isVisible()
    dialog.close()


def test_panes_are_reached_with_keys(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    window.activateWindow()
    verbs = window._key_verbs()
    verbs["library_pane"]()
    assert window.focusWidget() is window.library.view
    verbs["next_pane"]()
    assert window.focusWidget() is window.chat.composer.field
    verbs["next_pane"]()
    assert window.focusWidget() is window.library.view
    verbs["search"]()
    assert window.focusWidget() is window.search


def test_a_narrow_window_shows_the_source_in_place_of_the_chat(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window((960, 600))
    with qtbot.waitSignal(window.source.opened):
        window.open_source(of_file(services.library.records[8]))
    assert not window.chat.isVisible()
    window.close_source()
    assert window.chat.isVisible()
    assert not window.source.isVisible()


def test_a_very_narrow_window_folds_the_library(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window((700, 560))
    assert window.library.width() <= RAIL_WIDTH
    window.library.unfold.click()
    assert window.library.width() > RAIL_WIDTH
    window.resize(1360, 820)
    qtbot.waitUntil(window.library.view.isVisible)


def test_the_language_is_switched_while_open_and_remembered(
    open_window: OpenWindow, data_dir: Path
) -> None:
    window, _ = open_window()
    window.top.language_wanted.emit()
    assert window.chat.composer.button.text() == "提问"
    assert window.search.placeholderText().startswith("搜索")
    assert Settings(data_dir).get(LANGUAGE) == "zh"
    window.top.language_wanted.emit()
    assert window.chat.composer.button.text() == "Ask"


def test_the_appearance_is_changed_while_open(open_window: OpenWindow, qapp: QApplication) -> None:
    window, _ = open_window()
    window.preferences.change(THEME, "dark")
    assert theme.current.tokens is theme.DARK
    assert theme.DARK.window in qapp.styleSheet()
    window.preferences.change(TEXT_SIZE, 200)
    assert qapp.font().pointSizeF() == pytest.approx(2 * 13 * 0.75, rel=0.5)
    window.preferences.change(TEXT_SIZE, 100)


def test_the_settings_dialog_follows_the_declaration(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    window.verbs.settings()
    dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, SettingsDialog))
    box = dialog.fields["language"]
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData("zh"))
    box.activated.emit(box.currentIndex())
    assert services.settings.get(LANGUAGE) == "zh"
    assert strings.current_language() == "zh"
    assert box.itemText(0) == "跟随系统"
    recognise = dialog.fields["ocr"]
    assert isinstance(recognise, QCheckBox)
    recognise.click()
    assert services.settings.get(OCR) is False
    line = dialog.fields["not_found_text"]
    assert isinstance(line, QLineEdit)
    line.setText("Ask Ada.")
    line.editingFinished.emit()
    assert services.settings.get(NOT_FOUND_TEXT) == "Ask Ada."
    dialog.close()


def test_the_window_stands_where_it_stood(open_window: OpenWindow) -> None:
    window, _ = open_window((1200, 700))
    window.splitter.setSizes([350, 500, 0])
    kept = window.splitter.sizes()[0]
    window.close()
    again, _ = open_window((1200, 700))
    assert again.splitter.sizes()[0] == kept


def test_the_first_start_says_what_to_do(open_window: OpenWindow, qtbot: QtBot) -> None:
    window, services = open_window(empty=True)
    assert window.chat.start.isVisible()
    assert not window.library.foot.isVisible()
    window.chat.start.guide.click()
    qtbot.waitUntil(lambda: bool(services.assistant.asked))
    name, added = services.library.calls[-1]
    assert name == "add"
    assert added[0].endswith("guide.en.md")
    assert services.assistant.asked == [("Where can I drop folders and files?", "")]
    assert services.assistant.scopes == [Scope(files=(added[0],))]


def test_files_and_folders_are_added_by_buttons(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window(empty=True)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (["/a.txt", "/b.txt"], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "/docs")
    window.chat.start.add_files_wanted.emit()
    qtbot.waitUntil(lambda: ("add", ["/a.txt", "/b.txt"]) in services.library.calls)
    window.library.add_folder_wanted.emit()
    qtbot.waitUntil(lambda: ("add", ["/docs"]) in services.library.calls)


def test_dropping_says_what_will_happen_and_adds(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    window, services = open_window()
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(7):
        (folder / f"{number}.txt").touch()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert window.overlay.isVisible()
    qtbot.waitUntil(lambda: window.overlay.words == "Add 1 folder, about 7 files")
    window.overlay.grab()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), copy, data, left, none))
    assert not window.overlay.isVisible()
    qtbot.waitUntil(lambda: ("add", [str(folder)]) in services.library.calls)


def test_no_field_takes_a_dropped_file_as_text(open_window: OpenWindow) -> None:
    window, _ = open_window()
    assert not [child for child in window.findChildren(QWidget) if child.acceptDrops()]


def test_names_that_are_not_utf8_are_dropped_whole() -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromEncoded(b"file:///papers/caf%E9%20one.txt")])
    assert os.fsencode(local_paths(data)[0]) == b"/papers/caf\xe9 one.txt"


def test_files_are_handed_to_the_desktop(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = open_window()
    opened: list[str] = []
    told: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: opened.append(url.toString()) or True
    )
    window.operations.known_error.connect(lambda error: told.append(error.title))
    file = tmp_path / "a b.txt"
    file.touch()
    window.verbs.open_outside(str(file))
    qtbot.waitUntil(lambda: len(opened) == 1)
    assert opened[0].endswith("a b.txt")
    window.verbs.open_outside(str(tmp_path / "gone.txt"))
    qtbot.waitUntil(lambda: told == ["The file is not there"])


def test_a_drag_of_words_is_not_taken(open_window: OpenWindow) -> None:
    window, _ = open_window()
    data = QMimeData()
    data.setText("some words")
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(9, 9), copy, data, left, none))
    assert not window.overlay.isVisible()


def test_what_is_dragged_is_put_into_words(tmp_path: Path) -> None:
    assert Load(3).words == "Add 3 files or folders"
    assert Load(3, 0, 3).words == "Add 3 files"
    assert Load(3, 3, 2345).words == "Add 3 folders, about 2,300 files"
    assert Load(1, 1, 20_000).words == "Add 1 folder, more than 20,000 files"
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.txt").touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    assert count_files([str(tmp_path)], CancelToken()).files == 2


def test_what_is_added_before_the_services_are_there_is_added_then(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    window.verbs.close()
    window.verbs.add(["/early"])
    window.verbs.open(services.real)
    qtbot.waitUntil(lambda: ("add", ["/early"]) in services.library.calls)


def test_a_second_start_brings_the_window_forward(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    window.showMinimized()
    window.come_forward(("/more",))
    assert not window.isMinimized()
    qtbot.waitUntil(lambda: ("add", ["/more"]) in services.library.calls)


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_word_is_cut_off_in_the_small_window(
    qtbot: QtBot, open_window: OpenWindow, choice: str, language: str
) -> None:
    window, _ = open_window((960, 600), language=language)
    window.preferences.change(THEME, choice)
    window.chat_controller.ask("How long?")
    qtbot.waitUntil(lambda: not window.chat_controller.busy)
    qtbot.wait(20)
    assert not [b for b in _cut(window) if not isinstance(b.window(), QDialog)]


def _cut(window: MainWindow) -> list[QAbstractButton]:
    return [
        button
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and button.text() and button.width() < button.sizeHint().width() - 1
    ]
