"""A library goes into one file, and comes out of it somewhere else."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.domain.answer import Answer, AnswerKind, Citation, LibraryCoverage, Outcome
from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.metadata import Metadata
from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.moved_paths import MovedPaths
from tests.helpers.store_parts import (
    add_file,
    add_files,
    commit,
    found_texts,
    prepared,
    put,
    text_hash,
    vector_for,
)

OpenStore = Callable[..., KnowledgeStore]

MOVES = {"/docs": "/new place"}


def answer(document_id: int | None) -> Answer:
    cited = Citation(
        number=1,
        path="/docs/a/b.txt",
        page=None,
        start=0,
        end=5,
        quote="first",
        heading="",
        paths=("/docs/a/b.txt", "/elsewhere/c.txt"),
        metadata=Metadata({"path": "/docs/a/b.txt", "folder": "/docs/a", "type": "text"}),
        document_id=document_id,
    )
    return Answer(
        text="It is first [1].",
        outcome=Outcome.ANSWER,
        confidence=0.9,
        kind=AnswerKind.EXTRACTIVE,
        citations=(cited,),
        coverage=LibraryCoverage(1, 1, 0),
    )


@pytest.fixture
def exported(open_store: OpenStore, tmp_path: Path) -> Path:
    store = open_store(folder="first")
    source = store.add_source("/docs", True).id
    store.set_ignore_rules(source, ["*.log", "!keep.log"])
    ids = add_files(
        store,
        source,
        {"a/b.txt": ["first words", "shared words"], "c.txt": ["shared words", "third words"]},
    )
    copy = put(store, source, "copy.txt")
    commit(store, copy, prepared("first words", "shared words"))
    store.put_files(source, [("waits.txt", store.file(ids[0]).stat, FileStatus.WAITING)])
    member = store.put_member(copy, "inside.txt", 3)
    commit(store, member, prepared("inside words"))
    collection = store.create_collection("Mine")
    store.set_collection_sources(collection, [source])
    chat = store.create_chat("Old chat")
    store.add_user_message(chat, "What is first?")
    store.add_answer(chat, answer(store.file(ids[0]).document_id))
    store.set_note("made by", "1")
    target = tmp_path / "my library.export"
    counts = store.export_to(target)
    assert counts == {"sources": 1, "files": 5, "passages": 5, "chats": 1}
    store.close()
    return target


def words(store: KnowledgeStore) -> list[str]:
    store.flush()
    return sorted(found_texts(store, store.keyword_search(["words"], 50)))


def test_an_empty_library_becomes_the_exported_one(open_store: OpenStore, exported: Path) -> None:
    store = open_store(folder="second")
    report = store.import_from(exported, MOVES, ["made by"])
    assert (report.sources, report.files, report.passages, report.chats) == (1, 5, 5, 1)
    assert (report.waiting, report.skipped, report.missing) == (1, 0, ("/new place",))
    every = ["first words", "inside words", "shared words", "third words"]
    assert words(store) == every
    assert sorted(found_texts(store, store.vector_search("en", vector_for("x"), 50))) == every
    assert store.vector_search("en", vector_for("third words"), 1)[0][1] > 0.999
    assert store.known_hashes([text_hash(text) for text in every]) == {
        text_hash(text) for text in every
    }
    records = {record.relpath: record for record in store.files()}
    assert records["a/b.txt"].path == os.path.join("/new place", "a", "b.txt")
    assert records["a/b.txt"].document_id == records["copy.txt"].document_id
    assert records["copy.txt/inside.txt"].container_id == records["copy.txt"].id
    assert records["waits.txt"].status is FileStatus.WAITING
    assert store.count_files()[FileStatus.READY] == 4
    assert store.sources()[0].ignore_rules == ("*.log", "!keep.log")
    assert store.collections()[0].source_ids == (store.sources()[0].id,)
    assert store.note("made by") == "1"
    question, told = store.messages(store.chats()[0].id)
    assert question.text == "What is first?"
    assert told.answer is not None
    (cited,) = told.answer.citations
    assert cited.path == os.path.join("/new place", "a", "b.txt")
    assert cited.paths[1] == "/elsewhere/c.txt"
    assert cited.metadata["folder"] == os.path.join("/new place", "a")
    assert cited.document_id == records["a/b.txt"].document_id
    store.settle()
    assert store.verify().ok
    assert not list(store._folder.glob(".transfer-*"))


def test_a_library_that_has_things_keeps_them(open_store: OpenStore, exported: Path) -> None:
    store = open_store(folder="second")
    mine = store.add_source("/new place", True).id
    own = add_file(store, mine, "c.txt", "my own words", "first words")
    other = store.add_source("/other", True).id
    add_file(store, other, "same.txt", "first words", "shared words")
    chat = store.create_chat("My chat")
    store.add_user_message(chat, "Mine?")
    store.set_note("made by", "2")
    report = store.import_from(exported, MOVES, ["made by"])
    assert (report.sources, report.files, report.skipped, report.chats) == (0, 4, 1, 1)
    assert words(store) == ["first words", "inside words", "my own words", "shared words"]
    document = store.document(store.file(own).document_id)
    assert document is not None
    assert document.text == "my own words\n\nfirst words"
    same, come = store.file_by_path("/other/same.txt"), store.file_by_path("/new place/a/b.txt")
    assert same.document_id == come.document_id
    assert [chat.title for chat in store.chats()] == ["Old chat", "My chat"] or {
        chat.title for chat in store.chats()
    } == {"Old chat", "My chat"}
    assert store.note("made by") is None
    assert store.verify().ok


def test_importing_again_changes_nothing(open_store: OpenStore, exported: Path) -> None:
    store = open_store(folder="second")
    store.import_from(exported, MOVES)
    store.flush()
    stats = store.stats()
    report = store.import_from(exported, MOVES)
    assert (report.sources, report.files, report.passages, report.chats) == (0, 0, 0, 0)
    assert report.skipped == 5
    store.settle()
    again = store.stats()
    assert (again.segments, again.texts, again.vectors) == (
        stats.segments,
        stats.texts,
        stats.vectors,
    )
    assert len(store.messages(store.chats()[0].id)) == 2


def test_vectors_of_another_model_do_not_come(open_store: OpenStore, exported: Path) -> None:
    store = open_store(folder="second")
    store.follow_models({"en": "another model"})
    report = store.import_from(exported, MOVES)
    assert (report.passages, report.files, report.waiting) == (0, 5, 5)
    assert words(store) == []
    assert store.known_hashes([text_hash("first words")]) == set()
    assert store.verify().ok


def contents(store: KnowledgeStore) -> list[tuple[object, ...]]:
    with store._snapshot() as connection:
        return [
            row
            for table in ("sources", "files", "documents", "texts", "chats", "spaces", "library")
            for row in connection.execute(f"SELECT * FROM {table}")
        ]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def replace_member(path: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    members[name] = change(members[name])
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in members.items():
            archive.writestr(each, content)


def with_field(name: str, value: object) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        replace_member(
            path,
            "manifest.json",
            lambda content: json.dumps({**json.loads(content), name: value}).encode(),
        )

    return change


def other_database(path: Path) -> None:
    replace_member(path, "library.db", lambda content: content[:-10] + bytes(10))


def foreign(path: Path) -> None:
    path.write_bytes(b"nothing of ours")


def other_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("letter.txt", "Dear all")


@pytest.mark.parametrize(
    ("spoil", "title"),
    [
        (cut, "Not an exported library"),
        (flip, "Not an exported library"),
        (foreign, "Not an exported library"),
        (other_zip, "Not an exported library"),
        (other_database, "Not an exported library"),
        (with_field("kind", "something else"), "Not an exported library"),
        (with_field("bytes", 5), "Not an exported library"),
        (with_field("format", 999), "Made by a newer version"),
        (with_field("schema", 999), "Made by a newer version"),
        (os.unlink, "Not found"),
    ],
)
def test_what_cannot_be_trusted_changes_nothing(
    open_store: OpenStore, exported: Path, spoil: Callable[[Path], None], title: str
) -> None:
    store = open_store(folder="second")
    add_file(store, store.add_source("/mine", True).id, "a.txt", "my words")
    before = contents(store)
    spoil(exported)
    with pytest.raises(KnownError) as caught:
        store.import_from(exported, MOVES)
    assert caught.value.title == title
    assert contents(store) == before
    assert not list(store._folder.glob(".transfer-*"))
    assert words(store) == ["my words"]


@pytest.mark.parametrize(
    ("moves", "title"),
    [
        ({"/docs": "/mine/inner"}, "Folders overlap"),
        ({"/docs": "/"}, "Folders overlap"),
        ({"/docs": "C:\\Docs"}, "Where is this folder?"),
        ({"/docs": "/new", "/dosc": "/typing error"}, "Nothing to map"),
    ],
)
def test_places_that_cannot_be_change_nothing(
    open_store: OpenStore, exported: Path, moves: dict[str, str], title: str
) -> None:
    if os.name == "nt":
        pytest.skip("paths are others there")
    store = open_store(folder="second")
    add_file(store, store.add_source("/mine", True).id, "a.txt", "my words")
    before = contents(store)
    with pytest.raises(KnownError) as caught:
        store.import_from(exported, moves)
    assert caught.value.title == title
    assert contents(store) == before
    store.import_from(exported, MOVES)
    assert len(words(store)) == 5


def test_a_file_that_is_there_is_not_written_over(store: KnowledgeStore, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    with pytest.raises(KnownError, match="exists"):
        store.export_to(target)
    with pytest.raises(KnownError):
        store.export_to(tmp_path / "no such folder" / "file")
    assert target.read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["precious"]


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_an_export_is_its_owners_alone(exported: Path) -> None:
    assert exported.stat().st_mode & 0o777 == 0o600
    assert shutil.disk_usage(exported.parent).free


def test_paths_of_another_system_are_moved() -> None:
    paths = MovedPaths({"C:\\Users\\Ann": "/home/ann", "C:\\Users\\Ann\\Work": "/srv/work"})
    assert paths.place("c:\\Users\\Ann\\Letters\\a.txt") == "/home/ann/Letters/a.txt"
    assert paths.place("C:\\Users\\Ann\\Work\\b.txt") == "/srv/work/b.txt"
    assert paths.place("C:\\Users\\Anna\\c.txt") == "C:\\Users\\Anna\\c.txt"
    paths.check_all_used()
    assert MovedPaths({"/a": "/b"}).place("/a\\b/c") == "/a\\b/c"
    assert MovedPaths({"/a/": "/b"}).place("/a") == "/b"
