"""The traps of hnswlib, each with its own input."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.store.codec import pack_vector
from desktop_rag.store.database import open_database
from desktop_rag.store.graph_vectors import GraphVectors
from desktop_rag.store.readers import ReaderPool
from desktop_rag.store.records import IndexState
from desktop_rag.store.texts import Space
from desktop_rag.store.vector_files import GraphFiles
from desktop_rag.store.vector_index import VectorIndex
from desktop_rag.store.vectors import Ids, best_first, exact_cosines

DIMENSION = 64
LIMIT = 50
LIBRARY = "library-id"


def unit_rows(count: int, seed: int = 0, dimension: int = DIMENSION) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def exactly(rows: np.ndarray, query: np.ndarray, k: int, ids: Ids | None = None) -> list:
    ids = np.arange(1, len(rows) + 1) if ids is None else ids
    return best_first(ids, exact_cosines(rows, query), k)


class Bench:
    """A database with texts of one space, and the index over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.connection = open_database(folder)
        self.readers = ReaderPool(folder)
        self.connection.execute("INSERT INTO spaces (name, dimension) VALUES ('en', 64)")
        self.connection.execute(
            "INSERT INTO documents (key, origin, kind, title, language, segments, coverage, "
            "metadata, headings) VALUES ('k', 'file', 'text', '', 'en', 0, '[]', '{}', '[]')"
        )
        self.connection.execute(
            'INSERT INTO parents (document_id, "start", "end", heading_path) '
            "VALUES (1, 0, 1, '[]')"
        )
        self.space = Space(1, "en", DIMENSION)
        self.opened: list[VectorIndex] = []

    def insert(self, rows: np.ndarray, first: int = 1) -> Ids:
        """Store live texts with these vectors; return their ids."""
        ids = np.arange(first, first + len(rows))
        self.connection.execute("BEGIN")
        for text_id, row in zip(ids.tolist(), rows, strict=True):
            self.connection.execute(
                "INSERT INTO texts (id, space_id, hash, tokens, text) VALUES (?, 1, ?, 0, '')",
                (text_id, str(text_id)),
            )
            self.connection.execute(
                "INSERT INTO vectors VALUES (?, ?)", (text_id, pack_vector(row))
            )
            self.connection.execute(
                'INSERT INTO segments (document_id, parent_id, text_id, ordinal, "start", "end", '
                "language, heading_path, lines) VALUES (1, 1, ?, 0, 0, 1, 'en', '[]', x'')",
                (text_id,),
            )
        self.log()
        self.connection.execute("COMMIT")
        return ids

    def log(self) -> int:
        return self.connection.execute(
            "INSERT INTO change_log (texts, files) VALUES ('[]', '[]')"
        ).lastrowid

    def silence(self, ids: Ids) -> None:
        """Take texts out of the database's live ones."""
        self.connection.execute(
            f"DELETE FROM segments WHERE text_id IN ({','.join(map(str, ids.tolist()))})"
        )

    def index(self, limit: int = LIMIT, since: int = 0) -> VectorIndex:
        files = GraphFiles(self.folder / "vectors" / "en")
        index = VectorIndex(self.space, files, self.readers, LIBRARY, limit)
        newest = self.connection.execute("SELECT MAX(change) FROM change_log").fetchone()[0] or 0
        index.open(since, newest)
        self.opened.append(index)
        return index

    def graph(self, limit: int = LIMIT) -> VectorIndex:
        """An index that has built its graph."""
        index = self.index(limit)
        index.maintain()
        index.wait_built()
        assert isinstance(index._vectors, GraphVectors)
        return index

    def close(self) -> None:
        for index in self.opened:
            index.close()
        self.readers.close()
        self.connection.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "library")
    yield bench
    bench.close()


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
    none = np.empty(0, np.int64), np.empty((0, DIMENSION), np.float32)
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
    none = np.empty(0, np.int64), np.empty((0, DIMENSION), np.float32)
    bench.silence(ids[:20])
    index.apply(ids[:20].tolist(), *none, 1)
    queries = unit_rows(20, seed=7)
    before = [index.search(query, 10, None) for query in queries]
    index.close()
    again = bench.index(since=1)
    assert isinstance(again._vectors, GraphVectors)
    assert again._vectors._graph.ef == 256
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
    none = np.empty(0, np.int64), np.empty((0, DIMENSION), np.float32)
    index.apply([5, 6], *none, 1)
    expected = index.search(query, 300, None)
    for _ in range(2):
        index.apply([5, 6, 999], ids[:4], rows[:4], 1)
        assert index.search(query, 300, None) == expected


def test_c5_searches_adds_and_deletes_at_the_same_time(bench: Bench) -> None:
    rows = unit_rows(1500)
    bench.insert(rows)
    none = np.empty(0, np.int64), np.empty((0, DIMENSION), np.float32)
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
    none = np.empty(0, np.int64), np.empty((0, DIMENSION), np.float32)
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
    none = np.empty(0, np.int64), np.empty((0, DIMENSION), np.float32)
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
