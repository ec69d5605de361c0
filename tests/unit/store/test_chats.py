from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from desktop_rag.domain.answer import (
    Answer,
    AnswerKind,
    CheckedSentence,
    Citation,
    LibraryCoverage,
    Outcome,
    Support,
)
from desktop_rag.domain.chats import Feedback, QuoteState
from desktop_rag.domain.content import Content
from desktop_rag.domain.document import LineBox
from desktop_rag.domain.messages import TokenUsage
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


def test_a_written_answer_comes_back_with_its_check(store: KnowledgeStore) -> None:
    chat = store.create_chat("Lease")
    quote = replace(CITATION, number=2, quote="evidence")
    sentences = (
        CheckedSentence(0, 12, Support.SUPPORTED, (1,)),
        CheckedSentence(13, 20, Support.WEAK, (1, 2), "Nur zum Teil.", quote),
        CheckedSentence(21, 30, Support.UNSUPPORTED, (), "没有依据。"),
    )
    given = replace(
        ANSWER,
        kind=AnswerKind.GENERAL,
        sentences=sentences,
        model="Qwen",
        reasoning="Let me \udce9 see.",
        usage=TokenUsage(812, None),
    )
    number = store.add_answer(chat, given)
    [message] = store.messages(chat)
    assert message.answer == given
    assert message.answer.message_id == message.id == number


def test_what_the_user_thinks_is_kept_and_can_be_taken_back(store: KnowledgeStore) -> None:
    chat = store.create_chat("Lease")
    number = store.add_answer(chat, ANSWER)
    store.set_feedback(number, Feedback(False, "错了 the date"))
    assert store.messages(chat)[0].feedback == Feedback(False, "错了 the date")
    store.set_feedback(number, None)
    assert store.messages(chat)[0].feedback is None


def test_a_replaced_turn_is_no_message_of_the_chat(store: KnowledgeStore) -> None:
    chat = store.create_chat("Lease")
    for text in ("one", "two"):
        store.add_user_message(chat, text)
        store.add_answer(chat, NOT_FOUND)
    store.replace_last_turn(chat)
    store.add_user_message(chat, "three")
    assert [one.text for one in store.messages(chat)] == ["one", "Not found.", "three"]
    assert [one.text for one in store.messages(chat, last=2)] == ["Not found.", "three"]
    assert store.chats()[0].messages == 3
    assert not store.search_chats("two")
    for _ in range(3):
        store.replace_last_turn(chat)
    assert store.messages(chat) == []


def test_a_chat_keeps_where_it_looks(store: KnowledgeStore) -> None:
    scope = (("collection", "Contracts"), ("type", "pdf"))
    chat = store.create_chat("Lease", scope)
    assert store.chats()[0].scope == scope
    store.set_chat_scope(chat, (("folder", "/合同"),))
    assert store.chats()[0].scope == (("folder", "/合同"),)


def test_a_trashed_chat_can_be_brought_back_until_the_trash_is_emptied(
    store: KnowledgeStore,
) -> None:
    chat = store.create_chat("Lease")
    store.add_user_message(chat, "How long?")
    store.trash_chat(chat)
    assert (store.chats(), store.chat_named("Lease"), store.search_chats("long")) == ([], None, [])
    assert store.empty_trash(older_than=60) == 0
    assert store.trashed_chat_named("Lease") == chat
    store.restore_chat(chat)
    assert [one.text for one in store.messages(chat)] == ["How long?"]
    store.trash_chat(chat)
    assert store.empty_trash(older_than=0) == 1
    store.restore_chat(chat)
    assert store.chats() == []


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("warranty", ["Pumps"]),
        ("WARRANT", ["Pumps"]),
        ("warranty pump", ["Pumps"]),
        ("warranty lease", []),
        ("付款", ["合同"]),
        ("付款 合同", ["合同"]),
        ("发", ["合同"]),
        ("HT-2024", ["合同"]),
        ("lease", ["Lease"]),
        ("100%", []),
        ("", ["Lease", "合同", "Pumps"]),
        ("?!", []),
    ],
)
def test_chats_are_found_by_titles_questions_and_answers(
    store: KnowledgeStore, words: str, titles: list[str]
) -> None:
    pumps = store.create_chat("Pumps")
    store.add_user_message(pumps, "And this one?")
    store.add_answer(pumps, replace(NOT_FOUND, text="The warranty is two years."))
    contract = store.create_chat("合同")
    store.add_user_message(contract, "HT-2024-0815 收到发票后多少天内付款？")
    store.create_chat("Lease")
    assert [one.chat.title for one in store.search_chats(words)] == titles


def test_what_was_found_is_the_message_with_most_of_the_words(store: KnowledgeStore) -> None:
    chat = store.create_chat("Pumps")
    store.add_user_message(chat, "a pump")
    store.add_user_message(chat, "the pump and its warranty")
    assert store.search_chats("pump warranty")[0].text == "the pump and its warranty"
    store.add_user_message(chat, "later: pump, warranty, seal")
    assert store.search_chats("seal pump")[0].text == "later: pump, warranty, seal"


def test_quotes_are_compared_with_the_library(store: KnowledgeStore) -> None:
    source = store.add_source("/docs", True).id
    names = ("same.txt", "edited.txt", "extended.txt", "moved.txt", "deleted.txt")
    files = {name: add_file(store, source, name, f"words of {name}") for name in names}
    cited = [
        replace(
            CITATION,
            path=f"/docs/{name}",
            paths=(),
            quote=f"words of {name}",
            document_id=store.file(number).document_id,
        )
        for name, number in files.items()
    ]
    add_file(store, source, "edited.txt", "quite another text")
    add_file(store, source, "extended.txt", "before the words of extended.txt and after")
    record = store.file(files["moved.txt"])
    store.move_files([(record.id, source, "elsewhere.txt", record.stat)])
    store.remove_files([files["deleted.txt"]])
    same, changed, gone = QuoteState.UNCHANGED, QuoteState.CHANGED, QuoteState.GONE
    assert store.quote_states(cited) == [same, changed, same, same, gone]
