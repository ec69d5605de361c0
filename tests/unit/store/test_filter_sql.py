from __future__ import annotations

import string
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.domain.filter import (
    And,
    ContainsString,
    Filter,
    IsEqualTo,
    IsGreaterThan,
    IsIn,
    IsLessThanOrEqualTo,
    IsNotEqualTo,
    IsNotIn,
    Not,
    Or,
    matches,
)
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.filter_table import MATCHING, MISMATCHING
from tests.helpers.store_parts import SPACES, commit, prepared, put, simple_analyse

PASSAGES = [
    {"a": 1, "b": "x"},
    {"a": 2.5, "b": "y", "c": "long text"},
    {"a": 1.0},
    {"b": "x", "title": "own title is not used"},
    {},
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeStore]:
    """A library whose only file is given new content by each test."""
    folder = tmp_path_factory.mktemp("table") / "library"
    store = KnowledgeStore.open(folder, SPACES, analyse=simple_analyse)
    store.add_source("/docs", True)
    yield store
    store.close()


@pytest.fixture
def files(store: KnowledgeStore, source_id: int) -> KnowledgeStore:
    """Files of different kinds, folders and metadata, one of them twice."""
    for number, metadata in enumerate(PASSAGES):
        document = prepared(
            f"first {number}",
            f"second {number}",
            kind="pdf" if number % 2 else "text",
            title=f"Title {number}" if number < 3 else "",
            metadata=metadata,
            headings=("Top",) if number else (),
            paged=bool(number % 2),
        )
        commit(store, put(store, source_id, f"f{number % 2}/n{number}.txt"), document)
    copy = prepared("copied", metadata={"a": 1})
    for name in ("c1.txt", "copies/c2.txt"):
        commit(store, put(store, source_id, name), copy)
    return store


def by_memory(store: KnowledgeStore, condition: Filter) -> list[int]:
    """What the condition means, told by each passage of each file that holds it."""
    found: set[int] = set()
    for file in store.files():
        path = IsEqualTo("path", file.path)
        for text_id in store.allowed_texts(path):
            for stored in store.segments_of_texts([text_id], path)[text_id]:
                if matches(condition, stored.segment.metadata):
                    found.add(text_id)
    return sorted(found)


@pytest.mark.parametrize(("condition", "values", "expected"), MATCHING)
def test_documents_match_as_metadata_does(
    condition: Filter, values: dict, expected: bool, table: KnowledgeStore
) -> None:
    """The table that memory is tested with, on documents that have this metadata."""
    file_id = put(table, table.sources()[0].id, "one.txt")
    document_id = commit(table, file_id, prepared("words", metadata=values), key=repr(values))
    (segment,) = table.segments_of_document(document_id)
    assert table.allowed_texts(condition) == ([segment.text_id] if expected else [])
    assert bool(table.segments_of_texts([segment.text_id], condition)) is expected


@pytest.mark.parametrize(("condition", "values"), MISMATCHING)
def test_a_value_of_another_type_raises(
    condition: Filter, values: dict, table: KnowledgeStore
) -> None:
    file_id = put(table, table.sources()[0].id, "one.txt")
    commit(table, file_id, prepared("words", metadata=values), key=repr(values))
    with pytest.raises(ValueError, match="Type mismatch"):
        table.allowed_texts(condition)
    assert table.allowed_texts(IsEqualTo("type", "text")) != []


LEAVES = [
    IsEqualTo("a", 1),
    IsGreaterThan("a", 1.5),
    IsNotEqualTo("b", "x"),
    IsIn("b", frozenset({"y", "z"})),
    ContainsString("c", "text"),
    IsEqualTo("type", "pdf"),
    IsEqualTo("title", "Title 1"),
    IsNotEqualTo("title", "Title 1"),
    ContainsString("folder", "f1"),
    IsEqualTo("folder", "/docs/copies"),
    IsEqualTo("file_name", "c1.txt"),
    ContainsString("path", "/docs/c"),
    IsEqualTo("language", "en"),
    IsGreaterThan("modified", "2023-11"),
    IsLessThanOrEqualTo("source_id", 1),
    IsEqualTo("document_id", 2),
    IsNotIn("document_id", frozenset({1, 2, 3.0})),
    IsEqualTo("page", 2),
    IsNotEqualTo("page", 2),
    IsEqualTo("heading", "Top"),
    IsGreaterThan("segment_id", 4),
    IsIn("parent_id", frozenset({1, 2})),
    IsEqualTo("absent", 1),
]


def conditions() -> st.SearchStrategy[Filter]:
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: st.one_of(
            st.builds(And, inner, inner), st.builds(Or, inner, inner), st.builds(Not, inner)
        ),
        max_leaves=6,
    )


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(condition=conditions())
def test_any_condition_means_the_same_in_memory_and_in_the_database(
    files: KnowledgeStore, condition: Filter
) -> None:
    expected = by_memory(files, condition)
    assert files.allowed_texts(condition) == expected
    everything = files.allowed_texts(IsEqualTo("language", "en"))
    assert sorted(files.segments_of_texts(everything, condition)) == expected


def test_a_mismatch_that_nothing_reaches_does_not_raise(files: KnowledgeStore) -> None:
    mismatch = IsEqualTo("page", "2")
    assert files.allowed_texts(And(IsEqualTo("type", "text"), mismatch)) == []
    with pytest.raises(ValueError, match="Type mismatch"):
        files.allowed_texts(And(IsEqualTo("type", "pdf"), mismatch))
    with pytest.raises(ValueError, match="Type mismatch"):
        files.allowed_texts(IsEqualTo("source_id", "1"))


def test_signs_of_sql_in_keys_and_values_are_only_text(files: KnowledgeStore) -> None:
    for odd in ("'; DROP TABLE files; --", '"', "%", "_", "\x00", string.punctuation):
        assert files.allowed_texts(IsEqualTo(odd, odd)) == []
        assert files.allowed_texts(IsEqualTo("title", odd)) == []
        assert files.allowed_texts(ContainsString("folder", odd)) == []


def test_a_file_whose_name_is_not_unicode_can_be_asked_for(
    store: KnowledgeStore, source_id: int
) -> None:
    name = "caf\udce9.txt"
    commit(store, put(store, source_id, name), prepared("words"))
    assert len(store.allowed_texts(IsEqualTo("file_name", name))) == 1
    assert len(store.allowed_texts(ContainsString("path", "\udce9"))) == 1
    assert store.allowed_texts(IsEqualTo("file_name", "café.txt")) == []
