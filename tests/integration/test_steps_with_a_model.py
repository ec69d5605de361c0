"""Questions to a real library with a model that does the steps, and one that does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.domain.answer import AnswerKind
from desktop_rag.domain.events import StatusEvent, Step
from desktop_rag.domain.messages import ChatMessage
from desktop_rag.services.services import Services
from tests.helpers.scripted_model import ScriptedModel


@pytest.fixture
def services(data_dir: Path, tmp_path: Path) -> Iterator[Services]:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "pump.txt").write_text("The warranty of the pump lasts seven years.")
    (docs / "valve.txt").write_text("The warranty of the valve lasts two years.")
    made = open_services(data_dir)
    try:
        made.library.index([docs])
        yield made
    finally:
        made.close()


def answering(messages: Sequence[ChatMessage]) -> str:
    asked = messages[-1].text
    return "How long is the warranty of the valve?" if asked.startswith("Rewrite") else "NONE"


def test_a_follow_up_is_searched_as_the_model_puts_it(services: Services) -> None:
    assistant = services.assistant
    assistant.parts.steps.follow(lambda: ScriptedModel([answering]))
    chat = assistant.create_chat("warranties")
    assistant.ask("How long is the warranty of the pump?", chat)
    events: list[StatusEvent] = []
    answer = assistant.ask("And the valve?", chat, on_event=events.append)
    assert "How long is the warranty of the valve?" in answer.queries
    assert any("as the language model put it" in note for note in answer.notes)
    assert "two years" in answer.text
    order = [list(Step).index(event.step) for event in events if event.step is not Step.TEXT]
    assert order == sorted(order)
    (figure,) = assistant.parts.steps.runner.figures.all()
    assert (figure.step, figure.calls, figure.fallbacks) == ("rewriting", 1, {})


def test_a_model_that_fails_costs_nothing_but_a_note(services: Services) -> None:
    assistant = services.assistant
    chat = assistant.create_chat("warranties")
    assistant.ask("How long is the warranty of the pump?", chat)
    assistant.parts.steps.follow(lambda: ScriptedModel([OSError("gone")]))
    answer = assistant.ask("How long is the warranty of the valve?", chat)
    assert "two years" in answer.text
    assert any("did not help" in note for note in answer.notes)


def test_every_step_may_be_on_at_once(services: Services) -> None:
    assistant = services.assistant
    every = "rewriting translation expanding hyde step_back intent filtering ranking compression"
    assistant.parts.steps.use(every.split())
    model = ScriptedModel([answering])
    assistant.parts.steps.follow(lambda: model)
    answer = assistant.ask("warranty of the valve")
    assert "two years" in answer.text
    assert len(model.asked) >= 5


@pytest.mark.parametrize("text", ["Hello!", "谢谢"])
def test_small_talk_searches_nothing(services: Services, text: str) -> None:
    events: list[StatusEvent] = []
    answer = services.assistant.ask(text, on_event=events.append)
    assert answer.kind is AnswerKind.GENERAL
    assert answer.citations == ()
    assert Step.SEARCHING not in {event.step for event in events}


def test_a_summary_is_of_the_file_that_is_named(services: Services) -> None:
    answer = services.assistant.ask("Summarize valve.txt")
    assert answer.citations
    assert {Path(one.path).name for one in answer.citations} == {"valve.txt"}


def test_a_comparison_is_of_both_files(services: Services) -> None:
    answer = services.assistant.ask("Compare valve.txt and pump.txt")
    assert {Path(one.path).name for one in answer.citations} == {"valve.txt", "pump.txt"}


def test_this_document_is_the_one_cited_last(services: Services) -> None:
    chat = services.assistant.create_chat("warranties")
    first = services.assistant.ask("How long is the warranty of the pump?", chat)
    answer = services.assistant.ask("Summarize it", chat)
    assert answer.citations[0].path == first.citations[0].path
