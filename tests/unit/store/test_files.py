from __future__ import annotations

import threading

import pytest

from desktop_rag.domain.document import Coverage
from desktop_rag.domain.files import FileStat, FileStatus, Problem
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import (
    STAT,
    add_file,
    add_files,
    commit,
    found_texts,
    prepared,
    put,
    vector_for,
)

LATER = FileStat(101, STAT.mtime_ns + 1, STAT.ctime_ns + 1, STAT.inode)


def texts(store: KnowledgeStore) -> list[str]:
    """All that can be found, by vector."""
    return sorted(found_texts(store, store.vector_search("en", vector_for("any"), 100)))


def test_a_new_file_waits_with_its_stat(store: KnowledgeStore, source_id: int) -> None:
    file_id = put(store, source_id, "a/b.txt")
    file = store.file(file_id)
    assert file is not None
    assert (file.relpath, file.path, file.status) == ("a/b.txt", "/docs/a/b.txt", "waiting")
    assert file.stat == STAT
    assert file.document_id is None
    assert store.file_by_path("/docs/a/b.txt") == file
    assert store.file_by_path("/docs/other") is None
    assert store.file(file_id + 1) is None


def test_a_source_that_is_one_file_has_its_own_path(store: KnowledgeStore) -> None:
    source = store.add_source("/docs/one.pdf", False)
    file = store.file(put(store, source.id, ""))
    assert file is not None
    assert file.path == "/docs/one.pdf"


