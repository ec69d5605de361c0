"""A database with damaged pages: what can be read is saved, the rest waits to be read again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.database import DATABASE_NAME
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.salvage import DAMAGED_NAME, salvage
from tests.helpers.store_parts import add_files, text_hash

OpenStore = Callable[..., KnowledgeStore]

FILES = 80


def made(open_store: OpenStore) -> None:
    store = open_store()
    source = store.add_source("/docs", True).id
    store.set_ignore_rules(source, ["*.log"])
    add_files(
        store,
        source,
        {f"{n}.txt": [f"words of {n} part {p} " * 20 for p in range(6)] for n in range(FILES)},
    )
    chat = store.create_chat("A chat")
    store.add_user_message(chat, "What is it?")
    store.settle()
    store.close()


def pages_of(path: Path, table: str) -> list[int]:
    """The leaf pages of a table, by number."""
    connection = sqlite3.connect(path)
    root, size = connection.execute(
        "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_master "
        "WHERE name = ?",
        (table,),
    ).fetchone()
    connection.close()
    content = path.read_bytes()
    pages, leaves = [root], []
    while pages:
        number = pages.pop()
        page = content[(number - 1) * size : number * size]
        if page[0] == 13:
            leaves.append(number)
            continue
        count = int.from_bytes(page[3:5], "big")
        cells = [int.from_bytes(page[12 + 2 * n : 14 + 2 * n], "big") for n in range(count)]
        pages += [int.from_bytes(page[cell : cell + 4], "big") for cell in cells]
        pages.append(int.from_bytes(page[8:12], "big"))
    return sorted(leaves)


def spoil(path: Path, page: int) -> None:
    size = 4096
    with path.open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.mark.parametrize("table", ["segments", "texts", "document_texts", "vectors"])
def test_what_is_on_other_pages_is_saved(open_store: OpenStore, library: Path, table: str) -> None:
    made(open_store)
    path = library / DATABASE_NAME
    leaves = pages_of(path, table)
    assert len(leaves) >= 3
    spoil(path, leaves[1])
    report = salvage(library)
    assert report.problems[0] == "The library's database is damaged."
    assert (library / DAMAGED_NAME).exists()
    store = open_store()
    counts = store.count_files()
    assert sum(counts.values()) == FILES
    if table == "vectors":  # the texts are there, and the model alone has to read them again
        assert counts[FileStatus.READY] == FILES
        assert 0 < store.backlog().passages < FILES * 6
    else:
        assert 0 < counts[FileStatus.WAITING] < FILES
        assert store.backlog().passages == 0
    verified = store.verify()
    assert verified.ok, verified.problems
    assert store.sources()[0].ignore_rules == ("*.log",)
    assert [message.text for message in store.messages(store.chats()[0].id)] == ["What is it?"]
    texts = [f"words of {n} part {p} " * 20 for n in range(FILES) for p in range(6)]
    known = store.known_hashes([text_hash(text) for text in texts])
    if table != "texts":
        assert len(known) == len(texts)
    else:
        assert len(texts) / 2 < len(known) < len(texts)
    assert store.add_source("/other", True).id > 1


def test_a_lost_list_of_files_costs_no_vector(open_store: OpenStore, library: Path) -> None:
    made(open_store)
    path = library / DATABASE_NAME
    for page in pages_of(path, "files"):
        spoil(path, page)
    assert salvage(library).problems
    store = open_store()
    assert store.count_files() == {}
    assert store.known_hashes([text_hash("words of 3 part 2 " * 20)])
    assert store.verify().ok


def test_where_no_document_is_whole_all_files_are_read_again(
    open_store: OpenStore, library: Path
) -> None:
    made(open_store)
    path = library / DATABASE_NAME
    for page in pages_of(path, "segments"):
        spoil(path, page)
    assert salvage(library).problems
    store = open_store()
    assert store.count_files() == {FileStatus.WAITING: FILES}
    assert store.known_hashes([text_hash("words of 3 part 2 " * 20)])
    assert store.verify().ok


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        (
            "UPDATE texts SET terms = CAST(x'ff77' AS TEXT) WHERE id = 7",
            "Some texts are damaged.",
        ),
        (
            "UPDATE document_texts SET text = CAST(x'ff77' AS TEXT) WHERE document_id = 2",
            "Some texts are damaged.",
        ),
    ],
)
def test_damage_that_sqlite_does_not_see_costs_its_own_file(
    open_store: OpenStore, library: Path, sql: str, problem: str
) -> None:
    made(open_store)
    connection = sqlite3.connect(library / DATABASE_NAME)
    connection.execute(sql)
    connection.commit()
    connection.close()
    store = open_store()
    found = store.verify(repair=True)
    assert (found.ok, found.unsound, found.problems) == (False, True, (problem,))
    store.close()
    report = salvage(library)
    assert problem in report.problems
    assert "1 file was not whole any more and is read again." in report.problems
    store = open_store()
    assert store.count_files()[FileStatus.WAITING] == 1
    assert store.verify().ok


def test_a_damaged_vector_costs_the_model_one_passage(open_store: OpenStore, library: Path) -> None:
    made(open_store)
    connection = sqlite3.connect(library / DATABASE_NAME)
    connection.execute("UPDATE vectors SET vector = zeroblob(64) WHERE text_id = 7")
    connection.commit()
    connection.close()
    report = salvage(library)
    assert report.problems[0] == "Some passages have a damaged vector."
    assert "Passages that are given to the language model again: 1." in report.problems
    store = open_store()
    assert store.count_files() == {FileStatus.READY: FILES}
    assert store.backlog().passages == 1
    assert store.verify().ok


def test_a_sound_library_is_left_as_it_is(open_store: OpenStore, library: Path) -> None:
    made(open_store)
    before = (library / DATABASE_NAME).read_bytes()
    assert salvage(library).problems == ()
    assert (library / DATABASE_NAME).read_bytes() == before
    assert not (library / DAMAGED_NAME).exists()
    assert salvage(library / "nowhere").problems == ()


def test_where_nothing_can_be_read_nothing_is_changed(open_store: OpenStore, library: Path) -> None:
    made(open_store)
    path = library / DATABASE_NAME
    for table in ("sources", "chats", "documents", "messages"):
        for page in pages_of(path, table):
            spoil(path, page)
    before = path.read_bytes()
    with pytest.raises(KnownError, match="beyond repair"):
        salvage(library)
    assert path.read_bytes() == before
    assert [file.name for file in library.glob("library.db*")] == [DATABASE_NAME]


def test_a_newer_library_is_not_touched(open_store: OpenStore, library: Path) -> None:
    made(open_store)
    connection = sqlite3.connect(library / DATABASE_NAME)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = (library / DATABASE_NAME).read_bytes()
    with pytest.raises(KnownError, match="newer version"):
        salvage(library)
    assert (library / DATABASE_NAME).read_bytes() == before
