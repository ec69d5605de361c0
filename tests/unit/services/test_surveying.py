"""What is about to be added is counted as it would be read, and nothing is opened."""

from __future__ import annotations

import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services import surveying
from desktop_rag.services.surveying import Count, Survey, survey
from tests.helpers.library_parts import Workshop, write

Usage = namedtuple("Usage", "total used free")
NONE: set[str] = set()


def counted(*paths: Path, data_dir: Path, most: int = 200, known: set[str] = NONE) -> Survey:
    return survey([str(path) for path in paths], data_dir, most, known)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    for name, size in (("a.txt", 3000), ("sub/b.pdf", 10_000), ("sub/c.mp4", 50_000)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    (folder / ".hidden").write_text("x")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "d.txt").write_text("x")
    return folder


def test_what_would_be_read_is_counted_once(docs: Path, tmp_path: Path) -> None:
    found = counted(docs, docs / "sub", docs, data_dir=tmp_path / "data")
    assert (found.files, found.bytes) == (3, 63_000)
    assert not found.big
    alone = counted(docs / "a.txt", data_dir=tmp_path / "data")
    assert (alone.files, alone.bytes) == (1, 3000)
    # 3,000 characters of text are 900 tokens; of a PDF a fifth is text, of a film nothing
    assert alone.library_bytes == 900 * 80
    assert found.library_bytes == (900 + 600) * 80
    assert counted(tmp_path / "nowhere", data_dir=tmp_path).files == 0


def test_files_are_counted_by_kind_and_by_folder(docs: Path, tmp_path: Path) -> None:
    found = counted(docs, data_dir=tmp_path / "data")
    assert found.kinds == (Count("mp4", 1, 50_000), Count("pdf", 1, 10_000), Count("txt", 1, 3000))
    assert found.parts == (Count(str(docs / "sub"), 2, 60_000),)
    other = tmp_path / "other.TXT"
    other.write_text("four")
    several = counted(docs, other, data_dir=tmp_path / "data")
    assert several.parts == (Count(str(docs), 3, 63_000), Count(str(other), 1, 4))
    assert several.kinds[0] == Count("txt", 2, 3004)


def test_what_the_library_has_costs_nothing(docs: Path, tmp_path: Path) -> None:
    known = {str(docs / "a.txt"), str(docs / "sub" / "c.mp4")}
    found = counted(docs, data_dir=tmp_path / "data", known=known)
    assert (found.files, found.bytes, found.known) == (1, 10_000, 2)
    assert found.kinds == (Count("pdf", 1, 10_000),)


def test_a_home_is_asked_about_until_it_is_in_the_library(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(docs))
    monkeypatch.setenv("USERPROFILE", str(docs))
    assert counted(docs, data_dir=tmp_path / "data").big
    assert counted(tmp_path, data_dir=tmp_path / "data").everything
    assert not counted(docs / "sub", data_dir=tmp_path / "data").big
    assert not counted(docs, data_dir=tmp_path / "data", known={str(docs)}).big


def test_too_large_files_and_the_library_itself_are_left_out(docs: Path, tmp_path: Path) -> None:
    (docs / "sub" / "large.txt").write_bytes(b"x" * 1_100_000)
    assert counted(docs, data_dir=tmp_path / "data", most=1).files == 3
    assert counted(docs, data_dir=docs / "sub").files == 1


@pytest.mark.parametrize("limit", ["_BIG_FILES", "_BIG_BYTES", "_BIG_SECONDS"])
def test_much_is_asked_about(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(surveying, limit, 0)
    assert counted(docs, data_dir=tmp_path / "data").big


def test_too_little_room_is_said_before(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 400_000_000))
    found = counted(docs, data_dir=tmp_path / "data")
    assert found.big
    with pytest.raises(KnownError, match="GB left") as caught:
        found.check_room(tmp_path / "data")
    assert caught.value.title == "Not enough room"


def test_counting_is_told_and_can_be_ended(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surveying, "_TELL_EVERY", 1)
    told: list[int] = []
    token = CancelToken()
    survey([str(docs)], tmp_path / "data", 200, on_count=told.append, cancel=token)
    assert told == [1, 2, 3]
    token.cancel()
    with pytest.raises(Cancelled):
        survey([str(docs)], tmp_path / "data", 200, cancel=token)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    for name in ("a.txt", "b.txt"):
        write(tmp_path / "notes" / name, name)
    return tmp_path / "notes"


def test_the_library_counts_what_is_new_to_it(shop: Workshop, notes: Path) -> None:
    shop.library.index([notes])
    write(notes / "c.txt", "gamma")
    found = shop.library.survey([notes])
    assert (found.files, found.bytes, found.known) == (1, 5, 2)
    inside = shop.library.survey([notes / "a.txt"])
    assert (inside.files, inside.known, inside.big) == (0, 1, False)
    around = shop.library.survey([notes.parent])
    assert (around.files, around.known) == (1, 2)


def test_what_was_left_out_is_new_when_it_is_brought_back(shop: Workshop, notes: Path) -> None:
    write(notes / "sub" / "c.txt", "gamma")
    shop.library.index([notes])
    shop.library.remove([notes / "sub"])
    shop.library.index()
    assert shop.library.survey([notes]).files == 0
    assert shop.library.survey([notes / "sub"]).files == 1


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_source_behind_a_link_is_known(shop: Workshop, notes: Path) -> None:
    link = notes.parent / "link"
    link.symlink_to(notes)
    shop.library.index([link])
    assert (shop.library.survey([link]).files, shop.library.survey([notes]).files) == (0, 0)


def test_where_nothing_is_new_a_full_disk_is_no_reason(
    shop: Workshop, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.library.index([notes])
    monkeypatch.setattr(surveying, "_RESERVE", 10**18)
    shop.library.survey([notes]).check_room(shop.data_dir)
    write(notes / "c.txt", "gamma")
    with pytest.raises(KnownError):
        shop.library.survey([notes]).check_room(shop.data_dir)
