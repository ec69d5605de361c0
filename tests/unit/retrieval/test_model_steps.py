"""What a language model does before an answer, and that it never costs the question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.domain.content import Content
from desktop_rag.domain.filter import IsEqualTo
from desktop_rag.domain.messages import AiMessage, SystemMessage, UserMessage
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.domain.segment import TextSegment
from desktop_rag.foundation.errors import KnownError
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.postprocessors.compression import ModelCompressionPostProcessor
from desktop_rag.retrieval.routers.fallback import FallbackStrategy, NoRouteError
from desktop_rag.retrieval.routers.model import LanguageModelQueryRouter
from desktop_rag.retrieval.scoring.by_model import ModelScoringModel
from desktop_rag.retrieval.transformers.self_query import SelfQueryTransformer
from desktop_rag.retrieval.transformers.written import (
    BesideQueryTransformer,
    CompressingQueryTransformer,
    ExpandingQueryTransformer,
    HypotheticalAnswerTransformer,
    ModelTranslatingQueryTransformer,
    RewritingQueryTransformer,
    StepBackQueryTransformer,
)
from tests.helpers.scripted_model import Half, Hang, Reply, ScriptedModel
from tests.helpers.steps_of import prompt_of, steps_of, steps_that_say

HISTORY = (UserMessage("How long is the warranty?"), AiMessage("Seven years [1]."))
ASKED = Query("And for the pump?", QueryContext(history=HISTORY))
PASSAGE = Content(TextSegment("The pump is blue. It has a warranty."))


class Retriever:
    """Told apart by its identity alone."""

    def retrieve(self, query: Query) -> list[Content]:
        raise AssertionError("a router asks nobody")


class Falling:
    """Gives each text less than the one before."""

    def score_all(self, texts: list[str], query: str) -> list[float]:
        return [1.0 - at / 10 for at in range(len(texts))]


A, B, C = Retriever(), Retriever(), Retriever()
PLACES = {A: "contracts", B: "invoices", C: "letters"}
ALL = FallbackStrategy.ROUTE_TO_ALL

STEPS: dict[str, tuple[Callable[[ModelSteps], object], object]] = {
    "compressing": (lambda s: CompressingQueryTransformer(s).transform(ASKED), [ASKED]),
    "rewriting": (lambda s: RewritingQueryTransformer(s).transform(ASKED), [ASKED]),
    "expanding": (lambda s: ExpandingQueryTransformer(s).transform(ASKED), [ASKED]),
    "hyde": (lambda s: HypotheticalAnswerTransformer(s).transform(ASKED), [ASKED]),
    "step back": (lambda s: StepBackQueryTransformer(s).transform(ASKED), [ASKED]),
    "translation": (
        lambda s: ModelTranslatingQueryTransformer(s, lambda: {"zh"}).transform(ASKED),
        [ASKED],
    ),
    "filter": (lambda s: SelfQueryTransformer(s).transform(ASKED), [ASKED]),
    "routing": (lambda s: LanguageModelQueryRouter(PLACES, s, ALL).route(ASKED), [A, B, C]),
    "ranking": (lambda s: ModelScoringModel(s, Falling()).score_all(["a", "b"], "q"), [1.0, 0.9]),
    "compression": (
        lambda s: ModelCompressionPostProcessor(s).process(ASKED, [PASSAGE]),
        [PASSAGE],
    ),
}
GARBAGE = "lorem ipsum " * 40 + "\n" + "dolor sit amet " * 60
FAILURES: dict[str, Reply] = {
    "raises": ZeroDivisionError("a bug"),
    "known": KnownError("Gone", "The model is gone."),
    "hangs": Hang(),
    "blank": " \n\t ",
    "only thinks": "<think>1, 2, what do I know",
    "garbage": GARBAGE,
    "dies": Half("1, 2", KnownError("Gone", "It died.")),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("step", STEPS)
def test_a_model_that_is_no_help_changes_nothing_and_that_is_said(step: str, failure: str) -> None:
    run, unchanged = STEPS[step]
    steps = steps_of(ScriptedModel([FAILURES[failure]]), seconds=0.05 if failure == "hangs" else 5)
    assert run(steps) == unchanged
    assert len(steps.notes) == 1


def test_a_slow_model_costs_one_deadline_a_question() -> None:
    model = ScriptedModel([Hang()])
    steps = steps_of(model, seconds=0.05)
    assert StepBackQueryTransformer(steps).transform(ASKED) == [ASKED]
    assert HypotheticalAnswerTransformer(steps).transform(ASKED) == [ASKED]
    assert len(model.asked) == 1


def test_without_a_conversation_nobody_is_asked() -> None:
    steps, model = steps_that_say("x")
    for history in ((), (SystemMessage("be brief"),)):
        query = Query("And for the pump?", QueryContext(history=history))
        assert CompressingQueryTransformer(steps).transform(query) == [query]
        assert RewritingQueryTransformer(steps).transform(query) == [query]
    assert model.asked == []


def test_a_follow_up_becomes_one_query_in_its_context() -> None:
    steps, model = steps_that_say("<think>hm</think>Question: “How long is the pump's warranty?”")
    for transformer in (CompressingQueryTransformer(steps), RewritingQueryTransformer(steps)):
        (query,) = transformer.transform(ASKED)
        assert query.text == "How long is the pump's warranty?"
        assert query.context == ASKED.context
        assert query.text in query.note
    assert "User: How long is the warranty?\nAI: Seven years [1]." in prompt_of(model)


def test_rewriting_sees_three_turns_of_a_hundred_characters() -> None:
    turns = [
        message
        for at in range(5)
        for message in (UserMessage(f"question {at} " + "x" * 200), AiMessage(f"answer {at}"))
    ]
    steps, model = steps_that_say("pump")
    RewritingQueryTransformer(steps).transform(
        Query("it?", QueryContext(history=(SystemMessage("secret"), *turns)))
    )
    prompt = prompt_of(model)
    assert "question 1" not in prompt
    assert all(f"question {at}" in prompt and f"answer {at}" in prompt for at in (2, 3, 4))
    assert "x" * 89 in prompt
    assert "x" * 100 not in prompt
    assert "secret" not in prompt


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        ("q1\n\nq2\n\nq3", ["q1", "q2", "q3"]),
        ("1. q1\n2) q2\n- q3\nq4", ["q1", "q2", "q3"]),
        ("  q1  \nQ1\nAnd for the pump?", ["q1"]),
    ],
)
def test_other_ways_to_ask_follow_the_question(reply: str, texts: list[str]) -> None:
    steps, _ = steps_that_say(reply)
    queries = ExpandingQueryTransformer(steps, 3).transform(ASKED)
    assert [query.text for query in queries] == [ASKED.text, *texts]
    assert {query.context for query in queries} == {ASKED.context}


def test_imagined_and_more_general_queries_come_second() -> None:
    steps, _ = steps_that_say("The pump has a warranty of two years.\nIt is blue.")
    queries = HypotheticalAnswerTransformer(steps).transform(ASKED)
    assert queries[0] == ASKED
    assert queries[1].text == "The pump has a warranty of two years. It is blue."
    steps, _ = steps_that_say("What warranties are there?")
    assert [one.text for one in StepBackQueryTransformer(steps).transform(ASKED)] == [
        ASKED.text,
        "What warranties are there?",
    ]


def test_a_question_is_translated_where_there_are_files_in_that_language() -> None:
    steps, model = steps_that_say("泵的保修期是多久？")
    there = ModelTranslatingQueryTransformer(steps, lambda: {"en", "zh"})
    assert there.transform(ASKED)[0].translations == (("zh", "泵的保修期是多久？"),)
    away = ModelTranslatingQueryTransformer(steps, lambda: {"en"})
    assert away.transform(ASKED)[0].translations == ()
    assert len(model.asked) == 1
    steps, _ = steps_that_say("How long is the warranty?")
    (query,) = ModelTranslatingQueryTransformer(steps, lambda: {"en"}).transform(Query("保修期"))
    assert query.translations == (("en", "How long is the warranty?"),)


def test_a_reply_in_the_wrong_language_is_no_translation() -> None:
    class Words:
        def transform(self, query: Query) -> list[Query]:
            return [Query("by words", query.context)]

    steps, _ = steps_that_say("I cannot translate this.")
    transformer = ModelTranslatingQueryTransformer(steps, lambda: {"zh"}, Words())
    assert [one.text for one in transformer.transform(ASKED)] == ["by words"]
    assert len(steps.notes) == 1


def test_side_by_side_all_see_the_question_itself() -> None:
    steps, model = steps_that_say("one", "two")
    beside = BesideQueryTransformer(
        [RewritingQueryTransformer(steps), StepBackQueryTransformer(steps)]
    )
    assert [one.text for one in beside.transform(ASKED)] == [ASKED.text, "one", "two"]
    assert "Question: And for the pump?" in prompt_of(model, 1)


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("1", [A]),
        ("1, 2", [A, B]),
        ("3,1", [C, A]),
        ("1,", [A]),
        ("1,1", [A]),
        ("<think>2, 3?</think> 1", [A]),
        ("1, 4", []),
        ("0", []),
        (",1", []),
        ("-1", []),
        ("the first", []),
    ],
)
def test_a_model_chooses_by_numbers(reply: str, chosen: list[Retriever]) -> None:
    steps, model = steps_that_say(reply)
    assert LanguageModelQueryRouter(PLACES, steps).route(ASKED) == chosen
    assert "1: contracts\n2: invoices\n3: letters" in prompt_of(model)


def test_a_router_falls_back_as_it_is_told() -> None:
    def route(strategy: FallbackStrategy) -> list[object]:
        steps, _ = steps_that_say(OSError())
        return list(LanguageModelQueryRouter(PLACES, steps, strategy).route(ASKED))

    assert route(FallbackStrategy.DO_NOT_ROUTE) == []
    assert route(FallbackStrategy.ROUTE_TO_ALL) == [A, B, C]
    with pytest.raises(NoRouteError):
        route(FallbackStrategy.FAIL)


@pytest.mark.parametrize(
    "reply",
    [
        "type = 'pdf'",
        "```sql\ntype = 'pdf'\n```",
        "Here it is: ```SELECT * FROM files WHERE type = 'pdf'```",
        "Sure!\nSELECT * FROM files WHERE type = 'pdf';\nThat is all.",
    ],
)
def test_a_condition_joins_the_filter_of_the_question(reply: str) -> None:
    steps, _ = steps_that_say(reply)
    (query,) = SelfQueryTransformer(steps).transform(ASKED)
    assert query.context.filter == IsEqualTo("type", "pdf")
    assert "type = 'pdf'" in steps.notes[0]


@pytest.mark.parametrize("reply", ["secret = 1", "type LIKE 'p%'", "DROP TABLE files", "type ="])
def test_a_condition_that_cannot_be_read_is_left_out_and_that_is_said(reply: str) -> None:
    steps, _ = steps_that_say(reply)
    assert SelfQueryTransformer(steps).transform(ASKED) == [ASKED]
    assert "all files were searched" in steps.notes[0]


def test_no_condition_is_nothing_to_tell() -> None:
    steps, _ = steps_that_say("NONE")
    assert SelfQueryTransformer(steps).transform(ASKED) == [ASKED]
    assert steps.notes == ()


def test_marks_change_the_order_and_what_has_none_keeps_its_place() -> None:
    steps, _ = steps_that_say("1: 2\n3: 9/10\n2: very good\n4: 99")
    scores = ModelScoringModel(steps, Falling()).score_all(["a", "b", "c", "d"], "q")
    assert scores == pytest.approx([0.8, 0.9, 1.0, 0.7])


def test_only_sentences_of_the_passage_are_kept() -> None:
    steps, _ = steps_that_say("It has a warranty.\nIt lasts ten years.")
    (content,) = ModelCompressionPostProcessor(steps).process(ASKED, [PASSAGE])
    assert content.segment.text == "… It has a warranty."


def test_a_broken_prompt_of_the_user_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "step_back.en.txt").write_text("no place for anything")
    steps = steps_of(ScriptedModel(["What warranties are there?"]), prompts=Prompts(tmp_path))
    assert len(StepBackQueryTransformer(steps).transform(ASKED)) == 2
    assert "step_back.en.txt" in steps.notes[0]


def test_a_question_is_asked_in_its_own_language() -> None:
    steps, model = steps_that_say("保修有哪些？")
    StepBackQueryTransformer(steps).transform(Query("泵的保修期多久？"))
    assert "更一般的问题" in prompt_of(model)
