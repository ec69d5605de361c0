from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.popup import snippet
from desktop_rag.gui.window import MainWindow
from desktop_rag.retrieval.filter_expression import FilterError
from tests.gui.conftest import OpenWindow


def type_words(qtbot: QtBot, window: MainWindow, words: str) -> None:
    window.activateWindow()
    window.search.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.search)
    qtbot.keyClicks(window.search, words)
    qtbot.waitUntil(window.search.popup.isVisible)


def test_results_show_while_typing_and_open_at_their_place(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    type_words(qtbot, window, "notice")
    assert services.assistant.searched == ["notice"]
    qtbot.keyClick(window.search, Qt.Key.Key_Down)
    qtbot.keyClick(window.search, Qt.Key.Key_Return)
    qtbot.waitUntil(window.source.isVisible)
    assert window.source.header.page.text() == "Page 6 of 12"
    assert not window.search.popup.isVisible()


def test_files_are_found_by_their_name(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    type_words(qtbot, window, "field notes")
    window.search.popup.hide()
    window.search.clear()
    type_words(qtbot, window, "field-notes")
    qtbot.keyClick(window.search, Qt.Key.Key_Return)
    qtbot.waitUntil(window.source.isVisible)
    assert window.source.header.name.text() == "field-notes.md"


def test_nothing_found_is_said(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    type_words(qtbot, window, "zzz")
    assert window.search.popup.message.text() == "Nothing found for “zzz”"


def test_a_condition_typed_halfway_finds_nothing_and_says_nothing_else(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()

    def search(*_: object, **__: object) -> None:
        raise FilterError("Not a date", "“2” is not a date.")

    monkeypatch.setattr(services.assistant, "search", search)
    type_words(qtbot, window, "zzz after:2")
    assert window.search.popup.message.text() == "Nothing found for “zzz after:2”"


def test_escape_closes_the_list_then_empties_the_field(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    type_words(qtbot, window, "notice")
    window._back()
    assert not window.search.popup.isVisible()
    assert window.search.text() == "notice"
    window._back()
    assert not window.search.text()


def test_snippets_show_the_words_and_no_markup_of_the_document() -> None:
    text = "x" * 300 + " the <i>Notice</i> period " + "y " * 200
    shown = snippet(text, "notice")
    assert "<b>Notice</b>" in shown
    assert "&lt;i&gt;" in shown
    assert snippet("合同付款期限", "付款") == "合同<b>付款</b>期限"
    assert snippet("a+b (c", "( +") == "a+b (c"
