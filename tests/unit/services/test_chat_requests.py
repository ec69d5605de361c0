"""The command ``chats`` over a real store."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from desktop_rag.domain.answer import (
    Answer,
    AnswerKind,
    CheckedSentence,
    Citation,
    Outcome,
    Support,
)
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.assistant import Assistant
from desktop_rag.services.requests import run_request
from tests.helpers.small_library import WordSpaces, open_store

LEASE = Citation(1, "/docs/Lease.pdf", 4, 0, 5, "three  months", "Terms › § 7 Notice")
ANSWER = Answer("“three months” [1]", Outcome.ANSWER, 0.9, AnswerKind.EXTRACTIVE, (LEASE,))
NOT_FOUND = Answer("Not found.", Outcome.NOT_FOUND, 0.1, AnswerKind.EXTRACTIVE, nearest=(LEASE,))
WRITTEN = Answer(
    "Three months [1]. The fee is 9 euros.",
    Outcome.ANSWER,
    0.8,
    AnswerKind.GENERATIVE,
    (LEASE,),
    sentences=(
        CheckedSentence(0, 17, Support.SUPPORTED, (1,)),
        CheckedSentence(18, 37, Support.UNSUPPORTED, (), "No source says it."),
    ),
    model="Qwen",
)


@pytest.fixture
def assistant(tmp_path):
    spaces: Any = WordSpaces()
    store = open_store(tmp_path / "data", spaces)
    opened = Assistant(store, spaces)
    for title, answers in (("Lease", (ANSWER, NOT_FOUND, WRITTEN)), ("租约", (ANSWER,))):
        chat = opened.create_chat(title)
        for number, answer in enumerate(answers):
            store.add_user_message(chat, f"{title} {number}?")
            store.add_answer(chat, answer)
    store.add_user_message(1, "And then?")
    yield opened
    opened.close()
    store.close()


def chats(assistant: Assistant, **arguments: Any) -> Any:
    services: Any = SimpleNamespace(assistant=assistant)
    return run_request(services, "chats", arguments, lambda _: None, CancelToken())


def test_chats_are_listed_and_searched(assistant):
    listed = chats(assistant)["chats"]
    assert [(one["id"], one["title"], one["messages"]) for one in listed] == [
        (1, "Lease", 7),
        (2, "租约", 2),
    ]
    assert set(listed[0]) == {"id", "title", "created", "changed", "messages", "scope", "text"}
    [found] = chats(assistant, search="9 euros")["chats"]
    assert (found["title"], found["text"]) == ("Lease", WRITTEN.text)
    assert chats(assistant, search="elephants")["chats"] == []


def test_a_chat_is_renamed_deleted_and_brought_back(assistant):
    [renamed] = chats(assistant, name="Lease", rename=" The lease ")["chats"]
    assert renamed["title"] == "The lease"
    assert chats(assistant, name="#2", delete=True)["deleted"] == "#2"
    assert [one["id"] for one in chats(assistant)["chats"]] == [1]
    [restored] = chats(assistant, name="租约", restore=True)["chats"]
    assert (restored["id"], restored["messages"]) == (2, 2)


def test_a_chat_is_exported_with_its_sources(assistant, tmp_path):
    target = tmp_path / "lease.md"
    assert chats(assistant, name="Lease", export=str(target))["questions"] == 4
    text = target.read_text("utf-8")
    source = "- [1] Lease.pdf, page 4 · § 7 Notice: “three months” (/docs/Lease.pdf)"
    assert text.startswith(
        "# Lease\n\n## Lease 0?\n\n“three months” [1]\n\n**Sources**\n\n" + source
    )
    assert "Not found.\n\n**These may help**\n\n" + source in text
    assert (
        "*Written by Qwen, checked against the sources.*\n\n- Not in the sources: “The fee is 9 "
        "euros.”\n\n**Sources**" in text
    )
    assert text.endswith("## And then?\n\nStopped before an answer came.\n")
    with pytest.raises(KnownError, match="exists"):
        chats(assistant, name="Lease", export=str(target))


def test_a_chat_in_chinese_is_exported_in_chinese(assistant, tmp_path):
    chats(assistant, name="租约", export=str(tmp_path / "租约.md"))
    text = (tmp_path / "租约.md").read_text("utf-8")
    assert "**来源**\n\n- [1] Lease.pdf，第 4 页 · § 7 Notice: “three months”" in text


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "Nobody"},
        {"name": "#9"},
        {"name": "Lease", "restore": True},
        {"name": "Lease", "rename": " "},
        {"name": "Lease", "export": "/nowhere/at/all.md"},
    ],
)
def test_what_cannot_be_done_is_said_in_words(assistant, arguments):
    with pytest.raises(KnownError):
        chats(assistant, **arguments)
    assert len(chats(assistant)["chats"]) == 2
