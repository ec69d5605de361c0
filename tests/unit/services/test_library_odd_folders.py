"""Folders that lead back to themselves, pipes, and thousands of files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.ingestion.applying import HIDDEN_FOLDER
from desktop_rag.ingestion.denied import remedy
from tests.helpers.library_parts import Workshop, settled, write

_MANY = 3000


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes in folders")
def test_a10_circles_and_a_pipe_are_no_files(shop: Workshop, docs: Path) -> None:
    (docs / "loop").symlink_to(".")
    (docs / "up").symlink_to("..")
    os.mkfifo(docs / "pipe.txt")

    report = shop.library.index([docs])

    assert report.added == len(shop.paths())
    assert "pipe.txt" not in shop.paths()
    assert len(set(shop.reader.paths)) == len(shop.reader.paths) == report.added
    assert shop.library.index([docs]).unchanged == report.added


def test_a7_three_thousand_files_that_come_at_once_are_all_there(
    shop: Workshop, docs: Path
) -> None:
    shop.library.start(watch=True)
    shop.library.add([docs])
    settled(shop)
    before = len(shop.paths())

    for number in range(_MANY):
        write(docs / f"{number % 30}" / "deep" / f"{number}.txt", f"number {number}")
    while len(shop.library.files()) < before + _MANY:
        shop.library.wait_settled(1.0)
    assert shop.library.wait_settled(60.0)

    assert set(shop.paths().values()) == {"ready"}
    assert len(shop.paths()) == before + _MANY
    assert shop.found("2999") == ["2999.txt"]


def test_a_folder_that_may_not_be_seen_is_named_and_found_when_it_may(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(docs / "private" / "p.txt", "omega")
    shop.library.index([docs])
    scandir = os.scandir
    denied = {str(docs / "private"), *(str(docs / f"new {number}") for number in range(4))}
    for path in denied:
        Path(path).mkdir(exist_ok=True)

    def guarded(path: str) -> object:
        if path in denied:
            raise PermissionError(1, "Operation not permitted", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    shop.library.index()
    notes = shop.library.progress().notes
    assert [note.split("”")[0] for note in notes[:1]] == [f"“{docs / 'new 0'}"]
    assert notes[3] == "Other folders and files that cannot be opened: 2."
    assert shop.paths()["p.txt"] == "unavailable"
    assert shop.found("omega") == ["p.txt"]
    denied.clear()
    assert shop.library.index().embedded == 0
    assert shop.library.progress().notes == ()
    assert shop.paths()["p.txt"] == "ready"


def test_what_to_do_is_said_as_the_system_calls_it() -> None:
    assert "Privacy & Security › Files and Folders" in remedy("darwin")
    assert remedy("linux") == "Change its permissions, so that you may read it."
    assert remedy() in HIDDEN_FOLDER.message


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="who may everything sees all")
def test_a_folder_without_permission_is_kept_and_found_again(shop: Workshop, docs: Path) -> None:
    write(docs / "private" / "p.txt", "omega")
    shop.library.index([docs])
    (docs / "private").chmod(0)
    try:
        shop.library.index()
        (note,) = shop.library.progress().notes
        assert note.startswith(f"“{docs / 'private'}” cannot be opened")
        assert shop.found("omega") == ["p.txt"]
    finally:
        (docs / "private").chmod(0o700)
    shop.library.index()
    assert (shop.paths()["p.txt"], shop.library.progress().notes) == ("ready", ())


def test_a_whole_source_that_is_denied_loses_nothing(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.library.index([docs])
    scandir = os.scandir

    def guarded(path: str) -> object:
        if path == str(docs):
            raise PermissionError(1, "Operation not permitted", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    shop.library.index()
    assert set(shop.paths().values()) == {"unavailable"}
    assert shop.found("alpha") == ["a.txt"]
    (note,) = shop.library.progress().notes
    assert note.startswith(f"“{docs}” cannot be opened")
    monkeypatch.setattr(os, "scandir", scandir)
    assert shop.library.index().embedded == 0
    assert set(shop.paths().values()) == {"ready"}


def test_a_path_of_more_than_260_characters_is_one_like_others(shop: Workshop, docs: Path) -> None:
    deep = docs.joinpath(*(f"{number} {'folder ' * 8}".strip() for number in range(6)))
    path = write(deep / f"{'a long name ' * 10}.txt", "omega")
    assert len(str(path)) > 500
    shop.library.index([docs])
    assert shop.found("omega") == [path.name]
    (docs / "0 folder folder folder folder folder folder folder folder").rename(docs / "short")
    assert shop.library.index().moved == 1
    assert shop.found("omega") == [path.name]
