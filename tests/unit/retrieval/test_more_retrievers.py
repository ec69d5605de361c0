"""Several retrievers as one, and one that looks in a part of the library."""

from __future__ import annotations

import pytest

from desktop_rag.domain.filter import And, IsEqualTo
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.retrieval.aggregators.default import DefaultContentAggregator
from desktop_rag.retrieval.retrievers.hybrid import HybridContentRetriever
from desktop_rag.retrieval.retrievers.scoped import ScopedContentRetriever
from tests.helpers.retrieval_parts import FixedRetriever, contents, texts

QUESTION = Query("how?")


def test_a_hybrid_gives_one_list_of_several() -> None:
    parts = [FixedRetriever(contents("a b")), FixedRetriever(contents("b c"))]
    hybrid = HybridContentRetriever(parts, DefaultContentAggregator(), 2)
    assert texts(hybrid.retrieve(QUESTION)) == "b a"
    with pytest.raises(ValueError, match="at least one"):
        HybridContentRetriever([], DefaultContentAggregator(), 2)
    with pytest.raises(ValueError, match="max_results"):
        HybridContentRetriever(parts, DefaultContentAggregator(), 0)


def test_a_part_of_the_library_is_searched_under_its_own_condition() -> None:
    asked = FixedRetriever(contents("a"))
    law, new = IsEqualTo("department", "law"), IsEqualTo("year", 2024)
    question = Query("how?", QueryContext(filter=new), note="said")
    assert texts(ScopedContentRetriever(asked, law).retrieve(question)) == "a"
    assert asked.asked[-1].context.filter == And(law, new)
    assert asked.asked[-1].note == "said"
    ScopedContentRetriever(asked, law).retrieve(QUESTION)
    assert asked.asked[-1].context.filter == law
    ScopedContentRetriever(asked, lambda one: law if "law" in one.text else None).retrieve(QUESTION)
    assert asked.asked[-1] == QUESTION
