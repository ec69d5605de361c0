"""Search and answers as users get them: the real store and the real models, small texts."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rag.answering.empty_context import EmptyContext
from desktop_rag.domain.answer import AnswerKind, LibraryCoverage, Outcome
from desktop_rag.domain.events import Step
from desktop_rag.domain.scope import Scope
from desktop_rag.embedding.spaces import open_spaces
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.foundation.paths import models_dir
from desktop_rag.foundation.settings import WHEN_NOT_FOUND
from desktop_rag.services.assistant import Assistant, AssistantSettings
from tests.helpers.small_library import fill, open_store

WARRANTY = (
    "# Pumps\n\nThe pump P-100 has a warranty of two years from delivery. Claims are sent to the "
    "service desk in writing.\n\n# Care\n\nThe bearings are greased every six months.\n"
)
TEXTS = {
    "warranty.md": WARRANTY,
    "copies/warranty.md": WARRANTY,
    "lease.txt": "The tenant shall pay the rent of 900 dollars on the first day of each month. "
    "Either party may end the lease with three months' notice.",
    "minutes-2024.txt": "The board met on 3 May. It approved the budget and elected Ada Lovelace "
    "as chair.",
    "出院小结.txt": "出院小结\n患者因急性阑尾炎入院。医生建议出院后休息十四天，一个月内不要提重物。"
    "复诊时间定在六月三日。",
}


class Desk:
    """A library and its assistant."""

    def __init__(self, folder) -> None:
        self.spaces = open_spaces(models_dir(), threads=1)
        self.store = open_store(folder, self.spaces)
        fill(self.store, self.spaces, TEXTS, waiting=2, failed=1)
        self.assistant = Assistant(self.store, self.spaces)

    def close(self) -> None:
        self.assistant.close()
        self.store.close()
        self.spaces.close()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory):
    opened = Desk(tmp_path_factory.mktemp("assistant"))
    with ThreadPoolExecutor(8) as many:
        list(many.map(lambda _: opened.assistant.search("rent"), range(8)))
    yield opened
    opened.close()


@pytest.fixture
def assistant(desk: Desk) -> Assistant:
    return desk.assistant


def test_a_search_tells_files_places_and_words(desk, assistant):
    report = assistant.search("how long is the warranty of the pump?", k=3)
    best = report.results[0]
    assert (best.rank, best.path) == (1, "/library/warranty.md")
    assert best.paths == ("/library/warranty.md", "/library/copies/warranty.md")
    assert best.heading == "Pumps"
    assert desk.store.document(best.document_id).text[best.start : best.end] == best.text
    assert best.segment == best.metadata["segment_id"]
    assert [one.rank for one in report.results] == [1, 2, 3]
    scores = [one.score for one in report.results]
    assert scores == sorted(scores, reverse=True)
    assert report.notes == ()
    assert report.seconds > 0


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
@pytest.mark.parametrize("rerank", [False, True])
def test_every_mode_finds_it_and_always_the_same(assistant, mode, rerank):
    first = assistant.search("When is the rent to be paid?", mode=mode, rerank=rerank)
    assert first.results[0].path == "/library/lease.txt"
    again = assistant.search("When is the rent to be paid?", mode=mode, rerank=rerank)
    assert again.results == first.results


def test_a_search_narrows_by_a_filter(assistant):
    found = assistant.search("warranty", filter_text="type:txt -file:lease").results
    assert {one.path.rsplit("/", 1)[1] for one in found} <= {"minutes-2024.txt", "出院小结.txt"}
    assert assistant.search("warranty", filter_text="folder:nowhere").results == ()
    with pytest.raises(KnownError, match="soon"):
        assistant.search("warranty", filter_text="after:soon")


def test_a_question_is_limited_to_its_scope(desk, assistant):
    copies = Scope(folders=["/library/copies"])
    assert {one.path for one in assistant.search("warranty", scope=copies).results} == {
        "/library/copies/warranty.md"
    }
    answer = assistant.ask("How long is the warranty of the pump?", scope=copies)
    assert {one.path for one in answer.citations} == {"/library/copies/warranty.md"}
    lease = Scope(files=["/library/lease.txt"])
    assert assistant.ask("How long is the warranty?", scope=lease).outcome is Outcome.NOT_FOUND
    both = assistant.search("warranty", filter_text="type:txt", scope=copies)
    assert both.results == ()
    assert assistant.ask("how many files are there?", scope=lease).citations[0].path.endswith("txt")
    assert assistant.search("warranty", scope=Scope(labels={"department": ["law"]})).results == ()


def test_a_collection_limits_a_question_to_its_sources(desk, assistant):
    work = desk.store.create_collection("Work")
    assert assistant.search("warranty", scope=Scope(collections=["Work"])).results == ()
    desk.store.set_collection_sources(work, [one.id for one in desk.store.sources()])
    assert assistant.search("warranty", scope=Scope(collections=["Work"])).results
    desk.store.delete_collection(work)
    with pytest.raises(KnownError, match="no collection “Work”"):
        assistant.ask("How long is the warranty?", scope=Scope(collections=["Work"]))


def test_a_file_is_found_by_its_name(assistant):
    assert assistant.search("minutes 2024").results[0].path == "/library/minutes-2024.txt"


@pytest.mark.parametrize("text", ["", "  ", "?", "(", '"', "*", "AND", "foo:bar", "it's", "a"])
def test_odd_searches_never_fail(assistant, text):
    assistant.search(text)


def test_wrong_arguments_are_refused(assistant):
    with pytest.raises(ValueError, match="k must be"):
        assistant.search("x", k=0)
    with pytest.raises(ValueError, match="mode"):
        assistant.search("x", mode="magic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="blank"):
        assistant.ask("  ")


@pytest.mark.parametrize("rerank", [False, True])
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How long is the warranty of the P-100?", "two years"),
        ("How often are the bearings greased?", "every six months"),
        ("What is the rent?", "900 dollars"),
        ("Who was elected as chair?", "Ada Lovelace"),
        ("出院后需要休息多少天？", "十四天"),
        ("复诊时间是哪一天？", "六月三日"),
        ("患者因什么病入院？", "阑尾炎"),
    ],
)
def test_an_answer_quotes_the_exact_words(desk, assistant, question, words, rerank):
    answer = assistant.ask(question, rerank=rerank)
    assert answer.outcome is not Outcome.NOT_FOUND
    assert any(words in one.quote for one in answer.citations)
    for one in answer.citations:
        assert desk.store.document(one.document_id).text[one.start : one.end] == one.quote
        assert f"[{one.number}]" in answer.text


@pytest.mark.parametrize(
    "question",
    ["What is a prime number?", "Who painted the Mona Lisa?", "光合作用的化学方程式是什么？"],
)
def test_what_the_documents_do_not_say_is_not_found(assistant, question):
    answer = assistant.ask(question)
    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.citations == ()
    assert answer.nearest


def test_what_is_said_instead_is_a_setting(desk):
    assistant = Assistant(desk.store, desk.spaces)
    try:
        assistant.set_empty_context("own_text", "Ask the service desk.")
        answer = assistant.ask("What is a prime number?")
        assert (answer.text, answer.outcome) == ("Ask the service desk.", Outcome.NOT_FOUND)
        assert answer.nearest
        assert "900 dollars" in assistant.ask("What is the rent?").text
        assistant.set_empty_context("general")
        answer = assistant.ask("What is a prime number?")
        assert answer.text == "Not found in your documents."
        assert answer.notes[0].startswith("There is no language model")
        with pytest.raises(ValueError, match="guess"):
            assistant.set_empty_context("guess")
    finally:
        assistant.close()


def test_the_choices_of_the_setting_are_those_of_the_answers():
    assert [one.value for one in WHEN_NOT_FOUND.choices] == list(EmptyContext)
    assert WHEN_NOT_FOUND.default == EmptyContext.NOT_FOUND


def test_an_answer_tells_how_much_of_the_library_it_saw(assistant):
    answer = assistant.ask("What is the rent?")
    assert answer.coverage == LibraryCoverage(ready=5, files=8, failed=1)
    assert answer.notes == (
        "2 of 8 files have not been read yet; the answer may be incomplete. "
        "1 of 8 files could not be read.",
    )


def test_the_steps_of_an_answer_in_their_order(assistant):
    events = []
    answer = assistant.ask("What is the rent?", on_event=events.append)
    assert [event.step for event in events] == [
        Step.UNDERSTANDING,
        Step.SEARCHING,
        Step.RANKING,
        Step.ANSWERING,
        Step.SOURCES,
        Step.TEXT,
        Step.DONE,
    ]
    assert events[-1].detail == answer
    seconds = [event.seconds for event in events]
    assert seconds == sorted(seconds)


def test_a_chat_keeps_questions_and_answers_and_helps_a_follow_up(assistant):
    chat = assistant.create_chat("Pumps")
    first = assistant.ask("What is the warranty of the pump P-100?", chat=chat)
    second = assistant.ask("and when are its bearings greased?", chat=chat)
    assert first.queries == ("What is the warranty of the pump P-100?",)
    assert len(second.queries) == 3
    assert any("six months" in one.quote for one in second.citations)
    stored = assistant.messages(chat)
    assert [one.role for one in stored] == ["user", "assistant", "user", "assistant"]
    assert stored[0].text == "What is the warranty of the pump P-100?"
    assert stored[1].answer is not None
    assert stored[1].answer.citations == first.citations
    assistant.rename_chat(chat, "P-100")
    assert assistant.chat_named("P-100") == chat
    assert [one.id for one in assistant.chats()] == [chat]
    assistant.delete_chat(chat)
    assert assistant.chats() == []


def test_a_cancelled_question_stays_without_an_answer(assistant):
    chat, cancel = assistant.create_chat("Cancelled"), CancelToken()
    with pytest.raises(Cancelled):
        assistant.ask(
            "What is the rent?",
            chat=chat,
            on_event=lambda event: cancel.cancel() if event.step is Step.RANKING else None,
            cancel=cancel,
        )
    assert [one.role for one in assistant.messages(chat)] == ["user"]
    assistant.delete_chat(chat)


def test_questions_from_many_threads_at_once_get_their_own_answers(assistant):
    questions = ["What is the rent?", "Who was elected as chair?", "复诊时间是哪一天？"] * 3
    alone = {question: assistant.ask(question).text for question in set(questions)}
    with ThreadPoolExecutor(4) as many:
        answers = list(many.map(assistant.ask, questions))
    assert [answer.text for answer in answers] == [alone[question] for question in questions]


def test_a_trial_quotes_whatever_the_confidence(assistant):
    trial = assistant.trial("What is a prime number?", 5, "hybrid", False, 3)
    assert len(trial.quotes) == 3
    assert 0.0 <= trial.confidence <= 1.0
    assert len(trial.results) == 5
    assert assistant.trial("rent", 5, "hybrid", False, 0).quotes == ()


def test_a_retriever_that_fails_leaves_an_answer_and_a_note(desk, monkeypatch):
    assistant = Assistant(desk.store, desk.spaces, AssistantSettings(quotes=1))
    try:
        monkeypatch.setattr(desk.store, "keyword_search", _fail)
        answer = assistant.ask("How long is the warranty of the pump?", rerank=False)
    finally:
        assistant.close()
    assert any("two years" in one.quote for one in answer.citations)
    assert answer.notes[0].startswith("A part of the search failed")


def _fail(*_arguments: object) -> None:
    raise OSError("disk")


def test_an_empty_library_says_that_it_has_no_files(tmp_path, desk):
    store = open_store(tmp_path, desk.spaces)
    assistant = Assistant(store, desk.spaces)
    try:
        answer = assistant.ask("What is the rent?")
        assert answer.outcome is Outcome.NOT_FOUND
        assert answer.nearest == ()
        assert answer.notes == ("There are no files in the library yet.",)
        assert assistant.search("rent").results == ()
    finally:
        assistant.close()
        store.close()


def test_after_the_end_nothing_is_asked(desk):
    assistant = Assistant(desk.store, desk.spaces)
    assistant.close()
    assistant.close()
    with pytest.raises(RuntimeError):
        assistant.search("rent")
    assert not [one for one in threading.enumerate() if not one.is_alive()]


def test_a_question_about_the_library_lists_its_files(assistant):
    chat = assistant.create_chat("Files")
    answer = assistant.ask("Which files mention the warranty?", chat=chat)
    assert (answer.kind, answer.outcome) == (AnswerKind.CATALOG, Outcome.ANSWER)
    assert [one.path for one in answer.citations] == [
        "/library/copies/warranty.md",
        "/library/warranty.md",
    ]
    stored = assistant.messages(chat)[-1].answer
    assert stored is not None
    assert (stored.kind, stored.citations) == (AnswerKind.CATALOG, answer.citations)
    assistant.delete_chat(chat)


def test_a_condition_alone_lists_what_it_leaves(assistant):
    answer = assistant.ask("type:markdown")
    assert answer.kind is AnswerKind.CATALOG
    assert len(answer.citations) == 2
    assert assistant.ask("how many files type:text are there?").text.startswith("There are 3 files")


def test_conditions_may_be_typed_in_the_question(assistant):
    found = assistant.search("warranty type:txt").results
    assert {one.metadata["type"] for one in found} == {"text"}
    assert assistant.search("warranty folder:nowhere").results == ()
    assert assistant.search("type:md").results == ()
    answer = assistant.ask("How long is the warranty of the pump? type:md")
    assert answer.queries == ("How long is the warranty of the pump?",)
    assert any("two years" in one.quote for one in answer.citations)
    with pytest.raises(KnownError, match="soon"):
        assistant.ask("What is the warranty? after:soon")


def test_a_misspelt_word_is_searched_as_it_was_meant_and_that_is_said(assistant):
    answer = assistant.ask("How long is the warrenty of the pump?")
    assert answer.queries[1] == "How long is the warranty of the pump?"
    assert any("two years" in one.quote for one in answer.citations)
    assert answer.notes[0].startswith("Searched for “warranty” too")
    assert assistant.search("warrenty").notes == answer.notes[:1]