def test_a_file_is_ready_only_when_both_indexes_have_passed_it(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = add_file(store, source_id, "a.txt", "some words")
    store.flush()
    with store._derived._lock:  # the indexes can't follow
        commit(store, file_id, prepared("other words"))
        file = store.file(file_id)
        assert file is not None
        assert file.status is FileStatus.READING
        assert store.count_files() == {FileStatus.READING: 1}
        assert store.files(statuses={FileStatus.READY}) == []
    store.flush()
    assert store.count_files() == {FileStatus.READY: 1}
    assert [f.id for f in store.files(source_id, {FileStatus.READY})] == [file_id]


def test_a_committed_file_shows_what_was_read_of_it(store: KnowledgeStore, source_id: int) -> None:
    file_id = put(store, source_id, "a.pdf")
    commit(store, file_id, prepared("one", "two", kind="pdf", paged=True))
    store.flush()
    file = store.file(file_id)
    assert file is not None
    assert (file.kind, file.pages, file.segments) == ("pdf", 2, 2)
    assert file.coverage == Coverage(read=2)
    assert file.problem is None


def test_putting_again_keeps_the_document_and_the_stat_it_was_read_at(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = add_file(store, source_id, "a.txt", "old words")
    again = store.put_files(source_id, [("a.txt", LATER, FileStatus.WAITING)])
    file = store.file(file_id)
    assert file is not None
    assert again == [file_id]
    assert file.status is FileStatus.WAITING
    assert file.stat == STAT
    assert texts(store) == ["old words"]
    store.set_stat(file_id, LATER)
    assert store.file(file_id).stat == LATER


@pytest.mark.parametrize("status", [FileStatus.IGNORED, FileStatus.FAILED])
def test_nothing_of_an_ignored_or_failed_file_is_found(
    store: KnowledgeStore, source_id: int, status: FileStatus
) -> None:
    one, two = add_files(store, source_id, {"a.txt": ["first words"], "b.txt": ["second words"]})
    problem = Problem("Damaged", "“a.txt” is damaged.")
    store.set_status([one], status, problem)
    store.put_files(source_id, [("b.txt", STAT, status)])
    assert texts(store) == []
    assert store.keyword_search(["words"], 5) == []
    file = store.file(one)
    assert file is not None
    assert (file.status, file.problem, file.document_id) == (status, problem, None)
    assert store.file(two).document_id is None


def test_a_file_of_an_unavailable_source_is_still_found(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = add_file(store, source_id, "a.txt", "far words")
    store.set_status([file_id], FileStatus.UNAVAILABLE)
    assert texts(store) == ["far words"]
    store.set_status([file_id], FileStatus.READY)
    assert store.count_files()[FileStatus.READY] == 1


def test_a_failed_file_lets_go_of_its_former_document(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = add_file(store, source_id, "a.txt", "old words")
    store.fail_file(file_id, LATER, "hash", Problem("Needs a password", "Save a copy without."))
    file = store.file(file_id)
    assert file is not None
    assert (file.status, file.stat, file.content_hash) == (FileStatus.FAILED, LATER, "hash")
    assert file.problem == Problem("Needs a password", "Save a copy without.")
    assert texts(store) == []
    commit(store, file_id, prepared("new words"))
    assert store.file(file_id).problem is None


def test_a_move_keeps_document_and_vectors(store: KnowledgeStore, source_id: int) -> None:
    other = store.add_source("/elsewhere", True)
    file_id = add_file(store, source_id, "a.txt", "some words")
    before = store.vector_search("en", vector_for("some words"), 1)
    store.move_files([(file_id, other.id, "sub/b.txt", LATER)])
    file = store.file(file_id)
    assert file is not None
    assert (file.path, file.source_id, file.stat) == ("/elsewhere/sub/b.txt", other.id, LATER)
    assert store.vector_search("en", vector_for("some words"), 1) == before
    store.flush()
    assert [f for f, _ in store.name_search(["b"], 5)] == [file_id]
    assert store.name_search(["a"], 5) == []


def test_two_files_can_change_places(store: KnowledgeStore, source_id: int) -> None:
    one, two = add_files(store, source_id, {"a.txt": ["first"], "b.txt": ["second"]})
    store.move_files([(one, source_id, "b.txt", STAT), (two, source_id, "a.txt", STAT)])
    assert store.file(one).relpath == "b.txt"
    assert store.file(two).relpath == "a.txt"
    assert texts(store) == ["first", "second"]


def test_a_file_that_a_move_replaces_is_gone(store: KnowledgeStore, source_id: int) -> None:
    one, two = add_files(store, source_id, {"a.txt": ["first"], "b.txt": ["second"]})
    store.move_files([(one, source_id, "b.txt", STAT)])
    assert store.file(two) is None
    assert texts(store) == ["first"]


def test_a_removed_file_is_found_no_more(store: KnowledgeStore, source_id: int) -> None:
    one = add_file(store, source_id, "a.txt", "first words")
    add_file(store, source_id, "b.txt", "second words")
    store.flush()
    store.remove_files([one])
    assert texts(store) == ["second words"]
    assert len(store.keyword_search(["words"], 5)) == 1
    assert store.file(one) is None


def test_a_removed_source_takes_its_files_along(store: KnowledgeStore, source_id: int) -> None:
    other = store.add_source("/elsewhere", True)
    add_file(store, source_id, "a.txt", "first")
    kept = add_file(store, other.id, "b.txt", "second")
    store.remove_source(source_id)
    assert [file.id for file in store.files()] == [kept]
    assert [source.id for source in store.sources()] == [other.id]
    assert texts(store) == ["second"]


def test_names_that_are_not_unicode_and_large_inodes_come_back(
    store: KnowledgeStore, source_id: int
) -> None:
    name = "caf\udce9 \U0001f600 合同.txt"
    stat = FileStat(0, -5, 2**62, 2**64 - 1)
    file_id = store.put_files(source_id, [(name, stat, FileStatus.WAITING)])[0]
    commit(store, file_id, prepared("words"))
    store.flush()
    file = store.file(file_id)
    assert file is not None
    assert (file.relpath, file.path) == (name, f"/docs/{name}")
    assert store.file_by_path(f"/docs/{name}").id == file_id
    commit(store, file_id, prepared("more words"))
    assert store.paths_of([store.file(file_id).document_id]).popitem()[1] == (f"/docs/{name}",)
    store.set_status([file_id], FileStatus.FAILED, Problem("Damaged", f"“{name}” is damaged."))
    assert store.file(file_id).problem.message == f"“{name}” is damaged."


def test_a_file_cannot_be_put_into_a_source_that_is_gone(store: KnowledgeStore) -> None:
    with pytest.raises(LookupError):
        put(store, 99, "a.txt")
    assert store.files() == []


def test_many_threads_may_write_and_read(store: KnowledgeStore, source_id: int) -> None:
    def add(number: int) -> None:
        for turn in range(5):
            file_id = put(store, source_id, f"{number}-{turn}.txt")
            commit(store, file_id, prepared(f"words {number} {turn}"))
            store.files()

    threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.flush()
    assert store.count_files() == {FileStatus.READY: 20}
    assert len(texts(store)) == 20
