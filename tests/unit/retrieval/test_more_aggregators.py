"""Concatenation, weights, and contents that are judged by the question that found them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.aggregators.concatenation import ConcatenationContentAggregator
from desktop_rag.retrieval.aggregators.default import WeightedReciprocalRankFusionAggregator
from desktop_rag.retrieval.aggregators.reranking import ReRankingContentAggregator
from tests.helpers.retrieval_parts import content, contents, texts

ONE, OTHER = Query("one"), Query("other")


def test_concatenation_keeps_the_first_of_each_and_sorts_by_score() -> None:
    # Spring AI's case: .81, .83 and none, then .85 and .77
    retrieved = {
        ONE: [[content("1", 0.81), content("2", 0.83), content("3")]],
        OTHER: [[content("4", 0.85), content("5", 0.77), content("2", 0.99)]],
    }
    assert texts(ConcatenationContentAggregator().aggregate(retrieved)) == "4 2 1 5 3"
    assert ConcatenationContentAggregator().aggregate({}) == []


def test_weights_decide_between_retrievers() -> None:
    words = [content(letter, 1.0, "words") for letter in "abc"]
    meaning = [content(letter, 1.0, "meaning") for letter in "cde"]

    def fused(**weights: float) -> str:
        aggregator = WeightedReciprocalRankFusionAggregator(weights)
        return texts(aggregator.aggregate({ONE: [words, meaning]}))

    assert fused() == "c a b d e"
    assert fused(words=1.0, meaning=0.0) == "a b c d e"
    assert fused(words=0.1, meaning=1.0) == "c d e a b"
    with pytest.raises(ValueError, match="negative"):
        WeightedReciprocalRankFusionAggregator({"words": -1.0})


class Judge:
    """Likes texts that hold the question's first letter; notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def score_all(self, texts: Sequence[str], query: str) -> list[float]:
        self.asked.append((query, list(texts)))
        return [float(query[0] in text) for text in texts]


def test_each_content_may_be_judged_by_the_question_that_found_it() -> None:
    judge = Judge()
    aggregator = ReRankingContentAggregator(judge, own_query=True, min_score=0.5)
    retrieved = {
        Query("xylophone"): [contents("ax by")],
        Query("yacht"): [contents("cy dz by")],
    }
    assert texts(aggregator.aggregate(retrieved)) == "ax cy"
    assert sorted(judge.asked) == [("xylophone", ["by", "ax"]), ("yacht", ["cy", "dz"])]
