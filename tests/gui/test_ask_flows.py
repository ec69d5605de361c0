"""The ask pane over a real library and real chats; a written answer alone is made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from desktop_rag.bootstrap import open_services
from desktop_rag.domain.answer import (
    Answer,
    AnswerKind,
    CheckedSentence,
    Outcome,
    Support,
)
from desktop_rag.domain.chats import Feedback, QuoteState
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.domain.messages import TokenUsage
from desktop_rag.gui import strings
from desktop_rag.gui.chat.turn import Turn
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.scope.chips import Chip
from desktop_rag.gui.scope.collections import CollectionsDialog
from desktop_rag.gui.scope.menu import ScopeMenu
from desktop_rag.gui.window import MainWindow
from desktop_rag.services.services import Services

PUMP = "How long is the warranty of pump P-100?"
RENT = "When is the rent to be paid?"
TEXTS = {
    "Contracts/lease.txt": "The tenant shall pay the rent of 900 dollars on the first day of "
    "each month.",
    "Contracts/copy of lease.txt": "The tenant shall pay the rent of 900 dollars on the first "
    "day of each month.",
    "Notes/pump.md": "# Pumps\n\nThe warranty of pump P-100 is two years from delivery.\n",
    "Notes/付款.txt": "买方应在收到发票之日起三十天内付款。逾期付款的，每日支付违约金。",
}


class Place:
    """A window over a library of its own."""

    def __init__(self, qtbot: QtBot, folder: Path, operations: Operations) -> None:
        self.qtbot = qtbot
        self.files = folder / "files"
        for name, text in TEXTS.items():
            path = self.files / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.services: Services = open_services(folder / "data")
        self.services.library.index([str(one) for one in sorted(self.files.iterdir())])
        self.services.library.start(watch=False)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        preferences = Preferences(app, self.services.settings)
        self.window = MainWindow(operations, preferences, Memory(folder))
        self.window.resize(1360, 820)
        self.window.show()
        self.window.open_services(self.services)
        qtbot.waitUntil(lambda: self.window.feed.loaded and bool(self.window.feed.records))

    @property
    def turns(self) -> list[Turn]:
        return self.window.chat.thread_view.turns

    def ask(self, question: str) -> Turn:
        field = self.window.chat.composer.field
        field.put(question)
        self.qtbot.keyClick(field, Qt.Key.Key_Return)
        self.until(lambda: not self.window.chat_controller.busy)
        return self.turns[-1]

    def until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)

    def close(self, operations: Operations) -> None:
        self.window.close_services()
        operations.cancel_all()
        operations.wait(10)
        self.window.close()
        shiboken6.delete(self.window)
        self.services.close()


@pytest.fixture
def place(qtbot: QtBot, tmp_path: Path, operations: Operations) -> Iterator[Place]:
    bugs: list[object] = []
    operations.unknown_error.connect(bugs.append)
    made = Place(qtbot, tmp_path, operations)
    yield made
    made.close(operations)
    assert not bugs


def test_a_question_is_edited_in_its_own_place(place: Place) -> None:
    place.ask(RENT)
    place.ask("What is the rnt?")
    field = place.window.chat.composer.field
    field.setFocus()
    place.qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.toPlainText() == "What is the rnt?"
    assert place.window.chat.composer.editing
    turn = place.ask(PUMP)
    assert [one.question for one in place.turns] == [RENT, PUMP]
    assert "two years" in turn.text.toPlainText()
    chat = place.window.chat_controller.chat
    assert chat is not None
    stored = place.services.assistant.messages(chat)
    assert [one.text for one in stored if one.role == "user"] == [RENT, PUMP]


def test_editing_the_only_question_names_the_chat_anew_and_esc_leaves_it(place: Place) -> None:
    turn = place.ask(RENT)
    place.until(lambda: place.window.chat_controller.chats)
    turn.foot.edit.click()
    place.window._back()
    assert not place.window.chat.composer.editing
    assert place.window.chat.composer.field.toPlainText() == ""
    place.turns[-1].foot.edit.click()
    place.ask(PUMP)
    place.until(lambda: [one.title for one in place.window.chat_controller.chats] == [PUMP])
    assert len(place.turns) == 1


def test_the_scope_is_kept_with_the_chat(place: Place) -> None:
    composer = place.window.chat.composer
    composer.add_scope(Chip("folder", str(place.files / "Contracts")))
    turn = place.ask(PUMP)
    assert turn.answer is not None
    assert turn.answer.outcome is Outcome.NOT_FOUND
    place.until(lambda: place.window.chat_controller.chats)
    chat = place.window.chat_controller.chat
    place.window.chat.new_chat()
    assert composer.chips == []
    assert "two years" in place.ask(PUMP).text.toPlainText()
    place.until(lambda: len(place.window.chat_controller.chats) == 2)
    place.window.chat_controller.switch(chat or 0)
    place.until(lambda: composer.chips == [Chip("folder", str(place.files / "Contracts"))])
    composer.add_scope(Chip("type", "text"))
    place.until(lambda: len(place.services.assistant.chats()[-1].scope) == 2)


def test_collections_are_made_filled_and_asked(place: Place) -> None:
    composer = place.window.chat.composer
    composer._manage_collections()
    dialog = place.window.findChild(CollectionsDialog)
    assert dialog is not None
    dialog.new.click()
    dialog.name.setText("Rents")
    dialog.description.setText("what we rent")
    dialog.sources.item(0).setCheckState(Qt.CheckState.Checked)
    dialog.save.click()
    place.until(lambda: place.window.offers.collections)
    [made] = place.services.store.collections()
    assert (made.name, made.description, len(made.source_ids)) == ("Rents", "what we rent", 1)
    dialog.name.setText("Leases")
    dialog.save.click()
    place.until(lambda: [one.name for one in place.window.offers.collections] == ["Leases"])
    dialog.accept()
    composer.offer_scopes()
    menu = composer.findChildren(ScopeMenu)[-1]
    place.qtbot.keyClicks(menu.field, "lea")
    place.qtbot.keyClick(menu.field, Qt.Key.Key_Return)
    assert composer.chips == [Chip("collection", "Leases")]
    assert "900 dollars" in place.ask(RENT).text.toPlainText()
    answer = place.ask(PUMP).answer
    assert answer is not None
    assert answer.outcome is Outcome.NOT_FOUND


def test_files_and_folders_are_found_for_a_scope_while_one_types(place: Place) -> None:
    composer = place.window.chat.composer
    composer.offer_scopes()
    menu = composer.findChildren(ScopeMenu)[-1]
    assert {chip.kind for chip in menu.chips()} >= {"folder", "type", "after"}
    menu.field.setText("付款")
    assert menu.chips() == [Chip("file", str(place.files / "Notes" / "付款.txt"))]
    menu.field.setText("zzz")
    assert menu.chips() == []
    place.qtbot.keyClick(menu, Qt.Key.Key_Escape)
    assert not menu.isVisible()


def test_a_chat_is_found_by_what_was_said_and_deleted_with_undo(place: Place) -> None:
    place.ask(PUMP)
    place.window.chat.new_chat()
    place.ask("收到发票后多少天内付款？")
    place.until(lambda: len(place.window.chat_controller.chats) == 2)
    page = place.window.chat.chats
    place.window._key_verbs()["chats"]()
    place.until(lambda: page.rows.rowCount() == 2)
    page.field.setText("三十天")
    place.until(lambda: page.rows.rowCount() == 1)
    assert "三十天" in page.rows.matches[0].text
    page.field.setText("two years")
    place.until(lambda: [one.chat.title for one in page.rows.matches] == [PUMP])
    page.list.setFocus()
    place.qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    place.until(lambda: page.rows.rowCount() == 0)
    undo = place.window.chat.undo
    assert undo.isVisible()
    assert PUMP in undo.words.text()
    undo.undo.click()
    place.until(lambda: place.window.chat.title.text() == PUMP)
    assert len(place.turns) == 1
    assert not undo.isVisible()


def test_a_deleted_chat_is_gone_for_good_when_the_undo_is_past(place: Place) -> None:
    place.ask(PUMP)
    chat = place.window.chat_controller.chat or 0
    place.until(lambda: place.window.chat_controller.chats)
    place.window.chat._delete(chat, PUMP)
    place.until(lambda: place.services.assistant.deleted_chat_named(PUMP) == chat)
    place.window.chat.undo.end()
    place.until(lambda: place.services.assistant.deleted_chat_named(PUMP) is None)
    assert place.services.assistant.messages(chat) == []


def test_a_chat_is_renamed_from_the_list(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.ask(PUMP)
    place.until(lambda: place.window.chat_controller.chats)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_a, **_k: ("保修", True))
    place.window.chat.show_chats()
    page = place.window.chat.chats
    place.until(lambda: page.rows.rowCount() == 1)
    place.qtbot.keyClick(page.list, Qt.Key.Key_F2)
    place.until(lambda: place.window.chat.title.text() == "保修")
    place.window._back()
    assert place.window.chat.thread_view.isVisible()


def test_a_reopened_chat_marks_what_has_changed_and_what_is_gone(place: Place) -> None:
    place.ask(PUMP)
    place.ask("收到发票后多少天内付款？")
    chat = place.window.chat_controller.chat or 0
    (place.files / "Notes" / "pump.md").write_text("# Pumps\n\nNo warranty at all.\n")
    (place.files / "Notes" / "付款.txt").unlink()
    place.services.library.index([])
    place.window.chat.new_chat()
    place.window.chat_controller.switch(chat)
    place.until(lambda: len(place.turns) == 2)
    cards = [turn.sources.cards[0] for turn in place.turns]
    place.until(lambda: cards[0].state is not QuoteState.UNCHANGED)
    assert [card.state for card in cards] == [QuoteState.CHANGED, QuoteState.GONE]
    assert "has changed since" in cards[0].warning.text()
    assert "two years" in cards[0].quote.text()
    assert "not in the library any more" in cards[1].accessibleDescription()
    cards[1].pressed.emit()
    place.until(place.window.source.isVisible)


def test_copies_are_named_and_an_answer_is_copied_with_or_without_sources(place: Place) -> None:
    turn = place.ask(RENT)
    assert "also in Contracts/" in turn.sources.cards[0].place.text()
    turn.foot.copy.click()
    assert QGuiApplication.clipboard().text() == (turn.answer.text if turn.answer else "")
    turn.foot.copy_sources.click()
    assert "Sources" in QGuiApplication.clipboard().text()


def test_feedback_is_kept_and_comes_back(place: Place) -> None:
    turn = place.ask(PUMP)
    chat = place.window.chat_controller.chat or 0
    turn.foot.bad.click()
    turn.foot.why.setText("错了")
    place.qtbot.keyClick(turn.foot.why, Qt.Key.Key_Return)
    assistant = place.services.assistant
    place.until(lambda: assistant.messages(chat)[-1].feedback == Feedback(False, "错了"))
    place.window.chat.new_chat()
    place.window.chat_controller.switch(chat)
    place.until(lambda: place.turns and place.turns[-1].foot.bad.isChecked())
    assert place.turns[-1].foot.why.text() == "错了"
    place.turns[-1].foot.bad.click()
    place.until(lambda: assistant.messages(chat)[-1].feedback is None)


TEXT = "Two years **from** delivery [1]. Or three [1]. The pump 🐘 is blue."


def written(base: Answer) -> Answer:
    """A written answer: one sentence supported, one weak, one without support."""
    spans = [(0, 32), (33, 46), (47, len(TEXT))]
    kinds = (Support.SUPPORTED, Support.WEAK, Support.UNSUPPORTED)
    reasons = ("", "“three” is not in the source.", "")
    quotes = (None, base.citations[0], None)
    return replace(
        base,
        text=TEXT,
        kind=AnswerKind.GENERATIVE,
        model="Qwen",
        reasoning="I look at source 1.",
        usage=TokenUsage(100, 20),
        sentences=tuple(
            CheckedSentence(start, end, kind, (1,), reason, quote)
            for (start, end), kind, reason, quote in zip(spans, kinds, reasons, quotes, strict=True)
        ),
    )


def stream(place: Place, monkeypatch: pytest.MonkeyPatch, pieces: list[str]) -> Answer:
    """Let the next question be answered by these pieces."""
    answer = written(place.services.assistant.ask(PUMP))

    def ask(text: str, chat: int, on_event: OnEvent = ignore_event, **_more: Any) -> Answer:
        store = place.services.store
        store.add_user_message(chat, text)
        on_event(StatusEvent(Step.SEARCHING))
        on_event(StatusEvent(Step.SOURCES, answer.citations))
        for piece in pieces:
            on_event(StatusEvent(Step.TEXT, piece))
        return replace(answer, message_id=store.add_answer(chat, answer))

    monkeypatch.setattr(place.services.assistant, "ask", ask)
    return answer


def style_at(turn: Turn, words: str) -> QTextCharFormat:
    """Return how words of the answer are set."""
    cursor: QTextCursor = turn.text.document().find(words)
    assert not cursor.isNull(), words
    return cursor.charFormat()


def test_doubtful_sentences_are_marked_and_say_why(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream(place, monkeypatch, [TEXT])
    turn = place.ask(PUMP)
    line = QTextCharFormat.UnderlineStyle
    place.until(lambda: style_at(turn, "Or three").underlineStyle() == line.DotLine)
    assert style_at(turn, "Two years").underlineStyle() == line.NoUnderline
    assert style_at(turn, "🐘 is blue").underlineStyle() == line.WaveUnderline
    assert "three” is not in the source" in style_at(turn, "Or three").toolTip()
    assert "two years from delivery" in style_at(turn, "Or three").toolTip()
    assert turn.text.toPlainText().endswith("(not in the sources)")
    assert "**" not in turn.text.toPlainText()
    assert "“Or three [1].”" in turn.text.accessibleDescription()
    assert turn.checks.button.text() == (
        "1 sentence not in the sources · 1 sentence only partly supported"
    )
    assert not turn.checks.words.isVisible()
    turn.text.link_activated.emit("check:1")
    assert turn.checks.words.isVisible()
    assert turn.foot.chips[0].text() == "Written by Qwen, checked"
    assert not turn.reasoning.words.isVisible()
    turn.reasoning.button.click()
    assert turn.reasoning.words.text() == "I look at source 1."
    chat = place.window.chat_controller.chat or 0
    place.window.chat.new_chat()
    place.window.chat_controller.switch(chat)
    place.until(lambda: bool(place.turns))
    assert style_at(place.turns[-1], "Or three").underlineStyle() == line.DotLine


def test_an_answer_from_general_knowledge_says_so(place: Place) -> None:
    turn = Turn("What is a prime number?")
    place.qtbot.addWidget(turn)
    turn.show_answer(Answer("A number.", Outcome.ANSWER, 0.5, AnswerKind.GENERAL, model="Qwen"))
    made, sure = turn.foot.chips
    assert made.text() == "From general knowledge, not from your documents"
    assert not sure.isVisibleTo(turn)
    strings.set_language("zh")
    turn.retranslate()
    assert made.text() == "来自常识，并非您的文档"


def test_sources_are_there_before_the_text_and_marks_work_while_it_grows(qtbot: QtBot) -> None:
    turn = Turn("q")
    qtbot.addWidget(turn)
    base = Answer("", Outcome.ANSWER, 0.9, AnswerKind.GENERATIVE)
    from tests.helpers.window_services import EXAMPLE_ANSWER

    turn.show_event(StatusEvent(Step.SOURCES, EXAMPLE_ANSWER.citations))
    assert turn.steps.text().startswith("3 sources: Lease 2024-08.pdf, 供应合同")
    opened: list[int] = []
    turn.opened.connect(lambda _cited, position: opened.append(position))
    for piece in ("First ", "[", "2", "] and ", "**bo", "ld** 🐘 [9].\n", "- next [1]"):
        turn.show_event(StatusEvent(Step.TEXT, piece))
        turn._flush()
    assert (
        turn.text.toPlainText().replace("\u00a0", " ") == "First  2  and bold 🐘 [9].\n• next  1 "
    )
    turn.text.link_activated.emit("cite:2")
    assert opened == [1]
    turn.show_answer(replace(base, text="Done."))
    qtbot.waitUntil(lambda: turn.text.toPlainText() == "Done.")


def test_a_stream_does_not_move_who_reads_further_up(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = place.services.store
    chat = store.create_chat("long")
    answer = place.services.assistant.ask(RENT)
    for number in range(100):
        store.add_user_message(chat, f"Question {number}?")
        store.add_answer(chat, answer)
    place.window.chat_controller.list_chats()
    place.window.chat_controller.switch(chat)
    thread = place.window.chat.thread_view
    place.until(lambda: thread.turns and thread.verticalScrollBar().maximum() > 0)
    stream(place, monkeypatch, [f"word{n} " for n in range(3000)])
    repaints: list[int] = []
    place.window.chat_controller.ask(PUMP)
    bar, turn = thread.verticalScrollBar(), thread.turns[-1]
    turn.grown.connect(lambda: repaints.append(1))
    place.qtbot.wait(20)
    bar.setValue(bar.maximum() // 2)
    at = bar.value()
    place.until(lambda: turn.answer is not None)
    place.qtbot.wait(120)
    assert bar.value() == at
    assert len(repaints) < 300
    assert thread.to_end.isVisible()
    place.qtbot.mouseClick(thread.to_end, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()


def test_scrolling_to_the_beginning_brings_earlier_turns(place: Place) -> None:
    store = place.services.store
    chat = store.create_chat("long")
    answer = place.services.assistant.ask(RENT)
    for number in range(30):
        store.add_user_message(chat, f"Question {number}?")
        store.add_answer(chat, answer)
    place.window.chat_controller.list_chats()
    place.window.chat_controller.switch(chat)
    thread = place.window.chat.thread_view
    place.until(lambda: thread.turns and thread.verticalScrollBar().maximum() > 0)
    built = len(thread.turns)
    top = thread.turns[0]
    thread.verticalScrollBar().setValue(0)
    place.until(lambda: len(thread.turns) > built)
    place.qtbot.wait(50)
    assert thread.turns.index(top) == len(thread.turns) - built
    assert thread.verticalScrollBar().value() > 0


def test_everything_new_speaks_chinese(place: Place) -> None:
    turn = place.ask(PUMP)
    strings.set_language("zh")
    place.window.chat.retranslate()
    assert turn.foot.copy_sources.text() == "连同来源复制"
    assert turn.foot.good.accessibleName() == "回答得好"
    assert place.window.chat.chats.field.placeholderText() == "查找对话…"
