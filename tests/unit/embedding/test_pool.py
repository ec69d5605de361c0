from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError

import numpy as np
import pytest

from desktop_rag.embedding.model import Vector
from desktop_rag.embedding.pool import EmbeddingPool
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled


class Numbers:
    """Embeds the text of a number; remembers which thread did which text."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.threads: dict[str, threading.Thread] = {}
        self.gate = threading.Event()
        self.gate.set()
        self.started = threading.Semaphore(0)

    def embed_text(self, text: str) -> Vector:
        self.begun.append(text)
        self.threads[text] = threading.current_thread()
        self.started.release()
        self.gate.wait(10)
        if text == "bad":
            raise LookupError(text)
        return np.array([float(text)], dtype=np.float32)


@pytest.fixture
def model() -> Numbers:
    return Numbers()


@pytest.fixture
def pool() -> Iterator[EmbeddingPool]:
    made = EmbeddingPool(2)
    yield made
    made.close()


def held(model: Numbers, pool: EmbeddingPool) -> None:
    """Occupy both threads of the pool until the gate opens."""
    model.gate.clear()
    for text in ("1000", "1001"):
        pool.submit(model, text)
    for _ in range(2):
        assert model.started.acquire(timeout=10)


def test_no_thread_before_the_first_text(pool: EmbeddingPool) -> None:
    before = threading.active_count()
    assert EmbeddingPool(8).threads == 8
    assert threading.active_count() == before


def test_as_many_threads_as_processors_by_default() -> None:
    assert EmbeddingPool().threads == os.cpu_count()


def test_a_pool_without_threads_is_refused() -> None:
    with pytest.raises(ValueError, match="threads"):
        EmbeddingPool(0)


def test_submitted_texts_are_embedded_by_the_pool(pool: EmbeddingPool, model: Numbers) -> None:
    futures = [pool.submit(model, str(number)) for number in range(20)]
    assert [float(future.result(10)[0]) for future in futures] == list(range(20))
    assert threading.current_thread() not in model.threads.values()


def test_all_are_returned_in_order(pool: EmbeddingPool, model: Numbers) -> None:
    vectors = pool.run_all(model, [str(number) for number in range(50)])
    assert [float(vector[0]) for vector in vectors] == list(range(50))
    assert sorted(model.begun, key=int) == [str(number) for number in range(50)]


def test_the_caller_works_while_the_threads_are_busy(pool: EmbeddingPool, model: Numbers) -> None:
    held(model, pool)
    waiting = pool.submit(model, "7")
    quick = Numbers()
    assert [float(vector[0]) for vector in pool.run_all(quick, ["1", "2"])] == [1.0, 2.0]
    assert set(quick.threads.values()) == {threading.current_thread()}
    assert not waiting.done()
    model.gate.set()
    assert waiting.result(10)[0] == 7


def test_what_is_waited_for_goes_before_what_was_submitted(
    pool: EmbeddingPool, model: Numbers
) -> None:
    held(model, pool)
    background = [pool.submit(model, str(number)) for number in range(5)]
    asked = [str(number) for number in range(100, 105)]
    caller = threading.Thread(target=pool.run_all, args=(model, asked))
    caller.start()
    assert model.started.acquire(timeout=10)  # the caller holds one of its own by now
    model.gate.set()
    caller.join(10)
    for future in background:
        future.result(10)
    order = model.begun[2:]
    assert set(order[:4]) <= set(asked)


def test_an_error_reaches_the_one_who_asked(pool: EmbeddingPool, model: Numbers) -> None:
    with pytest.raises(LookupError):
        pool.submit(model, "bad").result(10)
    with pytest.raises(LookupError):
        pool.run_all(model, ["1", "bad", "2"])
    assert pool.run_all(model, ["3"])[0][0] == 3


def test_cancelling_drops_what_had_not_begun(pool: EmbeddingPool, model: Numbers) -> None:
    cancel = CancelToken()
    cancel.cancel()
    held(model, pool)
    with pytest.raises(Cancelled):
        pool.run_all(model, [str(number) for number in range(100)], cancel)
    model.gate.set()
    assert pool.submit(model, "5").result(10)[0] == 5
    assert set(model.begun) == {"1000", "1001", "5"}


def test_a_cancelled_future_is_not_embedded(pool: EmbeddingPool, model: Numbers) -> None:
    held(model, pool)
    unwanted = pool.submit(model, "1")
    assert unwanted.cancel()
    model.gate.set()
    assert pool.submit(model, "2").result(10)[0] == 2
    assert "1" not in model.begun


def test_closing_ends_the_threads_and_cancels_the_rest(model: Numbers) -> None:
    before = threading.active_count()
    pool = EmbeddingPool(2)
    held(model, pool)
    waiting = [pool.submit(model, str(number)) for number in range(10)]
    threading.Timer(0.05, model.gate.set).start()
    pool.close()
    pool.close()
    assert all(future.cancelled() for future in waiting)
    for future in waiting:
        with pytest.raises(CancelledError):
            future.result()
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(model, "1")
    with pytest.raises(RuntimeError, match="closed"):
        pool.run_all(model, ["1"])
    assert threading.active_count() <= before + 1  # the timer may just be ending


def test_closing_ends_a_caller_that_waits(model: Numbers) -> None:
    pool = EmbeddingPool(1)
    model.gate.clear()
    problems: list[BaseException] = []

    def ask() -> None:
        try:
            pool.run_all(model, ["1", "2", "3", "4"])
        except RuntimeError as error:
            problems.append(error)

    caller = threading.Thread(target=ask)
    caller.start()
    for _ in range(2):
        assert model.started.acquire(timeout=10)
    threading.Timer(0.05, model.gate.set).start()
    pool.close()
    caller.join(10)
    assert len(problems) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the niceness of a thread is Linux's")
def test_the_threads_yield_to_others(pool: EmbeddingPool) -> None:
    class Niceness:
        def embed_text(self, text: str) -> Vector:
            nice = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
            return np.array([nice], dtype=np.float32)

    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert pool.submit(Niceness(), "").result(10)[0] >= max(own, 10)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == own
