"""Libraries with hardly anything to find, and with thousands of passages that are the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from desktop_rag.domain.filter import ContainsString
from desktop_rag.store.graph_vectors import GraphVectors
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import (
    add_file,
    add_files,
    commit,
    found_texts,
    prepared,
    put,
    vector_for,
)

OpenStore = Callable[..., KnowledgeStore]

FOOTER = "All rights reserved."


def built(store: KnowledgeStore) -> object:
    """Build the graph where one is due; return what is searched."""
    index = store._derived.vectors["en"]
    index.maintain()
    index.wait_built()
    return index._vectors


def test_c1_passages_repeated_everywhere_are_one_vector_and_hide_nothing(
    open_store: OpenStore,
) -> None:
    store = open_store(exact_limit=50)
    source = store.add_source("/docs", True).id
    for number in range(30):
        own = [f"fact {number}.{line}" for line in range(10)]
        commit(store, put(store, source, f"{number}.txt"), prepared(*[FOOTER] * 50, *own))
    store.flush()

    assert isinstance(built(store), GraphVectors)
    assert store.vector_count("en") == 301
    for number in range(30):
        for line in range(10):
            fact = f"fact {number}.{line}"
            assert found_texts(store, store.vector_search("en", vector_for(fact), 1)) == [fact]
    [(same, _)] = store.vector_search("en", vector_for(FOOTER), 1)
    assert len(store.segments_of_texts([same])[same]) == 1500


@pytest.mark.parametrize("exact_limit", [2, 20_000])
def test_c2_fewer_than_asked_for_is_never_an_error(open_store: OpenStore, exact_limit: int) -> None:
    store = open_store(exact_limit)
    query = vector_for("anything")
    assert store.vector_search("en", query, 8) == []
    source = store.add_source("/docs", True).id
    add_file(store, source, "three.txt", "one", "two", "three")
    assert isinstance(built(store), GraphVectors) == (exact_limit == 2)
    assert len(store.vector_search("en", query, 8)) == 3

    files = {
        f"{'few' if number < 2 else 'many'}/{number}.txt": [f"text {number}"]
        for number in range(97)
    }
    numbers = add_files(store, source, files)
    few = store.vector_search("en", query, 8, ContainsString("folder", "few"))
    assert sorted(found_texts(store, few)) == ["text 0", "text 1"]

    store.remove_files(numbers)
    store.flush()
    assert len(store.vector_search("en", query, 8)) == 3
    assert store.vector_search("en", query, 8, ContainsString("folder", "few")) == []


@pytest.mark.parametrize("exact_limit", [2, 20_000])
def test_g4_a_shortened_file_is_found_by_what_is_left_alone(
    open_store: OpenStore, exact_limit: int
) -> None:
    store = open_store(exact_limit)
    source = store.add_source("/docs", True).id
    texts = [f"clause {number}" for number in range(10)]
    file_id = add_file(store, source, "contract.txt", *texts)
    built(store)

    commit(store, file_id, prepared(*texts[:2]))
    store.flush()

    by_vector = found_texts(store, store.vector_search("en", vector_for(texts[7]), 20))
    by_words = found_texts(store, store.keyword_search(["clause"], 20))
    assert sorted(by_vector) == sorted(by_words) == texts[:2]
    assert store.keyword_search(["7"], 20) == []
