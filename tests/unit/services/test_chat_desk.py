"""Chats as users keep them, over a real store and models that know words alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.domain.chats import Feedback, QuoteState
from desktop_rag.domain.messages import AiMessage, UserMessage
from desktop_rag.services.assistant import Assistant
from tests.helpers.small_library import WordSpaces, fill, open_store

TEXTS = {
    "pump.txt": "The pump P-100 has a warranty of two years from delivery.",
    "rent.txt": "The tenant shall pay the rent of 900 dollars on the first day of each month.",
}


@pytest.fixture
def library(tmp_path):
    spaces: Any = WordSpaces()
    store = open_store(tmp_path, spaces)
    files = fill(store, spaces, TEXTS)
    assistant = Assistant(store, spaces)
    yield store, assistant, files
    assistant.close()
    store.close()


def test_an_edited_question_takes_the_place_of_the_last_turn(library):
    _, assistant, _ = library
    chat = assistant.create_chat("Pumps")
    assistant.ask("warranty of the pump P-100", chat=chat)
    assistant.ask("rent of the tenant", chat=chat)
    answer = assistant.ask("the rent in dollars", chat=chat, replace_last=True)
    assert [one.text for one in assistant.messages(chat) if one.role == "user"] == [
        "warranty of the pump P-100",
        "the rent in dollars",
    ]
    assert assistant.messages(chat)[-1].answer == replace(answer, contents=())
    assert assistant.messages(chat)[-1].id == answer.message_id
    history = assistant._session(chat, False).history()
    assert UserMessage("rent of the tenant") not in history
    assert len(history) == 4
    assert isinstance(history[-1], AiMessage)


def test_a_long_history_is_bounded_by_its_length_too(library):
    store, assistant, _ = library
    chat = assistant.create_chat("Long")
    for number in range(6):
        store.add_user_message(chat, f"{number} " + "word " * 1000)
    assert [one.text[0] for one in assistant._session(chat, False).history()] == ["4", "5"]


def test_a_deleted_chat_comes_back_until_it_is_forgotten(library):
    _, assistant, _ = library
    chat = assistant.create_chat("Pumps")
    assistant.ask("warranty", chat=chat)
    assistant.delete_chat(chat)
    assert assistant.chats() == []
    assert assistant.deleted_chat_named("Pumps") == chat
    assistant.restore_chat(chat)
    assert assistant.chats()[0].messages == 2
    assistant.delete_chat(chat)
    assistant.forget_chat(chat)
    assert assistant.deleted_chat_named("Pumps") is None
    assert assistant.messages(chat) == []


def test_feedback_is_kept_with_the_answer(library):
    _, assistant, _ = library
    chat = assistant.create_chat("Pumps")
    answer = assistant.ask("warranty of the pump", chat=chat)
    assistant.set_feedback(answer.message_id, Feedback(True))
    assert assistant.messages(chat)[-1].feedback == Feedback(True)


def test_old_answers_know_when_their_sources_changed(library):
    store, assistant, files = library
    answers = [assistant.ask(one) for one in ("warranty of the pump P-100", "rent of the tenant")]
    cited = [answer.citations[0] for answer in answers]
    assert assistant.quote_states(cited) == [QuoteState.UNCHANGED] * 2
    fill(store, assistant._spaces, {"pump.txt": "The pump P-100 has no warranty."})
    store.remove_files([files["rent.txt"]])
    assert assistant.quote_states(cited) == [QuoteState.CHANGED, QuoteState.GONE]


def test_chats_are_searched_by_what_was_said(library):
    _, assistant, _ = library
    chat = assistant.create_chat("Pumps", (("type", "txt"),))
    assistant.ask("warranty of the pump P-100", chat=chat)
    [match] = assistant.search_chats("two years")
    assert (match.chat.title, match.chat.scope) == ("Pumps", (("type", "txt"),))
    assert "two years" in match.text
    assert assistant.search_chats("rent") == []
