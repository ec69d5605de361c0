"""Figures of answers, with a judge and without."""

from __future__ import annotations

import pytest

from desktop_rag.domain.answer import Answer, AnswerKind, CheckedSentence, Outcome, Support
from desktop_rag.evaluation.answers import Judged, answers_figures, scores_in
from desktop_rag.foundation.errors import KnownError
from tests.helpers.scripted_model import ScriptedModel


def judged(*supports: Support, found=("a", "b"), outcome=Outcome.ANSWER) -> Judged:
    sentences = tuple(CheckedSentence(0, 1, support) for support in supports)
    kind = AnswerKind.GENERATIVE if supports else AnswerKind.EXTRACTIVE
    answer = Answer("Yes.", outcome, 1.0, kind, sentences=sentences)
    return Judged("Why?", answer, found, {"a": 1, "c": 1})


def test_without_a_judge_the_check_and_the_judgements_count():
    figures = answers_figures(
        [
            judged(Support.SUPPORTED, Support.UNSUPPORTED),
            judged(Support.WEAK),
            judged(found=("b", "a")),
            judged(outcome=Outcome.NOT_FOUND, found=("b",)),
        ],
        lambda question, answer: 0.5 if (question, answer) == ("Why?", "Yes.") else 0.0,
    )
    assert figures == {
        "answers": 3,
        "answers_written": 2,
        "context_precision": pytest.approx((1 + 1 + 0.5 + 0) / 4),
        "context_recall": pytest.approx(3 * 0.5 / 4),
        "faithfulness": pytest.approx((0.5 + 0.5 + 1) / 3),
        "relevance": 0.5,
    }


def test_a_reply_that_can_not_be_read_is_no_number():
    replies = ["8, 10", "Very good!", "", "11 3", KnownError("Gone", "Start it."), "6 4"]
    judge = ScriptedModel(replies)
    figures = answers_figures([judged(Support.WEAK)] * 6, lambda _q, _a: 0.0, judge)

    assert (figures["judge_scored"], figures["judge_not_scored"]) == (2, 4)
    assert figures["judge_faithfulness"] == pytest.approx(0.7)
    assert figures["judge_relevance"] == pytest.approx(0.7)


def test_a_judge_that_is_never_readable_has_no_figures():
    figures = answers_figures([judged(Support.WEAK)], lambda _q, _a: 0.0, ScriptedModel(["hm"]))

    assert figures["judge_not_scored"] == 1
    assert "judge_faithfulness" not in figures


@pytest.mark.parametrize(
    ("reply", "scores"),
    [
        ("8 9", (0.8, 0.9)),
        ("8/10, 10/10", (0.8, 1.0)),
        ("Support: 8\nAnswers: 9.", (0.8, 0.9)),
        ("8", None),
        ("8 9 10", None),
        ("about 80 of 90", None),
    ],
)
def test_scores_are_two_numbers_and_nothing_else(reply, scores):
    assert scores_in(reply) == scores
