"""The paths of langchain4j-facts 4, and what is better on purpose."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rag.domain.events import Step
from desktop_rag.domain.messages import AiMessage, UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.retrieval.augmentor import DefaultRetrievalAugmentor
from desktop_rag.retrieval.bulkhead import Bulkhead
from desktop_rag.retrieval.routers.default import DefaultQueryRouter
from tests.helpers.retrieval_parts import (
    CountingExecutor,
    FixedRetriever,
    FixedRouter,
    FixedTransformer,
    contents,
    texts,
)

QUESTION = UserMessage("How long?", "Ada")


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1, thread_name_prefix="search") as pool:
        yield CountingExecutor(pool)


def test_no_query_leaves_the_message_as_it_is(executor):
    retriever = FixedRetriever(contents("a"))
    augmentor = DefaultRetrievalAugmentor(
        DefaultQueryRouter([retriever]), executor, FixedTransformer([])
    )
    result = augmentor.augment(QUESTION, QueryContext())
    assert result.message is QUESTION
    assert result.contents == ()
    assert retriever.asked == []
    assert executor.tasks == 0


def test_one_query_without_retrievers_leaves_the_message_as_it_is(executor):
    seen = []

    class Aggregator:
        def aggregate(self, retrieved):
            seen.append(dict(retrieved))
            return []

    augmentor = DefaultRetrievalAugmentor(FixedRouter({}), executor, aggregator=Aggregator())
    assert augmentor.augment(QUESTION, QueryContext()).message is QUESTION
    assert seen == [{}]


def test_one_query_and_one_retriever_run_in_the_callers_thread(executor):
    retriever = FixedRetriever(contents("a b"))
    augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter([retriever]), executor)
    result = augmentor.augment(QUESTION, QueryContext())
    assert retriever.threads == [threading.current_thread().name]
    assert executor.tasks == 0
    assert texts(result.contents) == "a b"
    assert result.message == UserMessage(
        "How long?\n\nAnswer using the following information:\na\n\nb", "Ada"
    )


def test_one_query_and_three_retrievers_are_three_tasks_in_order(executor):
    retrievers = [FixedRetriever(contents(text)) for text in ("a", "b", "c")]
    augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter(retrievers), executor)
    result = augmentor.augment(QUESTION, QueryContext())
    assert executor.tasks == 3
    assert texts(result.contents) == "a b c"
    assert all(one.threads[0].startswith("search") for one in retrievers)


def test_many_queries_need_no_more_than_one_thread(executor):
    retrievers = [FixedRetriever(contents("a b")), FixedRetriever(contents("c"))]
    augmentor = DefaultRetrievalAugmentor(
        DefaultQueryRouter(retrievers), executor, FixedTransformer(["x", "y", "z"])
    )
    result = augmentor.augment(QUESTION, QueryContext())
    assert [query.text for query in result.queries] == ["x", "y", "z"]
    assert executor.tasks == 3 + 6
    assert [query.text for query in retrievers[0].asked] == ["x", "y", "z"]
    assert texts(result.contents) == "a c b"


def test_queries_keep_their_order_and_equal_ones_are_searched_once(executor):
    routes = {"z": [FixedRetriever(contents("a"))], "b": [FixedRetriever(contents("b"))]}
    augmentor = DefaultRetrievalAugmentor(
        FixedRouter(routes), executor, FixedTransformer(["z", "b", "z"])
    )
    assert texts(augmentor.augment(QUESTION, QueryContext()).contents) == "a b"
    assert len(routes["z"][0].asked) == 1


def test_a_query_without_retrievers_among_others_gives_nothing(executor):
    routes = {"y": [FixedRetriever(contents("a"))]}
    augmentor = DefaultRetrievalAugmentor(
        FixedRouter(routes), executor, FixedTransformer(["x", "y"])
    )
    assert texts(augmentor.augment(QUESTION, QueryContext()).contents) == "a"


def fail() -> None:
    raise OSError("the disk")


def refuse() -> None:
    raise KnownError("Index closed", "Try again.")


@pytest.mark.parametrize("others", [0, 1])
def test_a_retriever_that_fails_gives_nothing_and_a_note(executor, caplog, others):
    retrievers = [FixedRetriever(before=fail), *[FixedRetriever(contents("a"))] * others]
    augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter(retrievers), executor)
    result = augmentor.augment(QUESTION, QueryContext())
    assert texts(result.contents) == "a" * others
    assert result.notes == (
        "A part of the search failed, so something may be missing from the answer.",
    )
    assert caplog.records[-1].exc_info
    assert "How long" not in caplog.text


def test_a_known_error_is_told_as_it_is(executor):
    retrievers = [FixedRetriever(before=refuse), FixedRetriever(contents("a"))]
    augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter(retrievers), executor)
    assert augmentor.augment(QUESTION, QueryContext()).notes == ("Index closed: Try again.",)


def test_notes_speak_the_questions_language(executor):
    augmentor = DefaultRetrievalAugmentor(
        DefaultQueryRouter([FixedRetriever(before=fail)]), executor
    )
    result = augmentor.augment(UserMessage("付款期限是多久？"), QueryContext())
    assert result.notes == ("部分搜索失败，答案可能有遗漏。",)


def test_a_retriever_that_exceeds_its_time_gives_nothing_and_a_note():
    release = threading.Event()
    slow = FixedRetriever(contents("late"), before=release.wait)
    quick = FixedRetriever(contents("a"))
    with ThreadPoolExecutor(2) as pool:
        augmentor = DefaultRetrievalAugmentor(
            DefaultQueryRouter([slow, quick]), pool, retriever_seconds=0.1
        )
        result = augmentor.augment(QUESTION, QueryContext())
        release.set()
    assert texts(result.contents) == "a"
    assert result.notes == (
        "A part of the search took too long, so something may be missing from the answer.",
    )


def test_a_hung_retriever_does_not_hold_up_those_behind_it_for_ever():
    release = threading.Event()
    hung = FixedRetriever(before=release.wait)
    waiting = FixedRetriever(contents("a"))
    with ThreadPoolExecutor(1) as pool:
        augmentor = DefaultRetrievalAugmentor(
            DefaultQueryRouter([hung, waiting]), pool, retriever_seconds=0.1
        )
        result = augmentor.augment(QUESTION, QueryContext())
        release.set()
    assert result.contents == ()
    assert len(result.notes) == 1


def test_cancel_is_heard_while_retrievers_run():
    release, cancel = threading.Event(), CancelToken()

    def cancel_and_wait() -> None:
        cancel.cancel()
        release.wait()

    busy = [FixedRetriever(before=cancel_and_wait), FixedRetriever(before=release.wait)]
    with ThreadPoolExecutor(2) as pool:
        augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter(busy), pool)
        with pytest.raises(Cancelled):
            augmentor.augment(QUESTION, QueryContext(), cancel=cancel)
        release.set()


def test_who_is_done_first_does_not_change_the_order():
    first_done = threading.Event()
    lists = [contents("a b"), contents("b c"), contents("c d")]

    def found_when(last: int) -> str:
        first_done.clear()
        retrievers = [
            FixedRetriever(found, first_done.wait if at == last else first_done.set)
            for at, found in enumerate(lists)
        ]
        with ThreadPoolExecutor(3) as pool:
            augmentor = DefaultRetrievalAugmentor(
                DefaultQueryRouter(retrievers), pool, FixedTransformer(["x", "y"])
            )
            return texts(augmentor.augment(QUESTION, QueryContext()).contents)

    assert {found_when(last) for last in range(3)} == {"b c a d"}


def test_cancel_is_heard_while_a_retriever_waits_for_its_turn():
    release, cancel, bulkhead = threading.Event(), CancelToken(), Bulkhead(1)

    def cancel_and_wait() -> None:
        cancel.cancel()
        release.wait()

    busy = [FixedRetriever(before=cancel_and_wait), FixedRetriever()]
    with ThreadPoolExecutor(2) as pool:
        augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter(busy), pool, bulkhead=bulkhead)
        with pytest.raises(Cancelled):
            augmentor.augment(QUESTION, QueryContext(), cancel=cancel)
        release.set()
    assert busy[1].asked == []
    assert not bulkhead.is_shut(busy[0])


def test_cancelled_before_the_start_asks_no_one(executor):
    cancel = CancelToken()
    cancel.cancel()
    retriever = FixedRetriever()
    augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter([retriever]), executor)
    with pytest.raises(Cancelled):
        augmentor.augment(QUESTION, QueryContext(), cancel=cancel)
    assert retriever.asked == []


def test_the_steps_are_told_in_order_and_only_those_that_happen(executor):
    plain, rewritten = [], []
    retrievers = [FixedRetriever(contents("a")), FixedRetriever(contents("b"))]
    augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter(retrievers), executor)
    augmentor.augment(QUESTION, QueryContext(), plain.append)
    assert [event.step for event in plain] == [Step.UNDERSTANDING, Step.SEARCHING, Step.RANKING]
    augmentor = DefaultRetrievalAugmentor(
        FixedRouter({"x": retrievers, "y": []}), executor, FixedTransformer(["x", "y"])
    )
    augmentor.augment(QUESTION, QueryContext(), rewritten.append)
    assert [event.step for event in rewritten] == [
        Step.UNDERSTANDING,
        Step.REWRITING,
        Step.ROUTING,
        Step.SEARCHING,
        Step.RANKING,
    ]
    assert rewritten[1].detail == ("x", "y")
    assert all(event.seconds >= 0 for event in rewritten)


def test_post_processors_get_the_users_own_question_and_run_in_order(executor):
    class Keep:
        def __init__(self, count: int) -> None:
            self.count, self.queries = count, []

        def process(self, query, found):
            self.queries.append(query.text)
            return found[: self.count]

    first, second = Keep(2), Keep(1)
    augmentor = DefaultRetrievalAugmentor(
        FixedRouter({"x": [FixedRetriever(contents("a b c"))]}),
        executor,
        FixedTransformer(["x"]),
        post_processors=[first, second],
    )
    result = augmentor.augment(QUESTION, QueryContext(history=(AiMessage("before"),)))
    assert texts(result.contents) == "a"
    assert first.queries == second.queries == ["How long?"]


def test_arguments_are_checked_when_the_part_is_built(executor):
    router = DefaultQueryRouter([FixedRetriever()])
    with pytest.raises(ValueError, match="retriever_seconds"):
        DefaultRetrievalAugmentor(router, executor, retriever_seconds=0)
    with pytest.raises(ValueError, match="at least one retriever"):
        DefaultQueryRouter([])


def test_a_blank_message_is_refused(executor):
    augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter([FixedRetriever()]), executor)
    with pytest.raises(ValueError, match="blank"):
        augmentor.augment(UserMessage(" "), QueryContext())
