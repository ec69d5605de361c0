"""Scores of passages that say alike things are drawn together."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.query import Query
from desktop_rag.domain.segment import TextSegment
from desktop_rag.retrieval.aggregators.neighbours import LOOKED_AT, NeighbourAggregator

QUERY = Query("any")


class AsFound:
    def aggregate(self, retrieved):
        return list(retrieved[QUERY][0])


class Vectors:
    def __init__(self, *spaces):
        self.spaces = spaces

    def segment_vectors(self, segment_ids):
        found = []
        for space in self.spaces:
            here = [one for one in segment_ids if one in space]
            rows = np.array([space[one] for one in here], dtype=np.float32).reshape(len(here), -1)
            found.append((here, rows))
        return found


def passage(number, score, document=None):
    document = number if document is None else document
    metadata = Metadata({"segment_id": number, "document_id": document})
    return Content(TextSegment(f"passage {number}", metadata), {ContentKey.SCORE: score})


def ranked(contents, store, **options):
    made = NeighbourAggregator(AsFound(), store, **options).aggregate({QUERY: [contents]})
    return [(one.segment.metadata["segment_id"], round(one.score, 3)) for one in made]


ALIKE = Vectors({1: [1, 0], 2: [0, 1], 3: [1, 0]})


def test_a_passage_like_the_best_one_rises():
    contents = [passage(1, 1.0), passage(2, 0.5), passage(3, 0.4)]
    assert ranked(contents, ALIKE, share=0.5) == [(1, 0.7), (3, 0.7), (2, 0.5)]


def test_other_passages_of_the_same_document_are_no_neighbours():
    contents = [passage(1, 1.0, document=9), passage(2, 0.5), passage(3, 0.4, document=9)]
    assert ranked(contents, ALIKE, share=0.5) == [(1, 1.0), (2, 0.5), (3, 0.4)]


def test_no_share_changes_nothing():
    contents = [passage(1, 1.0), passage(2, 0.5), passage(3, 0.4)]
    assert ranked(contents, ALIKE, share=0.0) == [(1, 1.0), (2, 0.5), (3, 0.4)]


def test_spaces_are_not_compared_with_each_other():
    store = Vectors({1: [1, 0], 2: [1, 0]}, {3: [1, 0, 0], 4: [1, 0, 0]})
    contents = [passage(1, 1.0), passage(3, 0.8), passage(2, 0.2), passage(4, 0.0)]
    assert ranked(contents, store, share=0.25) == [(1, 0.8), (3, 0.6), (2, 0.4), (4, 0.2)]


def test_passages_without_a_vector_or_a_number_keep_their_scores():
    other = Content(TextSegment("from elsewhere"), {ContentKey.SCORE: 0.6})
    contents = [passage(1, 1.0), other, passage(7, 0.5)]
    made = NeighbourAggregator(AsFound(), ALIKE).aggregate({QUERY: [contents]})
    assert [one.score for one in made] == [1.0, 0.6, 0.5]


def test_what_is_beyond_those_looked_at_stays_behind():
    contents = [passage(number, 1.0 - number / 1000) for number in range(LOOKED_AT + 5)]
    made = ranked(contents, Vectors({number: [1, 0] for number in range(LOOKED_AT + 5)}))
    assert [number for number, _ in made[LOOKED_AT:]] == list(range(LOOKED_AT, LOOKED_AT + 5))
    scores = [score for _, score in made]
    assert scores == sorted(scores, reverse=True)


def test_nothing_found_is_nothing():
    assert ranked([], Vectors()) == []


@pytest.mark.parametrize("wrong", [{"share": 1.0}, {"share": -0.1}, {"neighbours": 0}])
def test_arguments_are_checked_when_built(wrong):
    with pytest.raises(ValueError, match="must be"):
        NeighbourAggregator(AsFound(), Vectors(), **wrong)
