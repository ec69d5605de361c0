"""The traps of hnswlib, each with its own input."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from desktop_rag.store.graph_vectors import GraphVectors
from desktop_rag.store.vector_index import VectorIndex
from tests.helpers.vector_bench import DIMENSION, LIMIT, Bench, exactly, no_rows, unit_rows


def hits_of(index: VectorIndex, rows: np.ndarray, k: int = 5) -> int:
    """How many rows find themselves among their k nearest."""
    return sum(
        number in [found for found, _ in index.search(row, k, None)]
        for number, row in enumerate(rows, start=1)
    )


def test_c1_every_distinct_vector_finds_itself(bench: Bench) -> None:
    rows = unit_rows(500)
    bench.insert(rows)
    assert hits_of(bench.graph(), rows) == 500


def test_c1_vectors_all_alike_shuffled_in_hide_none(bench: Bench) -> None:
    """Whether the graph passes its check or the space stays exact: all are found."""
    distinct = unit_rows(500)
    rows = np.concatenate([distinct, np.repeat(unit_rows(1, seed=1), 300, axis=0)])
    order = np.random.default_rng(2).permutation(len(rows))
    bench.insert(rows[order])
    index = bench.index()
    index.maintain()
    index.wait_built()
    places = {int(old): new for new, old in enumerate(order, start=1)}
    for number, row in enumerate(distinct):
        assert places[number] in [found for found, _ in index.search(row, 5, None)]


def test_c1_vectors_all_alike_in_front_do_not_hide_the_others(bench: Bench) -> None:
    """A graph of these does not find all others; the check sees it, the space stays exact."""
    alike = np.repeat(unit_rows(1, seed=1), 1500, axis=0)
    distinct = unit_rows(300, seed=2)
    bench.insert(alike)
    bench.insert(distinct, first=1501)
    index = bench.index()
    index.maintain()
    index.wait_built()
    for number, row in enumerate(distinct, start=1501):
        assert index.search(row, 5, None)[0] == (number, 1.0)
    best = index.search(alike[0], 5, None)
    assert best == [(number, 1.0) for number in range(1, 6)]
    assert not isinstance(index._vectors, GraphVectors)
    built = index._builder
    index.maintain()
    assert index._builder is built


@pytest.mark.parametrize("graph", [False, True])
def test_c2_more_than_there_is_gives_all(bench: Bench, graph: bool) -> None:
    rows = unit_rows(120)
    ids = bench.insert(rows)
    index = bench.graph() if graph else bench.index(limit=1000)
    query = unit_rows(1, seed=9)[0]
    assert index.search(query, 500, None) == exactly(rows, query, 500)
    assert index.search(query, 8, [3, 7]) == exactly(rows[[2, 6]], query, 8, np.array([3, 7]))
    assert index.search(query, 8, []) == []
    assert index.search(query, 8, [999]) == []
    none = no_rows()
    index.apply(ids[3:].tolist(), *none, 2)
    assert index.search(query, 8, None) == exactly(rows[:3], query, 8)
    index.apply(ids.tolist(), *none, 3)
    assert index.search(query, 8, None) == []


def test_c2_an_empty_index_finds_nothing(bench: Bench) -> None:
    assert bench.index().search(unit_rows(1)[0], 8, None) == []
    assert GraphVectors.empty(DIMENSION, 1).search(unit_rows(1)[0], 8, None, LIMIT) == []


def test_a_graph_finds_what_a_scan_finds(bench: Bench) -> None:
    rows = unit_rows(2000)
    bench.insert(rows)
    index = bench.graph()
    found = sum(
        len(set(index.search(query, 10, None)) & set(exactly(rows, query, 10)))
        for query in unit_rows(50, seed=5)
    )
    assert found >= 490


def test_filters_that_allow_few_or_many_are_exact_or_near(bench: Bench) -> None:
    rows = unit_rows(1000)
    bench.insert(rows)
    index = bench.graph()
    query = unit_rows(1, seed=6)[0]
    few = list(range(1, 1000, 40))
    assert index.search(query, 10, few) == exactly(
        rows[[n - 1 for n in few]], query, 10, np.array(few)
    )
    many = list(range(1, 1001, 3))
    expected = exactly(rows[[n - 1 for n in many]], query, 10, np.array(many))
    found = index.search(query, 10, many)
    assert len(found) == 10
    assert {number for number, _ in found} <= set(many)
    assert len(set(found) & set(expected)) >= 9


def test_c3_a_loaded_graph_searches_and_takes_more_as_before(bench: Bench) -> None:
    rows = unit_rows(400)
    ids = bench.insert(rows)
    index = bench.graph()
    none = no_rows()
    bench.silence(ids[:20])
    index.apply(ids[:20].tolist(), *none, 1)
    queries = unit_rows(20, seed=7)
    before = [index.search(query, 10, None) for query in queries]
    index.close()
    again = bench.index(since=1)
    assert isinstance(again._vectors, GraphVectors)
    assert again._vectors._graph.ef == 800
    assert again.ids() == set(ids[20:].tolist())
    assert [again.search(query, 10, None) for query in queries] == before
    more = unit_rows(600, seed=8)
    again.apply([], np.arange(401, 1001), more, 2)
    assert again.count == 980
    assert again.search(more[-1], 1, None) == [(1000, 1.0)]
    again.apply([], ids[:20], rows[:20], 3)
    assert again.search(rows[0], 1, None) == [(1, 1.0)]


def test_applying_again_changes_nothing(bench: Bench) -> None:
    rows = unit_rows(200)
    ids = bench.insert(rows)
    index = bench.graph()
    query = unit_rows(1, seed=9)[0]
    none = no_rows()
    index.apply([5, 6], *none, 1)
    expected = index.search(query, 300, None)
    for _ in range(2):
        index.apply([5, 6, 999], ids[:4], rows[:4], 1)
        assert index.search(query, 300, None) == expected


def test_c5_searches_adds_and_deletes_at_the_same_time(bench: Bench) -> None:
    rows = unit_rows(1500)
    bench.insert(rows)
    none = no_rows()
    index = bench.graph()
    failures: list[BaseException] = []
    stop = threading.Event()

    def look(number: int) -> None:
        queries = unit_rows(50, seed=number)
        try:
            while not stop.is_set():
                for query in queries:
                    found = index.search(query, 10, None)
                    assert len(found) == 10
                    assert all(-1.0 <= cosine <= 1.0 for _, cosine in found)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=look, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for turn in range(15):
        fresh = np.arange(2000 + turn * 20, 2020 + turn * 20)
        index.apply([], fresh, unit_rows(20, seed=100 + turn), turn)
        index.apply(list(range(turn * 20 + 1, turn * 20 + 21)), *none, turn)
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures
    assert index.count == 1500
