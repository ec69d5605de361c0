from __future__ import annotations

import threading

import numpy as np
import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.metadata import Metadata
from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.documents import TEXT_BLOCK
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
    vectors_of,
)


def texts(store: KnowledgeStore) -> list[str]:
    return sorted(found_texts(store, store.vector_search("en", vector_for("any"), 100)))


def test_a_document_comes_back_as_it_was_given(store: KnowledgeStore, source_id: int) -> None:
    given = prepared(
        "first page",
        "第二页 with more",
        title="Report",
        kind="pdf",
        metadata={"author": "Ada", "year": 1843},
        headings=("Intro", "End"),
        paged=True,
    )
    document_id = commit(store, put(store, source_id, "r.pdf"), given)
    document = store.document(document_id)
    assert document is not None
    assert document.text == given.text
    assert document.metadata == given.metadata
    assert document.coverage == given.coverage
    assert (document.title, document.kind, document.pages) == ("Report", "pdf", 2)
    assert document.headings == ("Intro", "End")
    assert store.document(document_id + 1) is None


def test_a_passage_knows_its_words_its_place_and_its_file(
    store: KnowledgeStore, source_id: int
) -> None:
    given = prepared(
        "first page",
        "second page",
        title="Report",
        metadata={"author": "Ada", "title": "not this", "path": "nor this"},
        headings=("Intro",),
        paged=True,
    )
    document_id = commit(store, put(store, source_id, "sub/r.pdf"), given)
    first, second = store.segments_of_document(document_id)
    part = given.segments[1]
    assert second.segment.text == given.text[part.start : part.end] == "second page"
    place = second.segment.place
    assert place is not None
    assert (place.start, place.end, place.page) == (part.start, part.end, 2)
    assert (place.lines, place.heading_path) == (part.lines, ("Intro",))
    assert second.segment.metadata == Metadata(
        {
            "author": "Ada",
            "document_id": document_id,
            "segment_id": second.segment_id,
            "parent_id": first.parent_id,
            "path": "/docs/sub/r.pdf",
            "file_name": "r.pdf",
            "folder": "/docs/sub",
            "source_id": source_id,
            "type": "text",
            "title": "Report",
            "language": "en",
            "modified": "2023-11-14",
            "page": 2,
            "heading": "Intro",
        }
    )


def test_a_parent_gives_its_text(store: KnowledgeStore, source_id: int) -> None:
    given = prepared("one", "two", headings=("Top",))
    document_id = commit(store, put(store, source_id, "a.txt"), given)
    segment = store.segments_of_document(document_id)[0]
    parent = store.parent(segment.parent_id)
    assert parent is not None
    assert (parent.document_id, parent.heading_path) == (document_id, ("Top",))
    assert store.parent_text(parent.id) == given.text
    assert store.parent(parent.id + 1) is None
    assert store.parent_text(parent.id + 1) is None


@pytest.mark.parametrize("letter", ["a", "文", "\U0001f600"])
def test_passages_of_a_long_document_are_cut_exactly(
    store: KnowledgeStore, source_id: int, letter: str
) -> None:
    lengths = [TEXT_BLOCK - 2, 1, TEXT_BLOCK, 3 * TEXT_BLOCK + 7, 5]
    given = prepared(*(letter * length + str(length) for length in lengths))
    document_id = commit(store, put(store, source_id, "long.txt"), given)
    cut = [segment.segment.text for segment in store.segments_of_document(document_id)]
    assert cut == [given.text[part.start : part.end] for part in given.segments]
    assert store.document(document_id).text == given.text


def test_an_edit_puts_the_new_in_and_the_old_out(store: KnowledgeStore, source_id: int) -> None:
    file_id = add_file(store, source_id, "a.txt", "kept words", "old words")
    before = dict(store.vector_search("en", vector_for("kept words"), 1))
    old = store.file(file_id).document_id
    commit(store, file_id, prepared("kept words", "new words"))
    assert texts(store) == ["kept words", "new words"]
    assert dict(store.vector_search("en", vector_for("kept words"), 1)) == before
    assert store.document(old) is None
    assert store.segments_of_document(old) == []


