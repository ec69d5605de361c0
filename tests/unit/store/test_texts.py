from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.records import MissingVectorsError
from tests.helpers.store_parts import (
    DIMENSION,
    STAT,
    add_file,
    commit,
    found_texts,
    prepared,
    put,
    text_hash,
    vector_for,
)


def texts(store: KnowledgeStore) -> list[str]:
    return sorted(found_texts(store, store.vector_search("en", vector_for("any"), 100)))


def test_ids_are_never_used_again(store: KnowledgeStore, source_id: int) -> None:
    seen: set[tuple[str, int]] = set()
    for turn in range(3):
        file_id = add_file(store, source_id, "a.txt", f"words {turn}")
        document_id = store.file(file_id).document_id
        (segment,) = store.segments_of_document(document_id)
        now = {
            ("file", file_id),
            ("document", document_id),
            ("segment", segment.segment_id),
            ("parent", segment.parent_id),
            ("text", segment.text_id),
        }
        assert not now & seen
        seen |= now
        store.remove_files([file_id])
        store.settle()


def test_equal_passages_have_one_vector_and_many_places(
    store: KnowledgeStore, source_id: int
) -> None:
    add_file(store, source_id, "a.txt", "same words", "own words", "same words")
    add_file(store, source_id, "b.txt", "same words", "more words")
    assert store.vector_count("en") == 3
    (hit, *_) = store.vector_search("en", vector_for("same words"), 1)
    places = store.segments_of_texts([hit[0]])[hit[0]]
    assert [place.segment.metadata["file_name"] for place in places] == ["a.txt", "a.txt", "b.txt"]


def test_vectors_stored_ahead_are_used_and_need_not_be_given(
    store: KnowledgeStore, source_id: int
) -> None:
    given = prepared("early words", "late words")
    early, late = (segment.text_hash for segment in given.segments)
    assert store.known_hashes([early, late]) == set()
    store.put_vectors("en", {early: ("early words", 2, vector_for("early words"))})
    assert store.known_hashes([early, late]) == {early}
    assert texts(store) == []
    store.settle()
    file_id = put(store, source_id, "a.txt")
    with pytest.raises(MissingVectorsError) as caught:
        store.commit_document(file_id, STAT, "h", "k", given, {})
    assert caught.value.hashes == {late}
    store.commit_document(file_id, STAT, "h", "k", given, {late: vector_for("late words")})
    store.flush()
    assert texts(store) == ["early words", "late words"]
    assert len(store.keyword_search(["early"], 5)) == 1


def test_vectors_stored_ahead_are_collected_once_they_are_given_up(store: KnowledgeStore) -> None:
    unused = text_hash("unused")
    store.put_vectors("en", {unused: ("unused", 1, vector_for("unused"))})
    store.settle()
    assert store.stats().texts == 1
    store.release_hashes([unused])
    store.settle()
    assert store.stats().texts == 0


@pytest.mark.parametrize(
    "vector",
    [
        np.zeros(DIMENSION, np.float32),
        np.full(DIMENSION, np.nan, np.float32),
        np.array([np.inf] + [0] * (DIMENSION - 1), np.float32),
        np.ones(DIMENSION + 1, np.float32),
        np.ones((1, DIMENSION), np.float32),
    ],
)
def test_a_vector_that_cannot_be_searched_is_refused(
    store: KnowledgeStore, source_id: int, vector: np.ndarray
) -> None:
    given = prepared("words")
    file_id = put(store, source_id, "a.txt")
    with pytest.raises(ValueError, match="vector"):
        store.commit_document(file_id, STAT, "h", "k", given, {given.segments[0].text_hash: vector})
    with pytest.raises(ValueError, match="vector"):
        store.put_vectors("en", {"x": ("words", 1, vector)})
    assert store.stats().texts == 0
    assert store.file(file_id).status is FileStatus.WAITING


def test_a_space_that_the_library_was_opened_without_is_refused(
    store: KnowledgeStore, source_id: int
) -> None:
    given = prepared("words", space="fr")
    with pytest.raises(ValueError, match="fr"):
        commit(store, put(store, source_id, "a.txt"), given)
    with pytest.raises(ValueError, match="fr"):
        store.put_vectors("fr", {})
    with pytest.raises(ValueError, match="fr"):
        store.vector_search("fr", vector_for("x"), 1)


def test_passages_give_their_vectors_by_space(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "one", "two")
    text_ids = [store.vector_search("en", vector_for(text), 1)[0][0] for text in ("one", "two")]
    passages = store.segments_of_texts(text_ids)
    ids = {
        passages[one][0].segment_id: text
        for one, text in zip(text_ids, ("one", "two"), strict=True)
    }
    [(found, vectors)] = store.segment_vectors([*ids, 999])
    assert found == sorted(ids)
    assert np.array_equal(vectors, np.stack([vector_for(ids[one]) for one in found]))
    assert store.segment_vectors([]) == []


def test_vectors_come_back_bit_for_bit(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "one", "two", "three")
    ids = {
        text: store.vector_search("en", vector_for(text), 1)[0][0]
        for text in ("one", "two", "three")
    }
    rows = store.vector_of([ids["three"], ids["one"], ids["three"]])
    expected = [vector_for("three"), vector_for("one"), vector_for("three")]
    assert np.array_equal(rows, np.stack(expected))
    assert store.vector_of([]).shape[0] == 0
    with pytest.raises(LookupError):
        store.vector_of([999])
