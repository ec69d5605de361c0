"""Fusion: the vectors of langchain4j-facts 5, relative score fusion, re-ranking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.content import ContentKey
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.aggregators.default import (
    DefaultContentAggregator,
    ReciprocalRankFusionAggregator,
)
from desktop_rag.retrieval.aggregators.fusion import reciprocal_rank_fusion, scaled
from desktop_rag.retrieval.aggregators.relative import RelativeScoreFusionAggregator, Support
from desktop_rag.retrieval.aggregators.reranking import ReRankingContentAggregator
from tests.helpers.retrieval_parts import content, contents, texts

Q1, Q2 = Query("one"), Query("two")


@pytest.mark.parametrize(
    ("lists", "fused"),
    [
        (["A B", "B"], "B A"),
        (["A", "B A"], "A B"),
        (["A B", "B A"], "A B"),
        (["A B", "C D"], "A C B D"),
        (["A B", "B C"], "B A C"),
        (["X X X"], "X"),
        ([], ""),
        (["", ""], ""),
    ],
)
def test_reciprocal_rank_fusion(lists, fused):
    assert texts(reciprocal_rank_fusion([contents(one) for one in lists])) == fused


def test_reciprocal_rank_fusion_scores_by_rank_and_keeps_the_first_instance():
    first, second = content("A", retriever="one"), content("A", retriever="two")
    fused = reciprocal_rank_fusion([[first], [second]], k=9)
    assert fused[0].score == pytest.approx(0.2)
    assert fused[0].metadata[ContentKey.RETRIEVER] == "one"


def test_reciprocal_rank_fusion_tells_passages_apart_by_metadata():
    fused = reciprocal_rank_fusion([[content("A", page=1)], [content("A", page=2)]])
    assert len(fused) == 2


@pytest.mark.parametrize("build", [DefaultContentAggregator, ReciprocalRankFusionAggregator])
def test_k_is_checked_when_built(build):
    with pytest.raises(ValueError, match="k must be"):
        build(k=0)


def test_default_aggregator_fuses_within_then_across_queries():
    retrieved = {
        Q1: [contents("1 2"), contents("3 4")],
        Q2: [contents("5 6"), contents("7 8")],
    }
    assert texts(DefaultContentAggregator().aggregate(retrieved)) == "1 5 3 7 2 6 4 8"
    assert DefaultContentAggregator().aggregate({}) == []


def test_default_aggregator_prefers_what_several_queries_found():
    retrieved = {
        Q1: [contents("cat dog hamster"), contents("cat parrot")],
        Q2: [contents("dog horse"), contents("cat")],
    }
    fused = DefaultContentAggregator().aggregate(retrieved)
    assert texts(fused) == "cat dog parrot horse hamster"


def test_plain_fusion_treats_all_lists_alike():
    retrieved = {Q1: [contents("A B")], Q2: [contents("B C")]}
    assert texts(ReciprocalRankFusionAggregator().aggregate(retrieved)) == "B A C"


def scored(retriever: str, **scores: float):
    return [content(text, score, retriever) for text, score in scores.items()]


def test_relative_score_fusion_scales_and_weighs():
    retrieved = {
        Q1: [
            scored("vector", A=0.9, B=0.7, C=0.5),
            scored("keyword", B=20.0, D=15.0, A=10.0),
        ]
    }
    weights = {"vector": 0.4, "keyword": 0.6}
    fused = RelativeScoreFusionAggregator(lambda _query: weights).aggregate(retrieved)
    assert {one.segment.text: round(one.score, 6) for one in fused} == {
        "B": 0.4 * 0.5 + 0.6,
        "A": 0.4,
        "D": 0.3,
        "C": 0.0,
    }
    assert texts(fused) == "B A D C"


def test_equal_scores_and_single_hits_count_fully():
    retrieved = {Q1: [scored("x", A=3.0), scored("y", B=2.0, C=2.0)]}
    fused = RelativeScoreFusionAggregator().aggregate(retrieved)
    assert [one.score for one in fused] == [1.0, 1.0, 1.0]
    assert texts(fused) == "A B C"


def test_the_scale_is_that_of_the_first_hits():
    retrieved = {Q1: [scored("x", A=4.0, B=3.0, C=2.0, D=-50.0)]}
    fused = RelativeScoreFusionAggregator(depth=3).aggregate(retrieved)
    assert [one.score for one in fused] == [1.0, 0.5, 0.0, 0.0]
    assert texts(fused) == "A B C D"


def test_several_queries_count_alike():
    retrieved = {
        Q1: [scored("x", A=1.0, B=0.0)],
        Q2: [scored("x", B=1.0, C=0.8, A=0.0)],
    }
    fused = RelativeScoreFusionAggregator().aggregate(retrieved)
    assert {one.segment.text: one.score for one in fused} == {"A": 0.5, "B": 0.5, "C": 0.4}
    assert texts(fused) == "A B C"


def test_a_passage_twice_in_one_list_counts_once():
    retrieved = {Q1: [[content("A", 2.0), content("A", 1.0), content("B", 0.0)]]}
    fused = RelativeScoreFusionAggregator().aggregate(retrieved)
    assert [one.score for one in fused] == [1.0, 0.0]


def test_fusion_keeps_the_notes_of_all_instances():
    one = content("A", 1.0, "keyword").noted(ContentKey.ALSO_IN, "7")
    other = content("A", 0.8, "vector").noted(ContentKey.COSINE, 0.8)
    fused = RelativeScoreFusionAggregator().aggregate({Q1: [[one], [other]]})
    assert fused[0].metadata[ContentKey.COSINE] == 0.8
    assert fused[0].metadata[ContentKey.ALSO_IN] == "7"
    assert fused[0].score == 2.0


def test_relative_fusion_checks_its_depth():
    with pytest.raises(ValueError, match="depth"):
        RelativeScoreFusionAggregator(depth=0)


@given(st.lists(st.floats(-1e6, 1e6), max_size=30))
def test_scaled_scores_are_within_0_and_1_and_keep_their_order(scores):
    result = scaled(scores)
    assert all(0.0 <= score <= 1.0 for score in result)
    assert sorted(range(len(scores)), key=lambda i: scores[i]) == sorted(
        range(len(scores)), key=lambda i: (result[i], scores[i])
    )


class Judge:
    """Scores by a table."""

    def __init__(self, **scores: float) -> None:
        self.scores, self.calls = scores, []

    def score_all(self, given_texts, query):
        self.calls.append((list(given_texts), query))
        return [self.scores[text] for text in given_texts]


FIVE = {"a": 0.6, "b": 0.2, "c": 0.3, "d": 0.4, "e": 0.5}


def test_re_ranking_sorts_and_drops_below_the_minimum():
    aggregator = ReRankingContentAggregator(Judge(**FIVE), min_score=0.4)
    ranked = aggregator.aggregate({Q1: [contents("a b c d e")]})
    assert [one.metadata[ContentKey.RERANKED_SCORE] for one in ranked] == [0.6, 0.5, 0.4]
    assert texts(ranked) == "a e d"


def test_re_ranking_nothing_scores_nothing():
    judge = Judge()
    aggregator = ReRankingContentAggregator(judge)
    assert aggregator.aggregate({}) == []
    assert aggregator.aggregate({Q1: [[]]}) == []
    assert judge.calls == []


def test_re_ranking_several_queries_needs_a_selector():
    retrieved = {Q1: [contents("a")], Q2: [contents("b")]}
    with pytest.raises(ValueError, match="query_selector"):
        ReRankingContentAggregator(Judge(**FIVE)).aggregate(retrieved)
    judge = Judge(**FIVE)
    aggregator = ReRankingContentAggregator(judge, query_selector=lambda queries: queries[1])
    assert texts(aggregator.aggregate(retrieved)) == "a b"
    assert judge.calls == [(["a", "b"], "two")]


def test_re_ranking_limits_keeps_notes_and_breaks_ties_by_the_fusion():
    judge = Judge(a=1.0, b=1.0, c=1.0)
    aggregator = ReRankingContentAggregator(judge, max_results=2)
    ranked = aggregator.aggregate({Q1: [[content("b", 0.3), content("a", 0.2), content("c", 0.1)]]})
    assert texts(ranked) == "b a"
    assert ContentKey.SCORE in ranked[0].metadata


def test_re_ranking_some_candidates_leaves_the_rest_behind_them():
    judge = Judge(a=0.1, b=0.9)
    aggregator = ReRankingContentAggregator(judge, candidates=2)
    ranked = aggregator.aggregate({Q1: [contents("a b c d")]})
    assert texts(ranked) == "b a c d"
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)


def test_re_ranking_mixes_scaled_scores():
    judge = Judge(a=0.2, b=0.6, c=0.4)
    aggregator = ReRankingContentAggregator(
        judge, fusion=RelativeScoreFusionAggregator(), weight=0.3
    )
    ranked = aggregator.aggregate({Q1: [scored("x", a=1.0, b=0.5, c=0.0)]})
    assert {one.segment.text: round(one.score, 6) for one in ranked} == {
        "a": 0.7,
        "b": 0.65,
        "c": 0.15,
    }


def test_re_ranking_judges_the_text_it_is_given():
    judge = Judge(A=1.0)
    aggregator = ReRankingContentAggregator(judge, text_of=lambda one: one.segment.text.upper())
    aggregator.aggregate({Q1: [contents("a")]})
    assert judge.calls == [(["A"], "one")]


@pytest.mark.parametrize(
    "wrong", [{"max_results": 0}, {"candidates": 0}, {"weight": 0.0}, {"weight": 1.5}]
)
def test_re_ranking_checks_its_arguments(wrong):
    with pytest.raises(ValueError, match="must be"):
        ReRankingContentAggregator(Judge(), **wrong)


def test_the_other_passages_of_a_document_speak_for_its_passages():
    retrieved = {
        Q1: [
            [
                content("A", 1.0, document_id=1),
                content("B", 0.9, document_id=2),
                content("C", 0.8, document_id=2),
                content("D", 0.0),
            ]
        ]
    }
    fused = RelativeScoreFusionAggregator(support=Support(share=0.5)).aggregate(retrieved)
    assert texts(fused) == "B A C D"
    assert [one.score for one in fused] == pytest.approx([1.51, 1.5, 1.41, 0.0])


def test_a_curve_below_one_lifts_middling_scores():
    retrieved = {Q1: [scored("x", A=1.0, B=0.25, C=0.0)]}
    fused = RelativeScoreFusionAggregator(support=Support(curve=0.5)).aggregate(retrieved)
    assert [one.score for one in fused] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("wrong", [{"share": -0.1}, {"curve": 0.0}])
def test_support_checks_its_numbers(wrong):
    with pytest.raises(ValueError, match="support"):
        Support(**wrong)