def test_a_search_never_sees_both_states_of_a_file_nor_neither(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = add_file(store, source_id, "a.txt", "common state 0")
    seen: list[int] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            by_vector = store.vector_search("en", vector_for("any"), 10)
            by_words = store.keyword_search(["common"], 10)
            for hits in (by_vector, by_words):
                seen.append(len(hits))

    reader = threading.Thread(target=look)
    reader.start()
    for turn in range(1, 15):
        commit(store, file_id, prepared(f"common state {turn}"))
    stop.set()
    reader.join()
    assert set(seen) == {1}
    assert texts(store) == ["common state 14"]


def test_a_copy_shares_the_document_and_outlives_the_original(
    store: KnowledgeStore, source_id: int
) -> None:
    one = put(store, source_id, "a.txt")
    document_id = commit(store, one, prepared("same words"), key="content")
    two = put(store, source_id, "b.txt")
    assert store.find_document("content:auto:1") == document_id
    store.attach_document(two, STAT, "content", document_id)
    store.flush()
    assert store.paths_of([document_id]) == {document_id: ("/docs/a.txt", "/docs/b.txt")}
    assert store.count_files() == {FileStatus.READY: 2}
    assert texts(store) == ["same words"]
    commit(store, one, prepared("other words"))
    store.flush()
    assert texts(store) == ["other words", "same words"]
    store.remove_files([two])
    assert texts(store) == ["other words"]
    assert store.document(document_id) is None
    assert store.find_document("content:auto:1") is None


def test_committing_a_known_key_shares_the_document(store: KnowledgeStore, source_id: int) -> None:
    one = commit(store, put(store, source_id, "a.txt"), prepared("words"), key="k")
    two = commit(store, put(store, source_id, "b.txt"), prepared("words"), key="k")
    assert one == two


def test_committing_the_same_again_changes_nothing(store: KnowledgeStore, source_id: int) -> None:
    file_id = put(store, source_id, "a.txt")
    one = commit(store, file_id, prepared("words"), key="k")
    two = commit(store, file_id, prepared("words"), key="k")
    store.flush()
    assert one == two
    assert texts(store) == ["words"]


def test_a_document_that_went_meanwhile_cannot_be_attached(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = put(store, source_id, "a.txt")
    with pytest.raises(LookupError, match="document"):
        store.attach_document(file_id, STAT, "hash", 77)


def test_a_commit_for_a_file_that_went_leaves_nothing(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = put(store, source_id, "a.txt")
    store.remove_files([file_id])
    with pytest.raises(LookupError, match="file"):
        commit(store, file_id, prepared("words"))
    assert store.stats().texts == 0
    assert store.find_document("words:auto:1") is None


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


def test_a_model_whose_files_changed_has_everything_read_again(
    store: KnowledgeStore, source_id: int
) -> None:
    english = add_file(store, source_id, "a.txt", "english words")
    chinese = put(store, source_id, "b.txt")
    commit(store, chinese, prepared("中文 words", space="zh"))
    store.flush()
    assert not store.follow_model("en", "first")
    assert not store.follow_model("en", "first")
    assert store.follow_model("en", "second")
    store.flush()
    assert store.file(english).status is FileStatus.WAITING
    assert store.file(english).document_id is None
    assert store.file(chinese).status is FileStatus.READY
    assert store.known_hashes([text_hash("english words")]) == set()
    assert store.vector_count("en") == 0


def test_a_full_database_is_a_known_error_and_the_writer_goes_on(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = add_file(store, source_id, "a.txt", "old words")
    pages = store._writer.run_outside(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
    store._writer.run_outside(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchone())
    big = prepared(*(f"word{n} " * 500 for n in range(50)))
    with pytest.raises(KnownError) as caught:
        store.commit_document(file_id, STAT, "h", "k", big, vectors_of(big))
    assert caught.value.title == "The disk is full"
    assert texts(store) == ["old words"]
    assert store.file(file_id).segments == 1
    store._writer.run_outside(lambda c: c.execute("PRAGMA max_page_count = 100000").fetchone())
    commit(store, file_id, big)
    store.flush()
    assert store.vector_count("en") == 50
