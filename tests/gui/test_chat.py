from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from desktop_rag.conversation.export import chat_markdown, with_sources
from desktop_rag.domain.answer import Answer, AnswerKind, Citation, Outcome
from desktop_rag.domain.scope import Scope
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui import strings
from desktop_rag.gui.chat.answer_text import AnswerText
from desktop_rag.gui.chat.thread import Thread
from desktop_rag.gui.chat.turn import Turn
from desktop_rag.gui.scope.menu import ScopeMenu
from desktop_rag.gui.window import MainWindow
from tests.gui.conftest import OpenWindow
from tests.helpers.window_services import EXAMPLE_ANSWER, NOT_FOUND, FakeChat, FakeMessage

QUESTION = "How long is the notice period?"


def ask(qtbot: QtBot, window: MainWindow, question: str = QUESTION) -> Turn:
    field = window.chat.composer.field
    field.setFocus()
    qtbot.keyClicks(field, question)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.chat_controller.busy)
    return window.chat.thread_view.turns[-1]


def test_an_answer_shows_how_it_was_made_and_its_sources(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    turn = ask(qtbot, window)
    assert services.assistant.asked == [(QUESTION, "")]
    assert turn.bubble.text() == QUESTION
    assert turn.steps.text() == "Searched 3,210 of 9,800 files · 0.2 s"
    assert [chip.text() for chip in turn.foot.chips] == [
        "Quoted from your documents",
        "Confidence: high",
    ]
    assert turn.notes.text().startswith("Based on 3,210 of 9,800 files")
    assert [card.name.text() for card in turn.sources.cards][:2] == ["Lease 2024-08.pdf"] * 2
    assert turn.sources.cards[0].place.text() == "page 4 · § 7 Notice"
    assert not window.chat.composer.field.toPlainText()


def test_a_mark_in_the_text_opens_its_source(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    turn = ask(qtbot, window)
    assert 'href="cite:2"' in turn.text.text()
    turn.text.link_activated.emit("cite:2")
    qtbot.waitUntil(window.source.isVisible)
    assert window.source.header.hit.text() == "hit 2 of 2"
    assert turn.sources.cards[1].property("active") is True
    assert not turn.sources.cards[0].property("active")


def test_a_card_is_pressed_with_the_keyboard(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    turn = ask(qtbot, window)
    qtbot.keyClick(turn.sources.cards[2], Qt.Key.Key_Return)
    qtbot.waitUntil(window.source.isVisible)
    assert window.source.header.name.text().startswith("供应合同")


def test_what_is_not_found_is_said_with_what_is_nearest(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    services.assistant.answer = NOT_FOUND
    turn = ask(qtbot, window, "What is a prime number?")
    assert turn.foot.chips[0].text() == "Not found"
    assert not turn.foot.chips[1].isVisible()
    assert turn.sources.heading.text() == "These may help"
    assert "cite:" not in turn.text.text()
    qtbot.mouseClick(turn.sources.cards[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.source.isVisible)


def test_escape_stops_and_the_question_can_be_asked_again(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    services.assistant.slow = True
    window.chat_controller.ask(QUESTION)
    qtbot.waitUntil(lambda: window.chat.thread_view.turns[-1].steps.text().startswith("Searching"))
    assert window.chat.composer.button.text() == "Stop"
    window._back()
    turn = window.chat.thread_view.turns[-1]
    assert turn.notes.text() == "Stopped before an answer came."
    assert window.chat.composer.button.text() == "Ask"
    services.assistant.slow = False
    turn.foot.again.click()
    qtbot.waitUntil(lambda: window.chat.thread_view.turns[-1].answer is not None)
    assert len(window.chat.thread_view.turns) == 2


def test_a_failure_is_told_in_its_words(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()

    def fail(*_args: object, **_more: object) -> Answer:
        raise KnownError("Not a date", "“x” is not a date.")

    monkeypatch.setattr(services.assistant, "ask", fail)
    turn = ask(qtbot, window)
    assert turn.notes.text() == "Not a date. “x” is not a date."
    assert turn.notes.property("tone") == "bad"


def test_keys_of_the_field(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    field = window.chat.composer.field
    qtbot.keyClicks(field, "one")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "two")
    assert field.toPlainText() == "one\ntwo"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: services.assistant.asked == [("one\ntwo", "")])
    qtbot.waitUntil(lambda: not window.chat_controller.busy)
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.toPlainText() == "one\ntwo"


def test_a_blank_question_is_not_asked(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    qtbot.keyClicks(window.chat.composer.field, "   ")
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    assert not services.assistant.asked


def test_scopes_narrow_the_question_down(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    composer = window.chat.composer
    qtbot.waitUntil(lambda: bool(window.offers.collections))
    for words, label in (("leas", "In: Leases"), ("pdf", "Type: PDF"), ("ada", "By: Ada Lovelace")):
        composer.offer_scopes()
        menu = composer.findChildren(ScopeMenu)[-1]
        qtbot.keyClicks(menu.field, words)
        assert menu.chips()[0].label == label
        qtbot.keyClick(menu.field, Qt.Key.Key_Return)
    assert [chip.kind for chip in composer.chips] == ["collection", "type", "author"]
    ask(qtbot, window)
    assert services.assistant.asked[-1][1] == 'type:pdf author:"Ada Lovelace"'
    assert services.assistant.scopes[-1] == Scope(collections=("Leases",))
    composer.remove_scope(composer.chips[0])
    assert [chip.kind for chip in composer.chips] == ["type", "author"]


def test_chats_are_kept_named_after_their_question_and_reopened(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    ask(qtbot, window)
    qtbot.waitUntil(lambda: window.chat.title.text() == QUESTION)
    window.chat.new_chat()
    assert not window.chat.thread_view.turns
    assert window.chat.title.text() == "New chat"
    ask(qtbot, window, "Second?")
    qtbot.waitUntil(lambda: len(window.chat_controller.chats) == 2)
    window.chat_controller.switch(1)
    qtbot.waitUntil(lambda: window.chat.title.text() == QUESTION)
    assert [turn.question for turn in window.chat.thread_view.turns] == [QUESTION]
    window.chat_controller.rename("Lease")
    qtbot.waitUntil(lambda: window.chat.title.text() == "Lease")
    window.chat_controller.delete()
    qtbot.waitUntil(lambda: [chat.id for chat in services.assistant.chat_list] == [2])


def test_the_last_chat_and_the_draft_are_there_after_a_restart(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    ask(qtbot, window)
    qtbot.keyClicks(window.chat.composer.field, "half a quest")
    window.close()
    again, other = open_window()
    other.assistant.chat_list = services.assistant.chat_list
    other.assistant.kept = services.assistant.kept
    again.chat_controller.open(other.assistant)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: bool(again.chat.thread_view.turns))
    assert again.chat.thread_view.turns[0].answer == EXAMPLE_ANSWER
    assert again.chat.composer.field.toPlainText() == "half a quest"


def test_a_question_without_an_answer_says_so_after_a_restart(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, services = open_window()
    services.assistant.chat_list = [FakeChat(1, "Old")]
    services.assistant.kept[1] = [FakeMessage(0, "user", "Interrupted?")]
    window.chat_controller.switch(1)
    qtbot.waitUntil(lambda: bool(window.chat.thread_view.turns))
    assert window.chat.thread_view.turns[0].notes.text() == "Stopped before an answer came."


def test_a_long_chat_is_built_step_by_step(qtbot: QtBot) -> None:
    thread = Thread()
    qtbot.addWidget(thread)
    thread.resize(600, 500)
    thread.show()
    thread.show_chat([(f"Question {n}?", EXAMPLE_ANSWER, None) for n in range(100)])
    assert len(thread.turns) == 6
    assert thread.turns[-1].question == "Question 99?"
    thread.earlier.click()
    assert len(thread.turns) == 12
    assert [turn.question for turn in thread.turns[:2]] == ["Question 88?", "Question 89?"]
    assert thread.earlier.isVisible()


def test_scrolling_up_stops_following(qtbot: QtBot) -> None:
    thread = Thread()
    qtbot.addWidget(thread)
    thread.resize(600, 300)
    thread.show()
    thread.show_chat([(f"Question {n}?", EXAMPLE_ANSWER, None) for n in range(3)])
    bar = thread.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() > 0)
    bar.setValue(0)
    thread.turns[-1].show_answer(replace(EXAMPLE_ANSWER, text="More\n" * 30))
    qtbot.wait(50)
    assert bar.value() == 0


def test_copying_takes_the_sources_along(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    turn = ask(qtbot, window)
    turn.foot.copy_sources.click()
    copied = QGuiApplication.clipboard().text()
    assert "[1] Lease 2024-08.pdf, page 4 · § 7 Notice: “Either party" in copied
    assert copied == with_sources(EXAMPLE_ANSWER, "en")


def test_a_chat_is_exported_as_markdown(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = open_window()
    ask(qtbot, window)
    target = tmp_path / "chat.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    qtbot.waitUntil(window.chat.export.isEnabled)
    window.chat.export.click()
    qtbot.waitUntil(lambda: target.exists() and bool(target.read_text("utf-8")))
    assert target.read_text("utf-8").startswith(f"# {QUESTION}\n\n## {QUESTION}\n\n“Either")
    assert "没" not in chat_markdown("t", [("q", None)], "en")


def test_documents_cannot_bring_their_own_markup(qtbot: QtBot) -> None:
    shown = AnswerText()
    qtbot.addWidget(shown)
    shown.show_text("<b>bold</b> [1] [7] <a href='x'>y</a>", {1})
    assert shown.toPlainText().startswith("<b>bold</b>")
    assert shown.text().count("<a ") == 1
    assert "[7]" in shown.toPlainText()


def test_the_chat_follows_the_language(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    turn = ask(qtbot, window)
    window.top.language_wanted.emit()
    assert strings.current_language() == "zh"
    assert turn.foot.chips[0].text() == "引自您的文档"
    assert turn.sources.cards[0].place.text() == "第 4 页 · § 7 Notice"
    assert window.library.foot.line.text() == "正在读取 3,210 / 9,800 个文件 · 约 4 分钟"


def listed(count: int) -> Answer:
    """An answer with so many files and no quotes."""
    cited = tuple(
        Citation(number, f"/docs/{number}.pdf", None, 0, 0, "", document_id=number)
        for number in range(1, count + 1)
    )
    text = "\n".join(f"• {one.number}.pdf [{one.number}]" for one in cited)
    return Answer(text, Outcome.ANSWER, 1.0, AnswerKind.CATALOG, cited)


def test_files_are_cards_without_a_quote_that_open(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    services.assistant.answer = listed(2)
    turn = ask(qtbot, window, "How many PDFs do I have?")
    assert turn.foot.chips[0].text() == "From your list of files"
    assert [card.name.text() for card in turn.sources.cards] == ["1.pdf", "2.pdf"]
    assert not turn.sources.cards[0].quote.isVisibleTo(turn)
    assert with_sources(turn.answer or listed(0), "en").endswith("[1] 1.pdf\n[2] 2.pdf")
    qtbot.keyClick(turn.sources.cards[1], Qt.Key.Key_Return)
    qtbot.waitUntil(window.source.isVisible)


def test_many_sources_are_built_a_part_at_a_time(qtbot: QtBot) -> None:
    turn = Turn("Which files are there?")
    qtbot.addWidget(turn)
    turn.show_answer(listed(70))
    assert len(turn.sources.cards) == 30
    assert turn.sources.more.text() == "Show 30 more"
    opened: list[int] = []
    turn.opened.connect(lambda _cited, position: opened.append(position))
    turn.text.link_activated.emit("cite:65")
    assert opened == [64]
    turn.sources.more.click()
    assert turn.sources.more.text() == "Show 10 more"
    turn.sources.more.click()
    assert [card.citation.number for card in turn.sources.cards] == list(range(1, 71))
    assert not turn.sources.more.isVisibleTo(turn)
