"""A retriever that hangs keeps its own places alone, and the rest of the search goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.retrieval.augmentor import DefaultRetrievalAugmentor
from desktop_rag.retrieval.bulkhead import Bulkhead
from desktop_rag.retrieval.protocols import Augmentation
from desktop_rag.retrieval.routers.default import DefaultQueryRouter
from tests.helpers.retrieval_parts import FixedRetriever, FixedTransformer, contents, texts

BUSY = (
    "A part of the search does not answer and was left out, so something may be missing from "
    "the answer."
)


class Quick(FixedRetriever):
    """Of another kind than the one that hangs."""


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(3) as threads:
        yield threads


def ask(pool: ThreadPoolExecutor, bulkhead: Bulkhead, *retrievers: FixedRetriever) -> Augmentation:
    augmentor = DefaultRetrievalAugmentor(
        DefaultQueryRouter(retrievers), pool, retriever_seconds=0.1, bulkhead=bulkhead
    )
    return augmentor.augment(UserMessage("how?"), QueryContext())


def test_a_retriever_that_hangs_is_left_out_until_it_is_free_again(
    pool: ThreadPoolExecutor,
) -> None:
    go_on, bulkhead = threading.Event(), Bulkhead(2)
    hung, quick = FixedRetriever(contents("slow"), go_on.wait), Quick(contents("quick"))
    late = [ask(pool, bulkhead, hung, quick) for _ in range(2)]
    assert ["too long" in one.notes[0] for one in late] == [True, True]
    refused = ask(pool, bulkhead, hung, quick)
    assert (texts(refused.contents), refused.notes) == ("quick", (BUSY,))
    assert len(hung.asked) == 2
    go_on.set()
    again = Bulkhead(2)
    assert texts(ask(pool, again, hung, quick).contents) == "slow quick"


def test_places_are_given_back_whatever_a_call_comes_to(pool: ThreadPoolExecutor) -> None:
    def fail() -> None:
        raise OSError("the disk")

    bulkhead = Bulkhead(1)
    failing, quick = FixedRetriever(before=fail), Quick(contents("quick"))
    for _ in range(3):
        assert texts(ask(pool, bulkhead, failing, quick).contents) == "quick"
    assert len(failing.asked) == 3


def test_many_queries_share_the_places_and_none_is_lost(pool: ThreadPoolExecutor) -> None:
    most, at_once, lock = [0], [0], threading.Lock()

    class Counting(FixedRetriever):
        def retrieve(self, query):  # type: ignore[no-untyped-def]
            with lock:
                at_once[0] += 1
                most[0] = max(most[0], at_once[0])
            try:
                return super().retrieve(query)
            finally:
                with lock:
                    at_once[0] -= 1

    counting = Counting(contents("a"))
    augmentor = DefaultRetrievalAugmentor(
        DefaultQueryRouter([counting]),
        pool,
        FixedTransformer(list("pqrstu")),
        bulkhead=Bulkhead(2),
    )
    assert texts(augmentor.augment(UserMessage("how?"), QueryContext()).contents) == "a"
    assert sorted(query.text for query in counting.asked) == list("pqrstu")
    assert most[0] <= 2


def test_a_bulkhead_has_places() -> None:
    with pytest.raises(ValueError, match="most"):
        Bulkhead(0)
