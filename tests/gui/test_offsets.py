from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from desktop_rag.gui.source.offsets import displayable, from_utf16, to_utf16

TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)


def test_characters_beyond_the_basic_plane_take_two_units() -> None:
    text = "a🐘b📓c"
    assert [to_utf16(text, offset) for offset in range(6)] == [0, 1, 3, 4, 6, 7]
    assert [from_utf16(text, units) for units in (0, 1, 3, 4, 6, 7)] == [0, 1, 2, 3, 4, 5]


def test_a_position_inside_a_character_counts_as_before_it() -> None:
    assert from_utf16("🐘b", 1) == 0


@given(TEXTS, st.integers(0, 60))
def test_offsets_go_there_and_back(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    assert from_utf16(text, to_utf16(text, offset)) == offset


@given(TEXTS)
def test_what_is_shown_has_a_code_point_for_each(text: str) -> None:
    assert len(displayable(text)) == len(text)


@given(TEXTS.filter(lambda text: len(text) > 1), st.data())
def test_qt_selects_what_the_offsets_mean(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, len(text)))
    shown = displayable(text)
    document = QTextDocument()
    document.setPlainText(shown)
    cursor = QTextCursor(document)
    cursor.setPosition(to_utf16(shown, start))
    cursor.setPosition(to_utf16(shown, end), QTextCursor.MoveMode.KeepAnchor)
    selected = cursor.selectedText().replace("\u2029", "\n").replace("\u2028", "\n")
    assert selected == shown[start:end].replace("\u2028", "\n")


def test_line_ends_of_windows_move_nothing(qtbot: QtBot) -> None:
    text = "one\r\ntwo\rthree"
    view = QPlainTextEdit()
    qtbot.addWidget(view)
    view.setPlainText(displayable(text))
    cursor = QTextCursor(view.document())
    start = text.index("three")
    cursor.setPosition(start)
    cursor.setPosition(start + 5, QTextCursor.MoveMode.KeepAnchor)
    assert cursor.selectedText() == "three"
