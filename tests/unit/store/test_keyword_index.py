from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag.store.keyword_index import KeywordIndex

BODY = {"body": 1.0}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., KeywordIndex]]:
    indexes: list[KeywordIndex] = []

    def opening(library: str = "library", fields: dict[str, float] = BODY) -> KeywordIndex:
        index = KeywordIndex(tmp_path / "keywords" / "passages", library, fields)
        indexes.append(index)
        return index

    yield opening
    for index in indexes:
        index.close()


def filled(index: KeywordIndex, *texts: str, reached: int = 1) -> KeywordIndex:
    for number, text in enumerate(texts, start=1):
        index.add(number, {"body": text})
    index.commit(reached)
    return index


def ids(hits: list[tuple[int, float]]) -> list[int]:
    return [number for number, _ in hits]


def test_a_new_index_has_reached_nothing(opened: Callable[..., KeywordIndex]) -> None:
    index = opened()
    assert (index.reached, index.count) == (-1, 0)
    assert index.search(["a"], 5) == []


def test_what_is_committed_is_found_and_still_there_after_reopening(
    opened: Callable[..., KeywordIndex],
) -> None:
    index = filled(opened(), "alpha beta", "beta gamma", reached=7)
    assert ids(index.search(["alpha"], 5)) == [1]
    index.close()
    again = opened()
    assert (again.reached, again.count) == (7, 2)
    assert ids(again.search(["beta", "gamma"], 5)) == [2, 1]


def test_what_is_not_committed_is_lost_with_its_mark(opened: Callable[..., KeywordIndex]) -> None:
    index = filled(opened(), "alpha")
    index.add(2, {"body": "beta"})
    index.remove([1])
    index.close()
    again = opened()
    assert (again.reached, again.count) == (1, 1)
    assert ids(again.search(["alpha"], 5)) == [1]


def test_applying_again_changes_nothing(opened: Callable[..., KeywordIndex]) -> None:
    index = filled(opened(), "alpha", "beta")
    expected = index.search(["alpha", "beta"], 5)
    for _ in range(3):
        index.remove([1, 2, 99])
        for number, text in ((1, "alpha"), (2, "beta")):
            index.add(number, {"body": text})
        index.commit(1)
        assert index.count == 2
        assert ids(index.search(["alpha", "beta"], 5)) == ids(expected)


def test_removed_entries_are_not_found(opened: Callable[..., KeywordIndex]) -> None:
    index = filled(opened(), *(f"word n{number}" for number in range(20)))
    index.remove(range(1, 15))
    index.commit(2)
    assert index.count == 6
    assert sorted(ids(index.search(["word"], 50))) == list(range(15, 21))


@pytest.mark.parametrize("allowed_count", [3, 3000])
def test_only_what_is_allowed_is_looked_at(
    opened: Callable[..., KeywordIndex], allowed_count: int
) -> None:
    """The allowed ones are the worst hits, and lie beyond the first pages of hits."""
    total = 4000
    texts = [
        "word " * (5 if n <= total - allowed_count else 1) + f"n{n}" for n in range(1, total + 1)
    ]
    index = filled(opened(), *texts)
    allowed = range(total - allowed_count + 1, total + 1)
    hits = index.search(["word"], 10, allowed)
    assert ids(hits) == list(allowed)[:10]
    assert ids(index.search(["word", f"n{total}"], 1, allowed)) == [total]
    assert index.search(["word"], 10, []) == []


def test_ties_are_in_the_order_of_ids_however_the_index_is_cut(
    opened: Callable[..., KeywordIndex],
) -> None:
    index = opened()
    for number in (9, 3, 7, 1, 8, 2):
        index.add(number, {"body": "same"})
        index.commit(number)
    for k in (1, 2, 3, 5, 6, 10):
        assert ids(index.search(["same"], k)) == [1, 2, 3, 7, 8, 9][:k]


def test_fields_weigh_as_they_were_told(opened: Callable[..., KeywordIndex]) -> None:
    index = opened(fields={"name": 3.0, "title": 1.0})
    index.add(1, {"name": "other", "title": "lease"})
    index.add(2, {"name": "lease", "title": "other"})
    index.commit(1)
    assert ids(index.search(["lease"], 5)) == [2, 1]


def test_clearing_leaves_only_what_is_added_after(opened: Callable[..., KeywordIndex]) -> None:
    index = filled(opened(), "alpha", "beta")
    index.clear()
    assert index.count == 2
    index.add(3, {"body": "gamma"})
    index.commit(2)
    assert index.count == 1
    assert ids(index.search(["alpha", "beta", "gamma"], 5)) == [3]


def test_tidying_lets_go_of_the_writer_and_the_next_change_works(
    opened: Callable[..., KeywordIndex],
) -> None:
    index = filled(opened(), "alpha")
    index.tidy()
    index.tidy()
    index.add(2, {"body": "beta"})
    index.commit(2)
    assert index.count == 2


def test_an_abandoned_writer_takes_its_entries_along(opened: Callable[..., KeywordIndex]) -> None:
    index = filled(opened(), "alpha")
    index.add(2, {"body": "beta"})
    index.abandon()
    index.add(3, {"body": "gamma"})
    index.commit(2)
    assert ids(index.search(["alpha", "beta", "gamma"], 5)) == [1, 3]


def empty_meta(folder: Path) -> None:
    (folder / "meta.json").write_text("{")


def no_files(folder: Path) -> None:
    for path in folder.glob("*.idx"):
        path.unlink()


def cut_files(folder: Path) -> None:
    for path in folder.glob("*.term"):
        path.write_bytes(path.read_bytes()[:-30])


def no_folder(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


@pytest.mark.parametrize("spoil", [empty_meta, no_files, cut_files, no_folder])
def test_a_damaged_index_is_made_anew(
    opened: Callable[..., KeywordIndex], tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    filled(opened(), "alpha").close()
    spoil(tmp_path / "keywords" / "passages")
    index = opened()
    assert (index.reached, index.count) == (-1, 0)
    filled(index, "beta", reached=2)
    assert ids(index.search(["beta"], 5)) == [1]


def test_an_index_of_another_library_or_form_is_made_anew(
    opened: Callable[..., KeywordIndex],
) -> None:
    filled(opened(), "alpha").close()
    assert opened("another").reached == -1
    filled(opened("another"), "alpha").close()
    assert opened("another", {"name": 2.0}).reached == -1


def test_searches_go_on_while_it_is_written(opened: Callable[..., KeywordIndex]) -> None:
    index = filled(opened(), *("common",) * 10)
    failures: list[BaseException] = []
    stop = threading.Event()

    def look() -> None:
        try:
            while not stop.is_set():
                assert len(index.search(["common"], 5)) == 5
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for turn in range(4):
        index.remove(range(1, 11))
        for number in range(1, 11):
            index.add(number, {"body": "common"})
        index.commit(turn)
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures
