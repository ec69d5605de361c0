from __future__ import annotations

import threading

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.metadata import Metadata
from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.documents import TEXT_BLOCK
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import (
    STAT,
    add_file,
    commit,
    found_texts,
    prepared,
    put,
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
