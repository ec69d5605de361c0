"""Copies, parents and budget."""

from __future__ import annotations

import pytest

from desktop_rag.answering.citations import PassagePlaces, cite
from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.query import Query
from desktop_rag.domain.segment import Place, TextSegment
from desktop_rag.retrieval.postprocessors.budget import BudgetPostProcessor
from desktop_rag.retrieval.postprocessors.copies import CopiesPostProcessor, other_documents
from desktop_rag.retrieval.postprocessors.parents import ParentPostProcessor
from desktop_rag.store.records import StoredParent
from tests.helpers.retrieval_parts import content, texts

QUESTION = Query("which?")


def test_the_same_passage_of_several_documents_is_one_with_all_of_them_noted():
    found = [
        content("a", 0.9, document_id=1, segment_id=1),
        content("b", 0.8, document_id=1, segment_id=2),
        content("a", 0.7, document_id=2, segment_id=3),
        content("a", 0.6, document_id=3, segment_id=4).noted(ContentKey.ALSO_IN, "1 4"),
    ]
    kept = CopiesPostProcessor().process(QUESTION, found)
    assert texts(kept) == "a b"
    assert other_documents(kept[0]) == (2, 3, 4)
    assert kept[0].score == 0.9
    assert other_documents(kept[1]) == ()


def test_the_same_words_at_two_places_of_one_document_stay_two():
    found = [
        content("a", document_id=1, segment_id=1),
        content("a", document_id=1, segment_id=9),
        content("a", document_id=2, segment_id=3),
    ]
    kept = CopiesPostProcessor().process(QUESTION, found)
    assert [one.segment.metadata["segment_id"] for one in kept] == [1, 9]
    assert other_documents(kept[0]) == (2,)


def test_contents_without_documents_are_left_alone():
    assert texts(CopiesPostProcessor().process(QUESTION, [content("a"), content("b")])) == "a b"


class Parents:
    """Two parents of one document."""

    def __init__(self):
        parent = StoredParent(7, 1, 0, 30, 2, ("Terms",))
        self.rows = {7: (parent, "a longer passage with one")}

    def parent(self, parent_id):
        return self.rows[parent_id][0] if parent_id in self.rows else None

    def parent_text(self, parent_id):
        return self.rows[parent_id][1] if parent_id in self.rows else None


def test_passages_are_widened_to_their_parent_once():
    found = [
        content("one", 0.9, parent_id=7),
        content("two", 0.8),
        content("three", 0.7, parent_id=7),
        content("four", 0.6, parent_id=8),
    ]
    widened = ParentPostProcessor(Parents()).process(QUESTION, found)
    assert [one.segment.text for one in widened] == ["a longer passage with one", "two", "four"]
    assert widened[0].score == 0.9
    place = widened[0].segment.place
    assert place is not None
    assert (place.start, place.end, place.page, place.heading_path) == (0, 30, 2, ("Terms",))


def test_a_citation_of_a_parent_quotes_the_passage_that_was_found():
    found = Content(
        TextSegment("passage", Metadata({"parent_id": 7, "document_id": 1}), Place(9, 16, 2)),
        {ContentKey.SCORE: 0.9},
    )
    [widened] = ParentPostProcessor(Parents()).process(QUESTION, [found])
    [place] = PassagePlaces(NoPaths()).of([widened])
    citation = cite(widened, place, 1)
    assert widened.segment.text == "a longer passage with one"
    assert (citation.quote, citation.start, citation.end) == ("passage", 9, 16)
    assert cite(widened, place, 1, (0, 8)).quote == "a longer"


class NoPaths:
    def paths_of(self, documents):
        return {}


class Words:
    """Counts words."""

    def count(self, text: str) -> int:
        return len(text.split())


def test_a_budget_of_contents():
    found = [content(text) for text in "abc"]
    assert texts(BudgetPostProcessor(2).process(QUESTION, found)) == "a b"


def test_a_budget_of_tokens_lets_smaller_ones_in_behind():
    found = [content("a a a"), content("b b b"), content("c"), content("d")]
    kept = BudgetPostProcessor(3, 4, Words()).process(QUESTION, found)
    assert [one.segment.text for one in kept] == ["a a a", "c"]


def test_the_best_content_is_kept_whatever_its_size():
    kept = BudgetPostProcessor(3, 1, Words()).process(QUESTION, [content("a a"), content("b")])
    assert [one.segment.text for one in kept] == ["a a"]


@pytest.mark.parametrize("wrong", [(0,), (1, 0, Words()), (1, 5)])
def test_a_budget_is_checked_when_built(wrong):
    with pytest.raises(ValueError, match=r"greater than 0|counter"):
        BudgetPostProcessor(*wrong)
