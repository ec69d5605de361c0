"""Questions asked to be measured, and parts left out, with the real store and models."""

from __future__ import annotations

import pytest

from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.messages import AiMessage, UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.embedding.spaces import open_spaces
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.foundation.paths import models_dir
from desktop_rag.services.assistant import Assistant, AssistantSettings
from desktop_rag.services.requests import run_request
from desktop_rag.services.search_report import Trial
from desktop_rag.services.services import Services
from desktop_rag.services.switches import Part
from tests.helpers.small_library import fill, open_store

SLA = "A Service Level Agreement (SLA) is signed with every customer of the service desk."
TEXTS = {
    "lease.txt": "The tenant shall pay the rent of 900 dollars on the first day of each month.",
    "pumps.txt": "The pump has a warranty of two years. Its bearings are greased twice a year.",
    "sla.md": f"# Service\n\n{SLA}\n\n# Tea\n\nTea is served at four.\n",
    "sla-2.md": f"# Contracts\n\n{SLA}\n\n# Coffee\n\nThere is none on Sundays.\n",
    "sla-3.md": f"# Service\n\n{SLA[:-1]}!\n",
    "chair.txt": "Ada Lovelace was elected as chair of the board. She lives in London.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    spaces = open_spaces(models_dir(), threads=1)
    store = open_store(tmp_path_factory.mktemp("trying"), spaces)
    fill(store, spaces, TEXTS)
    yield store, spaces
    store.close()
    spaces.close()


@pytest.fixture
def assistant(library):
    one = Assistant(*library)
    yield one
    one.close()


def asked(assistant: Assistant, text: str, **more) -> Trial:
    return assistant.trial(text, 5, "hybrid", False, 3, **more)


def first(trial: Trial) -> str:
    return trial.results[0].path.rpartition("/")[2]


def test_a_follow_up_is_asked_with_its_history(assistant):
    history = (UserMessage("Who is the chair of the board?"), AiMessage("Ada Lovelace."))
    assert first(asked(assistant, "Where does she live?", history=history)) == "chair.txt"
    assert asked(assistant, "And the warranty?", history=history).outcome in Outcome


def test_a_condition_in_the_question_is_one_as_in_ask(assistant):
    assert {first(asked(assistant, "rent file:pumps"))} == {"pumps.txt"}
    with pytest.raises(KnownError, match="not a date"):
        asked(assistant, "rent after:soon")


def test_a_question_about_the_library_is_told_and_can_be_left_to_the_passages(assistant):
    listed = asked(assistant, "Which files mention the warranty?")
    assert listed.about_library
    assert [one.path.rpartition("/")[2] for one in listed.results] == ["pumps.txt"]
    assert (listed.quotes, listed.confidence, listed.outcome) == ((), 1.0, Outcome.ANSWER)
    assistant.parts.leave_out(Part.CATALOG)
    searched = asked(assistant, "Which files mention the warranty?")
    assert not searched.about_library
    assert searched.quotes
    assert assistant.ask("Which files mention the warranty?").kind != "catalog"


def queries(assistant: Assistant, text: str, history=()) -> int:
    augmentor = assistant.parts.augmentor("hybrid", False, 10, None)
    return len(augmentor.augment(UserMessage(text), QueryContext(history=history)).queries)


@pytest.mark.parametrize(
    ("part", "text", "history"),
    [
        (Part.SPELLING, "What about the waranty?", ()),
        (Part.ACRONYMS, "What is an SLA for?", ()),
        (Part.CONVERSATION, "Where?", (UserMessage("Who is the chair?"),)),
    ],
)
def test_what_is_searched_beside_the_question_can_be_left_out(assistant, part, text, history):
    assert queries(assistant, text, history) > 1
    assistant.parts.leave_out(part)
    assert queries(assistant, text, history) == 1
    assistant.parts.leave_out()
    assert queries(assistant, text, history) > 1


def test_without_any_transformer_the_question_is_searched(assistant):
    assistant.parts.leave_out(Part.SPELLING, Part.ACRONYMS, Part.CONVERSATION)
    assert first(asked(assistant, "How much is the rent?")) == "lease.txt"


def test_retrievers_can_be_left_out(assistant):
    assistant.parts.leave_out(Part.VECTORS, Part.FILE_NAMES)
    assert asked(assistant, "zzz").results == ()
    assert first(asked(assistant, "greased")) == "pumps.txt"
    assistant.parts.leave_out(Part.VECTORS, Part.KEYWORDS)
    assert first(asked(assistant, "chair")) == "chair.txt"
    assert asked(assistant, "greased").results == ()
    assistant.parts.leave_out(Part.KEYWORDS, Part.FILE_NAMES)
    assert len(asked(assistant, "zzz").results) > 0


@pytest.mark.parametrize(
    ("left_out", "groups"),
    [((), [3]), ((Part.NEAR_COPIES,), [1, 2]), ((Part.COPIES, Part.NEAR_COPIES), [1, 1, 1])],
)
def test_copies_are_told_once_unless_that_is_left_out(assistant, left_out, groups):
    assistant.parts.leave_out(*left_out)
    found = asked(assistant, "Who signs a service level agreement?").results
    assert sorted(len(one.paths) for one in found if one.text.startswith("A Service")) == groups


@pytest.mark.parametrize("part", [Part.RERANKING, Part.SUPPORT])
def test_scores_change_with_what_is_left_out(assistant, part):
    def scores() -> list[float]:
        trial = assistant.trial("What is greased twice a year?", 5, "hybrid", True, 0)
        return [one.score for one in trial.results]

    whole = scores()
    assistant.parts.leave_out(part)
    assert scores() != whole
    assistant.parts.leave_out()
    assert scores() == whole


def test_settings_say_what_is_left_out_from_the_start(library):
    settings = AssistantSettings(without=frozenset({Part.CATALOG}))
    one = Assistant(*library, settings)
    assert not asked(one, "How many files do I have?").about_library
    one.close()


def test_many_questions_are_one_request(library, assistant, tmp_path):
    services = Services(None, assistant, library[0], None, tmp_path, lambda: None, None)  # type: ignore[arg-type]
    told: list[object] = []
    arguments = {"questions": ["How much is the rent?", "Who is chair?"], "k": 2, "quotes": 1}
    result = run_request(services, "trials", arguments, told.append, CancelToken())
    [rent, chair] = result["trials"]
    assert [paths[0].rpartition("/")[2] for paths in rent["paths"]][:1] == ["lease.txt"]
    assert len(rent["paths"]) == 2
    assert chair["quotes"] == ["Ada Lovelace was elected as chair of the board."]
    assert 0.0 < chair["confidence"] < 1.0
    assert chair["outcome"] in list(Outcome)
    assert len(told) == 2
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        run_request(services, "trials", arguments, told.append, cancel)
