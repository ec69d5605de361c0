"""Which sentences are quoted, and how much around them."""

from __future__ import annotations

import pytest

from desktop_rag.answering.quoting import RankedSentence, choose
from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.content import Content
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment
from desktop_rag.retrieval.scoring.read_passage import read_passage


def passages(*texts):
    return [
        Content(TextSegment(text, Metadata({"document_id": number})))
        for number, text in enumerate(texts)
    ]


def quotes(question, contents, order, outcome=Outcome.ANSWER, most=3):
    """Return the quotes; ``order`` are (passage, sentence), the best first."""
    ranked = [
        RankedSentence(passage, read_passage(contents[passage].segment).spans[at], -rank / 10)
        for rank, (passage, at) in enumerate(order)
    ]
    chosen = choose(ranked, contents, question, outcome, most)
    return [contents[one.content].segment.text[slice(*one.span)] for one in chosen]


THREE = passages(
    "The lease began on 1 May 2020.",
    "The keys were handed over in June.",
    "Painting is up to the tenant.",
)
ORDER = [(0, 0), (1, 0), (2, 0)]


@pytest.mark.parametrize("question", ["When did the lease begin?", "租约何时开始？"])
def test_one_sentence_is_enough_for_when(question):
    assert quotes(question, THREE, ORDER) == ["The lease began on 1 May 2020."]


def test_more_are_quoted_where_the_answer_is_not_certain():
    assert len(quotes("When did the lease begin?", THREE, ORDER, Outcome.MAYBE)) == 3


@pytest.mark.parametrize("question", ["Which duties are there?", "有哪些义务？"])
def test_several_are_quoted_for_which(question):
    assert len(quotes(question, THREE, ORDER)) == 3
    assert len(quotes(question, THREE, ORDER, most=2)) == 2


def test_what_is_far_below_the_best_is_not_quoted():
    ranked = [RankedSentence(0, (0, 30), 5.0), RankedSentence(1, (0, 34), 2.9)]
    assert choose(ranked, THREE, "Which?", Outcome.ANSWER, 3) == ranked[:1]


def test_the_defining_sentence_is_the_answer_to_what_is():
    contents = passages(
        "Escrow was used in the sale of the house.",
        "Escrow is money that a third party holds until a condition is met.",
    )
    said = quotes("What is escrow?", contents, [(0, 0), (1, 0)])
    assert said == ["Escrow is money that a third party holds until a condition is met."]


def test_a_sentence_that_only_mentions_the_thing_defines_nothing():
    contents = passages(
        "Here we describe escrow, and how its terms are agreed.",
        "An escrow (deposit) is money that a third party holds.",
    )
    said = quotes("What is an escrow?", contents, [(0, 0), (1, 0)])
    assert said == ["An escrow (deposit) is money that a third party holds."]


def test_a_chinese_definition():
    contents = passages("定金在签约时支付。", "定金是指为担保合同履行而支付的款项。")
    for question in ("什么是定金？", "定金是什么？"):
        assert quotes(question, contents, [(0, 0), (1, 0)]) == [
            "定金是指为担保合同履行而支付的款项。"
        ]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("The deposit is two rents. It is returned within 30 days.", 1),
        ("押金为两个月租金。其在三十天内退还。", 1),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_takes_it_along(text, at):
    assert quotes("Why?", passages(text), [(0, at)]) == [text]


def test_an_item_takes_its_introduction_along():
    text = "The tenant pays for:\n- water.\n- heating.\n- repairs up to 150 euros."
    [said] = quotes("How high are repairs?", passages(text), [(0, 2)])
    assert said.startswith("The tenant pays for:")
    assert "heating" in said


def test_a_list_is_quoted_whole_where_one_is_asked_for():
    text = "The tenant pays for:\n- water.\n- heating.\n- repairs up to 150 euros."
    assert quotes("Which costs does the tenant pay?", passages(text), [(0, 1)]) == [text]
    assert quotes("What does the tenant pay?", passages(text), [(0, 0)]) == [text]


def test_a_list_without_end_does_not_swamp_the_answer():
    text = "The parts are:\n" + "\n".join(f"- part number {n} of the machine." for n in range(60))
    [said] = quotes("Which parts are there?", passages(text), [(0, 30)])
    assert len(said) < 200


def test_the_same_is_not_said_twice():
    contents = passages("The rent is due on the first.", "The rent is due on the first!", "Other.")
    assert quotes("Why?", contents, ORDER) == ["The rent is due on the first.", "Other."]


def test_another_file_that_says_it_differently_is_quoted_as_well():
    contents = passages(
        "The notice period is three months.",
        "Nothing of the kind is said here.",
        "The notice period is six months.",
        "The notice period is not three months.",
    )
    order = [(0, 0), (1, 0), (2, 0), (3, 0)]
    said = quotes("How many months is the notice period?", contents, order)
    assert said == [contents[at].segment.text for at in (0, 2, 3)]


def test_one_document_does_not_disagree_with_itself():
    contents = [
        Content(TextSegment(text, Metadata({"document_id": 7, "segment_id": at})))
        for at, text in enumerate(("Fee 1 is three euros.", "Fee 1 is six euros."))
    ]
    said = quotes("How many euros is fee 1?", contents, [(0, 0), (1, 0)])
    assert said == ["Fee 1 is three euros."]


def test_overlapping_quotes_become_one():
    text = "The deposit is two rents. It is returned within 30 days."
    assert quotes("Which?", passages(text), [(0, 0), (0, 1)]) == [text]
