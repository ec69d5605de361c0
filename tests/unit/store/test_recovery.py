"""After a crash, damage or an old copy the library says again what SQLite says."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import (
    add_files,
    commit,
    found_texts,
    prepared,
    put,
    vector_for,
)

OpenStore = Callable[..., KnowledgeStore]
REPOSITORY = Path(__file__).resolve().parents[3]
TEXTS = ["first words", "second words", "third words"]

CRASHER = """
import os, signal, sys
from pathlib import Path
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import SPACES, commit, prepared, put, simple_analyse

store = KnowledgeStore.open(Path(sys.argv[1]), SPACES, 2, simple_analyse)
source = store.add_source("/docs", True).id
one = put(store, source, "a.txt")
commit(store, one, prepared("first words", "old words"))
store.flush()
store._derived._lock.acquire()  # the indexes follow no more
commit(store, one, prepared("first words", "second words"))
commit(store, put(store, source, "b.txt"), prepared("third words"))
put(store, source, "c.txt")
os.kill(os.getpid(), signal.SIGKILL)
"""


def everything(store: KnowledgeStore) -> tuple[list[str], list[str]]:
    """What is found by vector and by keywords."""
    by_vector = found_texts(store, store.vector_search("en", vector_for("x"), 50))
    by_words = found_texts(store, store.keyword_search(["words"], 50))
    return sorted(by_vector), sorted(by_words)


def made(open_store: OpenStore, exact_limit: int = 20_000) -> None:
    """A library of three files, settled and closed."""
    store = open_store(exact_limit)
    source = store.add_source("/docs", True).id
    add_files(store, source, {f"{n}.txt": [text] for n, text in enumerate(TEXTS)})
    for index in store._derived.vectors.values():
        index.maintain()
        index.wait_built()
    store.settle()
    store.close()


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_a_crash_between_sqlite_and_the_indexes_is_made_up_for(
    open_store: OpenStore, library: Path
) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    ended = subprocess.run(
        [sys.executable, "-c", CRASHER, str(library)], env=environment, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    store = open_store(2)
    assert everything(store) == (sorted(TEXTS), sorted(TEXTS))
    assert store.count_files() == {FileStatus.READY: 2, FileStatus.WAITING: 1}
    assert store.verify().ok


def spoil_term_files(library: Path) -> None:
    for path in (library / "keywords").rglob("*.term"):
        path.write_bytes(b"")


def lose_keywords(library: Path) -> None:
    shutil.rmtree(library / "keywords")


def lose_vectors(library: Path) -> None:
    shutil.rmtree(library / "vectors")


def halve_graphs(library: Path) -> None:
    for path in (library / "vectors").rglob("*.hnsw"):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def lose_the_log(library: Path) -> None:
    connection = sqlite3.connect(library / "library.db")
    connection.execute("DELETE FROM change_log")
    connection.commit()
    connection.close()


def lose_last_changes(library: Path) -> None:
    """As after a power cut: SQLite lost what the indexes already have."""
    connection = sqlite3.connect(library / "library.db")
    connection.execute("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'change_log'")
    connection.execute("DELETE FROM change_log")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("exact_limit", [2, 100])
@pytest.mark.parametrize(
    "spoil",
    [
        spoil_term_files,
        lose_keywords,
        lose_vectors,
        halve_graphs,
        lose_the_log,
        lose_last_changes,
    ],
)
def test_what_is_damaged_is_made_anew(
    open_store: OpenStore, library: Path, exact_limit: int, spoil: Callable[[Path], None]
) -> None:
    made(open_store, exact_limit)
    (library / "vectors").mkdir(exist_ok=True)
    spoil(library)
    store = open_store(exact_limit)
    assert everything(store) == (sorted(TEXTS), sorted(TEXTS))
    assert len(store.name_search(["0"], 5)) == 1
    report = store.verify()
    assert report.ok, report.problems


@pytest.mark.parametrize("exact_limit", [2, 100])
def test_indexes_of_an_older_state_follow_or_are_made_anew(
    open_store: OpenStore, library: Path, tmp_path: Path, exact_limit: int
) -> None:
    made(open_store, exact_limit)
    copy = tmp_path / "copy"
    shutil.copytree(library, copy)
    store = open_store(exact_limit)
    store.remove_files([1])
    commit(store, put(store, 1, "new.txt"), prepared("fourth words"))
    store.settle()
    store.close()
    for name in ("keywords", "vectors"):
        if (copy / name).exists():
            shutil.rmtree(library / name, ignore_errors=True)
            shutil.copytree(copy / name, library / name)
    store = open_store(exact_limit)
    expected = ["fourth words", "second words", "third words"]
    assert everything(store) == (expected, expected)
    assert store.verify().ok


def test_indexes_that_disagree_are_found_and_repaired(open_store: OpenStore) -> None:
    store = open_store()
    source = store.add_source("/docs", True).id
    add_files(store, source, {"a.txt": TEXTS})
    store._derived.passages.remove([1])
    store._derived.passages.commit(store._derived.passages.reached)
    index = store._derived.vectors["en"]
    index._vectors.remove([2])
    report = store.verify()
    assert not report.ok
    assert len(report.problems) == 2
    assert not report.repaired
    assert store.verify(repair=True).repaired
    assert store.verify().ok
    assert everything(store) == (sorted(TEXTS), sorted(TEXTS))


def test_a_closed_library_reopens_without_reading_anything_again(open_store: OpenStore) -> None:
    made(open_store, 2)
    store = open_store(2)
    assert store._derived.vectors["en"].needs_log_from is not None
    assert everything(store) == (sorted(TEXTS), sorted(TEXTS))
