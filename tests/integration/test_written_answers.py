"""Questions with a language model that a test scripted, the whole way through the product."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.domain.answer import AnswerKind, Outcome, Support
from desktop_rag.domain.messages import AiMessage, UserMessage
from desktop_rag.evaluation import Choices, evaluate
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.settings import WHEN_NOT_FOUND
from desktop_rag.services.requests import run_request
from desktop_rag.services.services import Services
from desktop_rag.services.slots import Slots
from tests.helpers.evaluated import write_collection
from tests.helpers.scripted_model import ScriptedModel

FILES = {
    "pumps.txt": "Pump P-100 has a warranty of two years. Pump P-200 has a warranty of five years.",
    "rent.txt": "The rent is 900 dollars a month. Pets are not allowed in the house.",
    "invoice.txt": "Invoice 7 of 3 March 2024. Two pumps were sold for 2,150 dollars.",
}
SAID = "The warranty of pump P-100 is two years [1]."


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel([SAID])


@pytest.fixture
def services(tmp_path: Path, model: ScriptedModel) -> Iterator[Services]:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    opened = open_services(tmp_path / "data", Slots(chat_model=model))
    try:
        opened.library.index((str(folder),))
        yield opened
    finally:
        opened.close()


def test_follow_ups_keep_their_sources_and_the_memory_what_was_written(services, model):
    """G1 with a model; facts 9 and 11: the original question is remembered, not the prompt."""
    assistant = services.assistant
    chat = assistant.create_chat("pumps")
    first = "What is the warranty of pump P-100?"
    assistant.ask(first, chat)
    model.replies = ["The warranty of pump P-200 is five years [1]."]
    answer = assistant.ask("and the P-200?", chat)

    assert answer.kind is AnswerKind.GENERATIVE
    assert answer.citations[0].path.endswith("pumps.txt")
    assert model.asked[-1][1:3] == (UserMessage(first), AiMessage(SAID))
    assert [one.text for one in assistant.messages(chat) if one.role == "user"] == [
        first,
        "and the P-200?",
    ]
    assert "Sources:" in model.asked[-1][-1].text


def test_citations_are_of_this_turn_and_whole_after_the_chat_is_loaded(services, model):
    """G2 with a model."""
    assistant = services.assistant
    chat = assistant.create_chat("pumps")
    model.replies = [f"{SAID[:-1]} [8][1]."]
    answer = assistant.ask("What is the warranty of pump P-100?", chat)
    kept = assistant.messages(chat)[-1]

    assert "[8]" not in answer.text
    assert {one.number for one in answer.citations} <= set(range(1, len(answer.contents) + 1))
    assert kept.text == answer.text
    assert [one.quote for one in kept.answer.citations] == [one.quote for one in answer.citations]
    assert answer.sentences[0].support is Support.SUPPORTED


def test_nothing_relevant_is_not_answered_and_the_model_not_asked(services, model):
    """G3 with a model."""
    answer = services.assistant.ask("What is a prime number?")

    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.citations == ()
    assert model.asked == []


def test_general_knowledge_is_asked_only_where_the_settings_say_so_and_marked(services, model):
    services.settings.set(WHEN_NOT_FOUND, "general")
    model.replies = ["A number with two divisors."]
    answer = services.assistant.ask("What is a prime number?")

    assert answer.kind is AnswerKind.GENERAL
    assert answer.text == "A number with two divisors."
    assert "not in your documents" in " ".join(answer.notes)
    assert answer.citations == ()
    assert answer.outcome is Outcome.NOT_FOUND


def test_general_knowledge_that_fails_is_not_found(services, model):
    services.settings.set(WHEN_NOT_FOUND, "general")
    model.replies = [KnownError("Gone", "Start it.")]
    answer = services.assistant.ask("What is a prime number?")

    assert answer.text == "Not found in your documents."
    assert "Gone: Start it." in answer.notes


def test_the_request_tells_the_text_as_it_comes_and_all_of_the_answer(services):
    told = []
    arguments = {"question": "What is the warranty of pump P-100?"}
    result = run_request(services, "ask", arguments, told.append, CancelToken())

    pieces = [one["text"] for one in told if "text" in one]
    assert len(pieces) > 3
    assert "".join(pieces) == SAID == result["answer"]
    assert result["kind"] == "generative"
    assert result["model"] == "Scripted"
    assert result["usage"]["written"] == 9
    assert result["sentences"][0]["support"] == "supported"
    assert result["sentences"][0]["quote"]["quote"] == "Pump P-100 has a warranty of two years."
    steps = result["events"]
    assert steps[-4:] == ["answering", "sources", "text", "done"]


def test_a_question_about_the_library_needs_no_model(services, model):
    answer = services.assistant.ask("How many files are there?")

    assert answer.kind is AnswerKind.CATALOG
    assert model.asked == []


def test_whole_answers_of_a_collection_are_measured(tmp_path):
    collection = write_collection(tmp_path / "tiny")
    figures = evaluate(collection, open_services, Choices(answers=True, rerank=False))

    counted = ("answers", "answers_written", "context_precision", "context_recall")
    assert {name for name in counted if name in figures} == set(counted)
    assert figures["answers_written"] == 0
    assert "judge_scored" not in figures
