"""Several retrievers as one, and one that is not asked too often at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.foundation.errors import KnownError
from desktop_rag.retrieval.aggregators.default import DefaultContentAggregator
from desktop_rag.retrieval.augmentor import DefaultRetrievalAugmentor
from desktop_rag.retrieval.retrievers.bulkhead import BulkheadContentRetriever
from desktop_rag.retrieval.retrievers.hybrid import HybridContentRetriever
from desktop_rag.retrieval.routers.default import DefaultQueryRouter
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


def test_a_retriever_that_hangs_holds_up_its_own_questions_alone() -> None:
    go_on, hangs = threading.Event(), threading.Barrier(3)

    def hang() -> None:
        hangs.wait()
        go_on.wait()

    slow = BulkheadContentRetriever(FixedRetriever(contents("slow"), before=hang), 2)
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(slow.retrieve, QUESTION) for _ in range(2)]
        hangs.wait()
        router = DefaultQueryRouter([slow, FixedRetriever(contents("quick"))])
        augmentor = DefaultRetrievalAugmentor(router, pool)
        found = augmentor.augment(UserMessage("how?"), QueryContext())
        go_on.set()
        assert [texts(one.result()) for one in waiting] == ["slow", "slow"]
    assert texts(found.contents) == "quick"
    assert [note.partition(":")[0] for note in found.notes] == ["A part of the search is busy"]
    with pytest.raises(ValueError, match="most"):
        BulkheadContentRetriever(slow, 0)


def test_a_refusal_is_in_the_questions_language() -> None:
    full = BulkheadContentRetriever(FixedRetriever(), 1)
    full._free.acquire()
    with pytest.raises(KnownError, match="太多问题"):
        full.retrieve(Query("保修期多长？"))
