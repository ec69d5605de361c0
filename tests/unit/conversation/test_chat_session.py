"""A chat over the real store."""

from __future__ import annotations

import pytest

from desktop_rag.conversation.chat_session import ChatSession
from desktop_rag.domain.answer import Answer, AnswerKind, Outcome
from desktop_rag.domain.messages import AiMessage, UserMessage
from tests.helpers.small_library import WordSpaces, open_store


def answer(text: str) -> Answer:
    return Answer(text, Outcome.ANSWER, 0.9, AnswerKind.EXTRACTIVE)


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path, WordSpaces())
    yield opened
    opened.close()


def test_what_was_said_is_the_history_of_the_next_question(store):
    session = ChatSession(store, store.create_chat("pumps"))
    assert session.history() == ()
    session.add_question("How long?")
    session.add_answer(answer("Two years."))
    assert session.history() == (UserMessage("How long?"), AiMessage("Two years."))
    assert [one.role for one in store.messages(store.chat_named("pumps"))] == ["user", "assistant"]


def test_only_the_latest_messages_go_along(store):
    session = ChatSession(store, store.create_chat("long"), max_messages=3)
    for number in range(4):
        session.add_question(f"q{number}")
    assert session.history() == tuple(UserMessage(f"q{number}") for number in (1, 2, 3))


def test_chats_do_not_mix(store):
    one, other = (
        ChatSession(store, store.create_chat("a")),
        ChatSession(store, store.create_chat("b")),
    )
    one.add_question("mine")
    assert other.history() == ()


def test_the_limit_is_checked_when_built(store):
    with pytest.raises(ValueError, match="max_messages"):
        ChatSession(store, 1, max_messages=0)
