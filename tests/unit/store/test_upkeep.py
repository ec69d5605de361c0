from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.store.keyword_index import KeywordIndex
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.records import IndexState
from tests.helpers.small_disk import mounted_disk
from tests.helpers.store_parts import (
    SPACES,
    add_file,
    add_files,
    commit,
    found_texts,
    prepared,
    put,
    simple_analyse,
    vector_for,
)

SECRET = "zanzibar marmalade"


def files_with(folder: Path, words: str) -> list[str]:
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and words.encode() in path.read_bytes()
    )


@pytest.mark.parametrize("way", ["remove", "replace", "fail", "source"])
def test_no_word_of_what_was_removed_stays_in_the_folder(
    store: KnowledgeStore, source_id: int, library: Path, way: str
) -> None:
    secret = put(store, source_id, "zanzibar.txt")
    commit(
        store,
        secret,
        prepared(
            *(f"{SECRET} {number} " + "and other words " * 30 for number in range(20)),
            title=SECRET,
            headings=(SECRET,),
            metadata={"author": SECRET},
        ),
    )
    other = store.add_source("/other", True).id
    add_files(store, other, {f"{n}.txt": [f"kept words {n}"] for n in range(5)})
    assert files_with(library, "zanzibar")
    if way == "remove":
        store.remove_files([secret])
    elif way == "source":
        store.remove_source(source_id)
    elif way == "fail":
        store.set_status([secret], FileStatus.IGNORED)
        store.remove_files([secret])
    else:
        commit(store, secret, prepared("harmless words"))
        store.remove_files([secret])
    store.settle()
    for words in (SECRET, "zanzibar", "marmalade"):
        assert files_with(library, words) == []
    assert store._derived.passages._searcher().doc_freq("body", "zanzibar") == 0
    assert len(store.keyword_search(["kept"], 10)) == 5
    store.close()
    assert files_with(library, "zanzibar") == []


def test_many_removals_leave_no_traces_between_the_pages(
    store: KnowledgeStore, source_id: int, library: Path
) -> None:
    """Rows of many sizes, so that pages are split, joined and moved."""
    ids = [put(store, source_id, f"{number}.txt") for number in range(60)]
    for number, file_id in enumerate(ids):
        word = "zanzibar" if number % 2 else "kept"
        commit(
            store, file_id, prepared(*(f"{word} {number} {n} " * (n % 37 + 1) for n in range(8)))
        )
    store.remove_files(ids[1::2])
    store.settle()
    assert files_with(library, "zanzibar") == []
    assert store.verify().ok


def test_settling_leaves_a_small_log_and_no_unused_texts(
    store: KnowledgeStore, source_id: int
) -> None:
    file_id = add_file(store, source_id, "a.txt", "old words")
    commit(store, file_id, prepared("new words"))
    assert store.stats().texts == 2
    store.settle()
    assert store.stats().texts == 1
    with store._snapshot() as connection:
        assert connection.execute("SELECT COUNT(*) FROM change_log").fetchone() == (0,)
    assert found_texts(store, store.vector_search("en", vector_for("x"), 5)) == ["new words"]


def test_settling_can_be_cancelled_and_goes_on_the_next_time(
    store: KnowledgeStore, source_id: int
) -> None:
    add_file(store, source_id, "a.txt", "words")
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        store.settle(cancel)
    store.settle()
    assert store.count_files() == {FileStatus.READY: 1}


def test_settling_with_nothing_to_do_writes_no_keywords(
    store: KnowledgeStore, source_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_file(store, source_id, "a.txt", "words")
    store.settle()

    def refuse(*_: object) -> None:
        raise AssertionError("nothing has changed")

    monkeypatch.setattr(KeywordIndex, "commit", refuse)
    store.settle()


def test_stats_tell_how_much_there_is(store: KnowledgeStore, source_id: int) -> None:
    add_files(store, source_id, {"a.txt": ["one", "two"], "b.txt": ["one"]})
    stats = store.stats()
    assert (stats.segments, stats.texts) == (3, 2)
    assert stats.vectors == {"en": 2, "zh": 0}
    assert stats.bytes > 10_000
    assert {name: index.count for name, index in stats.indexes.items()} == {
        "vectors:en": 2,
        "vectors:zh": 0,
        "keywords:passages": 2,
        "keywords:names": 2,
    }
    assert {index.state for index in stats.indexes.values()} == {IndexState.OK}
    with store._derived._lock:  # the indexes can't follow
        commit(store, put(store, source_id, "c.txt"), prepared("three"))
        states = {index.state for index in store.stats().indexes.values()}
        assert states == {IndexState.BEHIND}


def test_the_indexes_follow_by_themselves(store: KnowledgeStore, source_id: int) -> None:
    commit(store, put(store, source_id, "a.txt"), prepared("words"))
    deadline = CancelToken()
    for _ in range(200):
        if store.count_files() == {FileStatus.READY: 1}:
            break
        deadline.wait(0.05)
    assert store.keyword_search(["words"], 5) != []


def test_a_failure_of_an_index_is_told_and_made_up_for(
    store: KnowledgeStore, source_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed = KeywordIndex.commit

    def full(index: KeywordIndex, reached: int) -> None:
        raise ValueError("An IO error occurred: 'No space left on device (os error 28)'")

    monkeypatch.setattr(KeywordIndex, "commit", full)
    commit(store, put(store, source_id, "a.txt"), prepared("words"))
    with pytest.raises(KnownError) as caught:
        store.flush()
    assert caught.value.title == "The disk is full"
    assert store.count_files() == {FileStatus.READING: 1}
    monkeypatch.setattr(KeywordIndex, "commit", committed)
    store.flush()
    assert store.count_files() == {FileStatus.READY: 1}
    assert len(store.keyword_search(["words"], 5)) == 1
    assert store.verify().ok


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 20 MB; skips where none can be mounted."""
    with mounted_disk(tmp_path / "small", "size=20m") as folder:
        yield folder


def fill(store: KnowledgeStore, source: int) -> int:
    """Commit documents until there is no room; return how many were."""
    for number in range(2000):
        passages = [f"word{number} other{n} " * 40 for n in range(20)]
        commit(store, put(store, source, f"{number}.txt"), prepared(*passages))
    return 2000


def test_e4_on_a_full_disk_nothing_half_done_is_ready(small_disk: Path) -> None:
    store = KnowledgeStore.open(small_disk / "library", SPACES, analyse=simple_analyse)
    ballast = small_disk / "ballast"
    try:
        source = store.add_source("/docs", True).id
        ballast.write_bytes(bytes(9 << 20))
        with pytest.raises(KnownError) as caught:
            fill(store, source)
        assert caught.value.title == "The disk is full"
        for file in store.files(statuses={FileStatus.READY}):
            assert len(store.segments_of_document(file.document_id)) == file.segments == 20
        committed = [file for file in store.files() if file.document_id is not None]
        ballast.unlink()
        store.flush()
        assert store.count_files()[FileStatus.READY] == len(committed)
        assert len(store.keyword_search(["word0"], 50)) == 20
        assert store.verify().ok
    finally:
        store.close()
