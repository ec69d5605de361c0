"""What every embedding store does, run on each of them (langchain4j-facts 8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from desktop_rag.domain.filter import (
    ContainsString,
    Filter,
    IsEqualTo,
    IsGreaterThan,
    IsNotEqualTo,
    Not,
)
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment
from desktop_rag.store.embedding_store import EmbeddingSearchRequest, EmbeddingStore
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.memory_store import InMemoryEmbeddingStore
from desktop_rag.store.space_store import SqliteEmbeddingStore
from tests.helpers.filter_table import MATCHING, MISMATCHING
from tests.helpers.store_parts import simple_analyse

DIMENSION = 4
NOTHING = np.empty((0, DIMENSION), np.float32)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeStore]:
    folder: Path = tmp_path_factory.mktemp("contract") / "library"
    store = KnowledgeStore.open(folder, {"space": DIMENSION}, analyse=simple_analyse)
    yield store
    store.close()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, library: KnowledgeStore) -> Iterator[EmbeddingStore]:
    """An empty store of each kind."""
    if request.param == "memory":
        yield InMemoryEmbeddingStore(DIMENSION)
        return
    yield SqliteEmbeddingStore(library, "space")
    library.remove_matching_segments(IsNotEqualTo("no such key", 0))


def vector(*values: float) -> np.ndarray:
    return np.array(values + (0.0,) * (DIMENSION - len(values)), np.float32)


def add(store: EmbeddingStore, **entries: tuple[np.ndarray, TextSegment]) -> None:
    vectors = np.stack([given for given, _ in entries.values()])
    store.add_all(list(entries), vectors, [segment for _, segment in entries.values()])


def ids(store: EmbeddingStore, query: np.ndarray, **asked: object) -> list[str]:
    request = EmbeddingSearchRequest(query, **{"max_results": 10, **asked})
    return [match.embedding_id for match in store.search(request)]


A, B, C = TextSegment("a"), TextSegment("b"), TextSegment("c")
X, Y = vector(1), vector(0, 1)


def test_an_empty_store_finds_nothing(store: EmbeddingStore) -> None:
    assert store.search(EmbeddingSearchRequest(X)) == []


def test_the_score_is_the_cosine_moved_to_0_1(store: EmbeddingStore) -> None:
    add(store, same=(X, A), across=(Y, B), opposite=(-X, C))
    found = store.search(EmbeddingSearchRequest(X, max_results=5))
    assert [(match.embedding_id, match.score) for match in found] == [
        ("same", 1.0),
        ("across", 0.5),
        ("opposite", 0.0),
    ]
    assert [match.segment for match in found] == [A, B, C]


def test_lengths_of_vectors_do_not_matter(store: EmbeddingStore) -> None:
    add(store, long=(vector(30, 40), A), short=(vector(0.003, 0.004), B))
    found = store.search(EmbeddingSearchRequest(vector(6, 8), max_results=5))
    assert [match.score for match in found] == [1.0, 1.0]


def test_a_zero_query_scores_one_half_with_all(store: EmbeddingStore) -> None:
    add(store, b=(X, A), a=(Y, B))
    found = store.search(EmbeddingSearchRequest(vector(0)))
    assert [(match.embedding_id, match.score) for match in found] == [("a", 0.5), ("b", 0.5)]


def test_segments_come_back_as_they_were(store: EmbeddingStore) -> None:
    metadata = Metadata(
        {
            "text": "t",
            "int": 2**70,
            "float": 1.0,
            "uuid": UUID(int=5),
            "page": "seven",
            "path": "/x",
            "document_id": "mine",
        }
    )
    long = TextSegment("付款期限 \U0001f600 " * 2000, metadata)
    add(store, one=(X, long))
    (match,) = store.search(EmbeddingSearchRequest(X))
    assert match.segment == long
    assert {key: type(value) for key, value in match.segment.metadata.items()} == {
        key: type(value) for key, value in metadata.items()
    }


def test_only_as_many_as_asked_for_come_back(store: EmbeddingStore) -> None:
    add(store, a=(X, A), b=(vector(1, 1), B), c=(Y, C))
    assert ids(store, X, max_results=2) == ["a", "b"]
    assert ids(store, X, max_results=100) == ["a", "b", "c"]


def test_a_least_score_is_reached_or_passed(store: EmbeddingStore) -> None:
    add(store, a=(X, A), b=(Y, B), c=(-X, C))
    assert ids(store, X, min_score=0.5) == ["a", "b"]
    assert ids(store, X, min_score=0.51) == ["a"]
    assert ids(store, X, min_score=1.0) == ["a"]


def test_ties_are_in_the_order_of_ids(store: EmbeddingStore) -> None:
    names = [f"id-{number:02d}" for number in range(30)]
    backwards = names[::-1]
    segments = [TextSegment(f"text {number % 4}") for number in range(30)]
    store.add_all(backwards, np.stack([X] * 30), segments)
    for count in (1, 3, 10, 29, 30):
        assert ids(store, X, max_results=count) == names[:count]


def test_adding_an_id_again_replaces_it(store: EmbeddingStore) -> None:
    add(store, a=(X, A), b=(Y, B))
    add(store, a=(Y, C))
    found = store.search(EmbeddingSearchRequest(Y, max_results=5))
    assert [(match.embedding_id, match.segment) for match in found] == [("a", C), ("b", B)]


def test_equal_segments_with_different_vectors_stay_apart(store: EmbeddingStore) -> None:
    add(store, a=(X, A), b=(Y, A))
    assert ids(store, Y, max_results=1) == ["b"]
    assert ids(store, X, max_results=1) == ["a"]


def test_sizes_must_agree(store: EmbeddingStore) -> None:
    with pytest.raises(ValueError, match="1 ids"):
        store.add_all(["a"], np.stack([X, Y]), [A])
    with pytest.raises(ValueError, match="0 segments"):
        store.add_all(["a"], np.stack([X]), [])
    assert ids(store, X) == []


def test_adding_or_removing_nothing_does_nothing(store: EmbeddingStore) -> None:
    add(store, a=(X, A))
    store.add_all([], NOTHING, [])
    store.remove_all([])
    assert ids(store, X) == ["a"]


@pytest.mark.parametrize("bad", ["", " ", "\n"])
def test_a_blank_id_is_refused(store: EmbeddingStore, bad: str) -> None:
    add(store, a=(X, A))
    with pytest.raises(ValueError, match="blank"):
        store.add_all(["b", bad], np.stack([X, Y]), [B, C])
    with pytest.raises(ValueError, match="blank"):
        store.remove_all(["a", bad])
    assert ids(store, X) == ["a"]


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((1, DIMENSION), np.float32),
        np.full((1, DIMENSION), np.nan, np.float32),
        np.full((1, DIMENSION), np.inf, np.float32),
        np.ones((1, DIMENSION + 1), np.float32),
    ],
)
def test_a_vector_that_cannot_be_searched_is_refused(
    store: EmbeddingStore, bad: np.ndarray
) -> None:
    with pytest.raises(ValueError, match="vector"):
        store.add_all(["a"], bad, [A])
    assert ids(store, X) == []


def test_a_query_that_cannot_be_compared_is_refused(store: EmbeddingStore) -> None:
    add(store, a=(X, A))
    for query in (np.ones(DIMENSION + 1, np.float32), np.full(DIMENSION, np.nan, np.float32)):
        with pytest.raises(ValueError, match="vector"):
            store.search(EmbeddingSearchRequest(query))


def test_what_is_removed_is_found_no_more(store: EmbeddingStore) -> None:
    add(store, a=(X, A), b=(X, A), c=(Y, C))
    store.remove_all(["a", "c", "unknown"])
    assert ids(store, X) == ["b"]
    add(store, a=(X, A))
    assert ids(store, X) == ["a", "b"]


@pytest.mark.parametrize(("condition", "values", "expected"), MATCHING)
def test_filters_choose_what_is_found(
    store: EmbeddingStore, condition: Filter, values: dict, expected: bool
) -> None:
    add(store, one=(X, TextSegment("a", Metadata(values))))
    assert ids(store, X, filter=condition) == (["one"] if expected else [])


@pytest.mark.parametrize(("condition", "values"), MISMATCHING)
def test_a_mismatched_type_raises_and_removes_nothing(
    store: EmbeddingStore, condition: Filter, values: dict
) -> None:
    add(store, one=(X, TextSegment("a", Metadata(values))))
    with pytest.raises(ValueError, match="Type mismatch"):
        store.search(EmbeddingSearchRequest(X, filter=condition))
    with pytest.raises(ValueError, match="Type mismatch"):
        store.remove_matching(condition)
    assert ids(store, X) == ["one"]


def test_a_filter_is_applied_before_the_best_are_taken(store: EmbeddingStore) -> None:
    names = [f"id-{number:02d}" for number in range(20)]
    vectors = np.stack([vector(1, number / 20) for number in range(20)])
    segments = [TextSegment(f"t{n}", Metadata({"n": n})) for n in range(20)]
    store.add_all(names, vectors, segments)
    assert ids(store, X, filter=IsGreaterThan("n", 16), max_results=2) == ["id-17", "id-18"]
    assert ids(store, X, filter=Not(IsGreaterThan("n", 1)), max_results=5) == names[:2]


def test_a_filter_tells_equal_texts_apart(store: EmbeddingStore) -> None:
    tagged = replace(A, metadata=Metadata({"tag": "x"}))
    add(store, a=(X, A), b=(X, tagged), c=(X, A))
    assert ids(store, X, filter=IsEqualTo("tag", "x")) == ["b"]
    assert ids(store, X, filter=IsNotEqualTo("tag", "x")) == ["a", "c"]


def test_removing_by_filter_takes_what_matches_and_nothing_else(store: EmbeddingStore) -> None:
    segments = [TextSegment("same", Metadata({"tag": tag})) for tag in ("x", "xy", "z")]
    store.add_all(["a", "b", "c"], np.stack([X, X, Y]), segments)
    store.remove_matching(ContainsString("tag", "x"))
    assert ids(store, X) == ["c"]
    store.remove_matching(IsEqualTo("tag", "unknown"))
    assert ids(store, X) == ["c"]


def test_bounds_of_a_request_are_checked_when_it_is_built() -> None:
    for bounds in ({"max_results": 0}, {"min_score": -0.1}, {"min_score": 1.1}):
        with pytest.raises(ValueError, match="must be"):
            EmbeddingSearchRequest(X, **bounds)
    assert EmbeddingSearchRequest(X) == EmbeddingSearchRequest(X, 3, 0.0, None, None)
