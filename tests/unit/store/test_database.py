from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.store import database, schema
from desktop_rag.store.database import DATABASE_NAME, open_database
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import SPACES, add_file, found_texts, simple_analyse, vector_for

if TYPE_CHECKING:
    from sqlite_utils import Database

OpenStore = Callable[..., KnowledgeStore]

NUMBERED = [
    "sources",
    "collections",
    "files",
    "documents",
    "parents",
    "segments",
    "texts",
    "chats",
    "messages",
    "citations",
    "change_log",
]


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def add_note(db: Database) -> None:
    db.execute("ALTER TABLE sources ADD COLUMN note TEXT NOT NULL DEFAULT 'none'")


def fail_half_way(db: Database) -> None:
    db.execute("ALTER TABLE sources ADD COLUMN half TEXT")
    db.execute("INSERT INTO no_such_table VALUES (1)")


def next_version(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[Database], None]) -> None:
    """Make the program one of a later version, with these migrations more."""
    steps = (*schema.MIGRATIONS, *steps)
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    monkeypatch.setattr(database, "SCHEMA_VERSION", len(steps))


@pytest.mark.parametrize("table", NUMBERED)
def test_no_table_uses_an_id_twice(tmp_path: Path, table: str) -> None:
    connection = open_database(tmp_path / "library")
    sql = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    connection.close()
    assert "INTEGER PRIMARY KEY AUTOINCREMENT" in sql


def test_the_connection_is_set_up_as_the_design_says(tmp_path: Path) -> None:
    connection = open_database(tmp_path / "library")
    values = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys", "busy_timeout")
    }
    connection.close()
    assert values == {
        "journal_mode": "wal",
        "synchronous": 1,
        "secure_delete": 1,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
    }


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_only_its_owner_can_read_the_library(open_store: OpenStore, library: Path) -> None:
    store = open_store()
    add_file(store, store.add_source("/docs", True).id, "a.txt", "words")
    for path in (library, library / "keywords", library / "keywords" / "names"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in library.glob("library.db*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_newer_library_is_refused_and_left_untouched(
    open_store: OpenStore, library: Path
) -> None:
    open_store().close()
    connection = sqlite3.connect(library / DATABASE_NAME)
    connection.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    connection.close()
    before = contents(library)
    with pytest.raises(KnownError) as caught:
        open_store()
    assert caught.value.title == "Made by a newer version"
    assert contents(library) == before


def test_a_newer_version_that_is_only_in_the_log_is_refused_too(
    open_store: OpenStore, library: Path, tmp_path: Path
) -> None:
    """As after a crash of the newer program: the file itself still has the old version."""
    open_store().close()
    path = library / DATABASE_NAME
    newer = sqlite3.connect(path)
    newer.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in library.glob("library.db*"):
        (copy / file.name).write_bytes(file.read_bytes())
    newer.close()
    with pytest.raises(KnownError, match="newer version"):
        open_store(folder="copy")


def test_an_older_library_is_backed_up_and_migrated(
    open_store: OpenStore, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store()
    add_file(store, store.add_source("/docs", True).id, "a.txt", "some words")
    store.close()
    backups: list[Path] = []
    backing_up = database._back_up

    def seen(connection: sqlite3.Connection, backup: Path) -> None:
        backing_up(connection, backup)
        copy = sqlite3.connect(backup)
        assert copy.execute("SELECT path FROM sources").fetchall() == [("/docs",)]
        copy.close()
        backups.append(backup)

    monkeypatch.setattr(database, "_back_up", seen)
    next_version(monkeypatch, add_note)
    store = open_store()
    assert found_texts(store, store.vector_search("en", vector_for("x"), 5)) == ["some words"]
    with store._snapshot() as connection:
        assert connection.execute("SELECT note FROM sources").fetchone() == ("none",)
        assert connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
    assert len(backups) == 1
    assert not backups[0].exists()
    store.close()
    assert open_store().verify().ok
    assert len(backups) == 1


def test_a_migration_that_fails_leaves_the_library_as_it_was(
    open_store: OpenStore, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store()
    add_file(store, store.add_source("/docs", True).id, "a.txt", "some words")
    store.close()
    with monkeypatch.context() as later:
        next_version(later, fail_half_way)
        with pytest.raises(sqlite3.OperationalError, match="no_such_table"):
            open_store()
    store = open_store()
    with store._snapshot() as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(sources)")]
    assert "half" not in columns
    assert found_texts(store, store.vector_search("en", vector_for("x"), 5)) == ["some words"]


@pytest.mark.parametrize(
    "content", [b"not a database at all", b"SQLite format 3\x00" + b"x" * 5000]
)
def test_what_is_no_database_is_a_known_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE_NAME).write_bytes(content)
    with pytest.raises(KnownError):
        KnowledgeStore.open(tmp_path, SPACES, analyse=simple_analyse)
    assert (tmp_path / DATABASE_NAME).read_bytes() == content


def test_an_empty_file_becomes_a_library(tmp_path: Path) -> None:
    (tmp_path / DATABASE_NAME).touch()
    KnowledgeStore.open(tmp_path, SPACES, analyse=simple_analyse).close()


def test_a_folder_that_cannot_be_made_is_a_known_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(KnownError) as caught:
        KnowledgeStore.open(tmp_path / "file" / "library", SPACES, analyse=simple_analyse)
    assert caught.value.path is not None


def test_a_model_of_another_dimension_is_a_known_error(
    open_store: OpenStore, library: Path
) -> None:
    open_store().close()
    with pytest.raises(KnownError, match="en"):
        KnowledgeStore.open(library, {"en": 7}, analyse=simple_analyse)


@pytest.mark.parametrize(("spaces", "limit"), [({"en": 0}, 5), ({"en": -1}, 5), ({"en": 4}, 0)])
def test_wrong_arguments_are_refused_before_anything_is_made(
    tmp_path: Path, spaces: dict[str, int], limit: int
) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        KnowledgeStore.open(tmp_path / "library", spaces, limit)
    assert not (tmp_path / "library").exists()


def test_a_library_can_be_opened_with_more_and_with_fewer_models(
    open_store: OpenStore, library: Path
) -> None:
    store = open_store()
    add_file(store, store.add_source("/docs", True).id, "a.txt", "some words")
    store.close()
    more = KnowledgeStore.open(library, {**SPACES, "fr": 8}, analyse=simple_analyse)
    assert more.vector_count("fr") == 0
    more.close()
    fewer = KnowledgeStore.open(library, {"zh": SPACES["zh"]}, analyse=simple_analyse)
    assert len(fewer.keyword_search(["words"], 5)) == 1
    assert fewer.verify().ok
    fewer.close()


def test_closing_twice_is_harmless_and_a_closed_library_says_so(open_store: OpenStore) -> None:
    store = open_store()
    store.close()
    store.close()
    with pytest.raises(RuntimeError):
        store.sources()
    with pytest.raises(RuntimeError):
        store.create_chat("late")
