"""What holds for every ``ContentAggregator``."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.aggregators.default import (
    DefaultContentAggregator,
    ReciprocalRankFusionAggregator,
)
from desktop_rag.retrieval.aggregators.relative import RelativeScoreFusionAggregator
from desktop_rag.retrieval.aggregators.reranking import ReRankingContentAggregator
from tests.helpers.retrieval_parts import content


class ByLength:
    """Long texts are good texts."""

    def score_all(self, texts, query):
        return [float(len(text)) for text in texts]


AGGREGATORS = [
    DefaultContentAggregator(),
    ReciprocalRankFusionAggregator(),
    RelativeScoreFusionAggregator(),
    ReRankingContentAggregator(ByLength(), query_selector=lambda queries: queries[0]),
    ReRankingContentAggregator(
        ByLength(),
        query_selector=lambda queries: queries[0],
        fusion=RelativeScoreFusionAggregator(),
        candidates=3,
        weight=0.3,
    ),
]
LISTS = st.lists(
    st.lists(st.tuples(st.sampled_from(["a", "bb", "ccc", "dddd", "eeeee"]), st.floats(0, 1))),
    max_size=3,
)


def retrieved(queries):
    return {
        Query(f"q{number}"): [
            [content(text, score) for text, score in sorted(one, key=lambda pair: -pair[1])]
            for one in lists
        ]
        for number, lists in enumerate(queries)
    }


@pytest.mark.parametrize("aggregator", AGGREGATORS)
@given(queries=st.lists(LISTS, max_size=3))
def test_each_passage_once_best_first_and_always_the_same(aggregator, queries):
    given_contents = retrieved(queries)
    before = {query: [list(one) for one in lists] for query, lists in given_contents.items()}
    result = aggregator.aggregate(given_contents)
    found = {one.key for lists in given_contents.values() for each in lists for one in each}
    assert len(result) == len(found)
    assert {one.key for one in result} == found
    scores = [one.score for one in result]
    assert scores == sorted(scores, reverse=True)
    again = aggregator.aggregate(retrieved(queries))
    assert [one.key for one in again] == [one.key for one in result]
    assert given_contents == before


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_nothing_gives_nothing(aggregator):
    assert aggregator.aggregate({}) == []
    assert aggregator.aggregate({Query("q"): []}) == []
    assert aggregator.aggregate({Query("q"): [[], []]}) == []
