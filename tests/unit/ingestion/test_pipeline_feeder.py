from __future__ import annotations

from collections import deque
from queue import SimpleQueue

import pytest

from desktop_rag.domain.files import FileStat
from desktop_rag.ingestion.feeder import SentText, TextFeeder
from desktop_rag.ingestion.jobs import Job
from desktop_rag.ingestion.work import Reading, Work, distinct_texts
from tests.helpers.library_parts import ToySpaces, prepared


class Bench:
    """A feeder whose results are taken one after the other."""

    def __init__(self) -> None:
        self.spaces = ToySpaces(threads=1)
        self.results: SimpleQueue[SentText] = SimpleQueue()
        self.feeder = TextFeeder(self.spaces, self.results.put)

    def take(self) -> list[Work]:
        return self.feeder.receive(self.results.get(timeout=10))

    def work(self, *texts: str) -> Work:
        document = prepared("\n\n".join(texts))
        distinct = distinct_texts(document)
        return Work(
            Reading(Job(1), FileStat(1, 1, 1, 1), "hash"),
            "key",
            "/a",
            document,
            distinct,
            deque(distinct),
            set(distinct),
        )


@pytest.fixture
def bench():
    made = Bench()
    yield made
    made.spaces.close()


def test_a_text_of_two_documents_is_embedded_once(bench: Bench) -> None:
    first, second = bench.work("one", "both"), bench.work("both", "two")
    assert bench.feeder.fill([first, second]) == []
    assert [bench.take() for _ in range(3)] == [[], [first], [second]]
    assert sorted(bench.spaces.model.texts) == ["both", "one", "two"]
    assert (first.embedded, first.tokens, second.embedded) == (2, 2, 1)
    late = bench.work("both")
    assert bench.feeder.fill([late]) == [late]
    assert late.embedded == 0


def test_no_more_than_the_window_is_sent(bench: Bench) -> None:
    bench.feeder.window = 2
    work = bench.work("one", "two", "three")
    bench.feeder.fill([work])
    assert len(work.unsent) == 1
    bench.take()
    bench.feeder.fill([work])
    assert not work.unsent
    assert [bench.take(), bench.take()] == [[], [work]]


def test_what_is_withdrawn_goes_back(bench: Bench) -> None:
    bench.spaces.model.seconds = 0.05
    work = bench.work(*(f"text {number}" for number in range(10)))
    bench.feeder.fill([work])
    bench.feeder.withdraw()
    while len(work.unsent) + len(work.vectors) < 10:
        bench.take()
    assert len(work.vectors) <= 2
    assert set(work.unsent) == work.missing
    bench.spaces.model.seconds = 0.0
    bench.feeder.fill([work])
    while work.missing:
        bench.take()
    assert len(work.vectors) == 10


def test_a_model_s_error_gives_the_text_back(bench: Bench) -> None:
    bench.spaces.model.error = ZeroDivisionError()
    work = bench.work("one")
    bench.feeder.fill([work])
    with pytest.raises(ZeroDivisionError):
        bench.take()
    assert list(work.unsent) == list(work.missing)


def test_a_document_that_left_gets_nothing(bench: Bench) -> None:
    first, second = bench.work("both", "one"), bench.work("both")
    bench.feeder.fill([first, second])
    bench.feeder.forget(first)
    while second.missing:
        bench.take()
    assert not first.vectors
    assert second.embedded == 1
