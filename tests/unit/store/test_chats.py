from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from desktop_rag.domain.answer import Answer, AnswerKind, Citation, LibraryCoverage, Outcome
from desktop_rag.domain.content import Content
from desktop_rag.domain.document import LineBox
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import add_file

CITATION = Citation(
    number=1,
    path="/docs/caf\udce9.pdf",
    page=3,
    start=10,
    end=15,
    quote="合同 \x00 words",
    heading="Terms › Payment",
    paths=("/docs/caf\udce9.pdf", "/docs/copy.pdf"),
    metadata=Metadata({"author": "Ada", "year": 1843, "weight": 1.0}),
    lines=(LineBox(10, 15, 3, 72.125, 1 / 3, 540.0, 88.5), LineBox(15, 20, 3, 0, 0, 1, 1)),
    document_id=12,
)
ANSWER = Answer(
    text="Thirty days [1].",
    outcome=Outcome.MAYBE,
    confidence=0.1 + 0.2,
    kind=AnswerKind.GENERATIVE,
    citations=(CITATION, replace(CITATION, number=2, page=None, lines=(), document_id=None)),
    nearest=(replace(CITATION, number=3),),
    queries=("how long?", "付款期限"),
    notes=("2 files are not read yet.",),
    coverage=LibraryCoverage(ready=5, files=8, failed=1),
    seconds=0.25,
)
NOT_FOUND = Answer("Not found.", Outcome.NOT_FOUND, 0.0, AnswerKind.EXTRACTIVE)


def test_an_answer_comes_back_equal(store: KnowledgeStore) -> None:
    chat = store.create_chat("Lease")
    before = time.time()
    store.add_user_message(chat, "How long?")
    given = replace(ANSWER, contents=(Content(TextSegment("not kept")),))
    store.add_answer(chat, given)
    store.add_answer(chat, NOT_FOUND)
    question, answer, nothing = store.messages(chat)
    assert (question.role, question.text, question.answer) == ("user", "How long?", None)
    assert (answer.role, answer.text, answer.answer) == ("assistant", ANSWER.text, ANSWER)
    assert nothing.answer == NOT_FOUND
    assert before <= question.created_at <= answer.created_at <= time.time()


def test_answers_outlive_reopening_and_the_documents_they_cite(
    open_store: Callable[..., KnowledgeStore],
) -> None:
    store = open_store()
    file_id = add_file(store, store.add_source("/docs", True).id, "a.txt", "cited words")
    document_id = store.file(file_id).document_id
    chat = store.create_chat("Lease")
    answer = replace(ANSWER, citations=(replace(CITATION, document_id=document_id),))
    store.add_answer(chat, answer)
    store.remove_files([file_id])
    store.settle()
    store.close()
    again = open_store()
    assert again.messages(chat)[0].answer == answer
    assert again.document(document_id) is None


def test_chats_are_listed_with_the_last_changed_first(store: KnowledgeStore) -> None:
    one, two = store.create_chat("One"), store.create_chat("Two")
    store.add_user_message(one, "hello")
    store.add_answer(one, NOT_FOUND)
    first, second = store.chats()
    assert (first.id, first.title, first.messages) == (one, "One", 2)
    assert (second.id, second.messages) == (two, 0)
    assert first.changed_at >= second.changed_at >= second.created_at


def test_a_chat_is_found_by_its_title(store: KnowledgeStore) -> None:
    one = store.create_chat("Lease")
    assert store.chat_named("Lease") == one
    assert store.chat_named("lease") is None
    store.rename_chat(one, "合同 \udce9")
    assert store.chat_named("Lease") is None
    assert store.chat_named("合同 \udce9") == one
    two = store.create_chat("合同 \udce9")
    store.add_user_message(two, "x")
    assert store.chat_named("合同 \udce9") == two


def test_a_deleted_chat_takes_its_messages_along(store: KnowledgeStore) -> None:
    chat = store.create_chat("Lease")
    kept = store.create_chat("Kept")
    store.add_answer(chat, ANSWER)
    store.delete_chat(chat)
    assert [one.id for one in store.chats()] == [kept]
    assert store.messages(chat) == []
    with store._snapshot() as connection:
        assert connection.execute("SELECT COUNT(*) FROM citations").fetchone() == (0,)
    with pytest.raises(LookupError):
        store.add_user_message(chat, "anyone?")
    with pytest.raises(LookupError):
        store.add_answer(chat, ANSWER)
