"""What is about to be added is counted as it would be read, and nothing is opened."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services import surveying
from desktop_rag.services.surveying import Survey, survey

Usage = namedtuple("Usage", "total used free")


def counted(*paths: Path, data_dir: Path, most: int = 200) -> Survey:
    return survey([str(path) for path in paths], data_dir, most)


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


def test_too_large_files_and_the_library_itself_are_left_out(docs: Path, tmp_path: Path) -> None:
    (docs / "sub" / "large.txt").write_bytes(b"x" * 1_500_000)
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
    survey([str(docs)], tmp_path / "data", 200, told.append, token)
    assert told == [1, 2, 3]
    token.cancel()
    with pytest.raises(Cancelled):
        survey([str(docs)], tmp_path / "data", 200, cancel=token)
