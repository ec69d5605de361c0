"""When a space is a matrix and when a graph, and what is saved of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.store.graph_vectors import GraphVectors
from desktop_rag.store.records import IndexState
from desktop_rag.store.vectors import Ids
from tests.helpers.vector_bench import LIBRARY, LIMIT, Bench, no_rows, unit_rows


def test_a_graph_is_built_beyond_the_limit_and_the_matrix_is_dropped(bench: Bench) -> None:
    bench.insert(unit_rows(LIMIT))
    index = bench.index()
    index.maintain()
    assert index._builder is None
    more = unit_rows(10, seed=3)
    index.apply([], bench.insert(more, first=LIMIT + 1), more, 2)
    index.maintain()
    index.wait_built()
    assert isinstance(index._vectors, GraphVectors)
    assert index.ids() == set(range(1, LIMIT + 11))
    assert index.stats(2).state is IndexState.OK
    assert index.stats(3).state is IndexState.BEHIND


def test_a_quarter_deleted_is_built_anew_in_the_background(bench: Bench) -> None:
    rows = unit_rows(400)
    ids = bench.insert(rows)
    index = bench.graph()
    none = no_rows()
    bench.silence(ids[:150])
    index.apply(ids[:150].tolist(), *none, 2)
    index.maintain()
    index.wait_built()
    assert isinstance(index._vectors, GraphVectors)
    assert index._vectors.deleted == set()
    assert index.ids() == set(ids[150:].tolist())
    bench.silence(ids[150:370])
    index.apply(ids[150:370].tolist(), *none, 3)
    index.maintain()
    index.wait_built()
    assert not isinstance(index._vectors, GraphVectors)
    assert index.search(rows[399], 1, None) == [(400, 1.0)]


def test_changes_during_a_build_are_in_what_was_built(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = unit_rows(300)
    ids = bench.insert(rows)
    index = bench.index()
    more = unit_rows(30, seed=4)
    none = no_rows()
    measured = GraphVectors.recall

    def meanwhile(graph: GraphVectors, sample: int) -> float:
        index.apply(ids[:50].tolist(), bench.insert(more, first=301), more, 2)
        return measured(graph, sample)

    monkeypatch.setattr(GraphVectors, "recall", meanwhile)
    index._build_graph()
    assert isinstance(index._vectors, GraphVectors)
    assert index.ids() == set(range(51, 331))
    assert index.search(more[3], 1, None) == [(304, 1.0)]
    assert index.search(rows[0], 1, None)[0][0] != 1
    index.apply([], *none, 3)


def test_a_small_index_is_saved_nowhere(bench: Bench) -> None:
    bench.insert(unit_rows(10))
    index = bench.index()
    index.save_if_due(always=True)
    assert not (bench.folder / "vectors").exists()
    assert index.needs_log_from is None


def test_a_graph_is_saved_when_it_has_changed_much_or_at_the_end(bench: Bench) -> None:
    bench.insert(unit_rows(100))
    index = bench.graph()
    index.save_if_due(always=False)
    assert index.needs_log_from == 1
    more = unit_rows(5, seed=2)
    index.apply([], bench.insert(more, first=101), more, 2)
    index.save_if_due(always=False)
    assert index.needs_log_from == 1
    index.close()
    assert index.needs_log_from == 2
    assert len(list((bench.folder / "vectors" / "en").iterdir())) == 2


def test_closing_stops_a_build(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.insert(unit_rows(600))
    index = bench.index()
    started = threading.Event()
    add = GraphVectors.add

    def slowly(graph: GraphVectors, ids: Ids, rows: np.ndarray) -> None:
        started.set()
        add(graph, ids, rows)
        index._cancel.wait(20)

    monkeypatch.setattr(GraphVectors, "add", slowly)
    index.maintain()
    started.wait(20)
    index.close()
    assert not index._builder.is_alive()
    assert not isinstance(index._vectors, GraphVectors)


Spoil = Callable[[Path], None]


def truncated(folder: Path) -> None:
    (graph,) = folder.glob("graph-*")
    data = graph.read_bytes()
    graph.write_bytes(data[: len(data) // 2])


def flipped(folder: Path) -> None:
    (graph,) = folder.glob("graph-*")
    data = bytearray(graph.read_bytes())
    data[len(data) // 2] ^= 1
    graph.write_bytes(bytes(data))


def without_graph(folder: Path) -> None:
    (graph,) = folder.glob("graph-*")
    graph.unlink()


def broken_header(folder: Path) -> None:
    (folder / "header.json").write_text('{"library":')


def other_library(folder: Path) -> None:
    header = folder / "header.json"
    header.write_text(header.read_text().replace(LIBRARY, "another-id"))


def other_space(folder: Path) -> None:
    header = folder / "header.json"
    header.write_text(header.read_text().replace('"en"', '"fr"'))


def other_dimension(folder: Path) -> None:
    header = folder / "header.json"
    header.write_text(header.read_text().replace('"dimension": 64', '"dimension": 63'))


def other_count(folder: Path) -> None:
    header = folder / "header.json"
    header.write_text(header.read_text().replace('"count": 120', '"count": 119'))


def from_the_future(folder: Path) -> None:
    header = folder / "header.json"
    header.write_text(header.read_text().replace('"change": 1', '"change": 99'))


@pytest.mark.parametrize(
    "spoil",
    [
        truncated,
        flipped,
        without_graph,
        broken_header,
        other_library,
        other_space,
        other_dimension,
        other_count,
        from_the_future,
    ],
)
def test_c4_a_saved_graph_that_cannot_be_trusted_is_made_anew(bench: Bench, spoil: Spoil) -> None:
    rows = unit_rows(120)
    bench.insert(rows)
    bench.graph().close()
    spoil(bench.folder / "vectors" / "en")
    again = bench.index(since=1)
    assert again.ids() == set(range(1, 121))
    assert again.search(rows[7], 1, None) == [(8, 1.0)]
    assert again.reached == 1


def test_a_saved_graph_that_the_log_does_not_reach_back_to_is_made_anew(bench: Bench) -> None:
    rows = unit_rows(120)
    bench.insert(rows)
    bench.graph().close()
    more = unit_rows(3, seed=2)
    bench.insert(more, first=121)
    again = bench.index(since=2)
    assert again.ids() == set(range(1, 124))
