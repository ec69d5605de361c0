"""The library follows the disk: with the watcher on, and over changes made while closed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.helpers.library_parts import Workshop

_PATIENCE_SECONDS = 20.0


@pytest.fixture
def shop(data_dir: Path) -> Iterator[Workshop]:
    workshop = Workshop(data_dir)
    yield workshop
    workshop.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture
def watched(shop: Workshop, docs: Path) -> Workshop:
    (docs / "first.txt").write_text("alpha begins\n\nalpha goes on")
    shop.library.start(watch=True)
    shop.library.add([docs])
    assert shop.library.wait_settled(_PATIENCE_SECONDS)
    return shop


def until(condition: Callable[[], bool]) -> bool:
    """Wait until something is so, for as long as any machine needs."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def settled(shop: Workshop) -> None:
    """Wait until what was just done is known and done."""
    time.sleep(0.1)
    assert shop.library.wait_settled(_PATIENCE_SECONDS)


def test_added_edited_renamed_deleted_while_watched(watched: Workshop, docs: Path) -> None:
    (docs / "second.txt").write_text("beta")
    assert until(lambda: watched.found("beta") == ["second.txt"])
    (docs / "second.txt").write_text("gamma\n\nbeta")
    assert until(lambda: watched.found("gamma") == ["second.txt"])
    before = len(watched.embedded)
    (docs / "second.txt").rename(docs / "third.txt")
    assert until(lambda: watched.found("gamma") == ["third.txt"])
    (docs / "third.txt").unlink()
    assert until(lambda: watched.found("gamma") == [])
    settled(watched)
    assert watched.paths() == {"first.txt": "ready"}
    assert len(watched.embedded) == before


def test_an_edit_embeds_only_what_is_new(watched: Workshop, docs: Path) -> None:
    watched.embedded.clear()
    (docs / "first.txt").write_text("alpha begins\n\nomega\n\nalpha goes on")
    assert until(lambda: watched.found("omega") == ["first.txt"])
    settled(watched)
    assert watched.embedded == ["omega"]


def test_atomic_saves_are_one_update_of_the_same_document(
    watched: Workshop, docs: Path, tmp_path: Path
) -> None:
    file_id = watched.library.files()[0].id
    inside = docs / ".first.tmp"
    inside.write_text("delta")
    inside.replace(docs / "first.txt")
    assert until(lambda: watched.found("delta") == ["first.txt"])
    outside = tmp_path / "outside"
    outside.write_text("epsilon")
    outside.replace(docs / "first.txt")
    assert until(lambda: watched.found("epsilon") == ["first.txt"])
    (docs / "first.txt").rename(docs / "first.txt~")
    (docs / "first.txt").write_text("zeta")
    assert until(lambda: watched.found("zeta") == ["first.txt"])
    settled(watched)
    assert [file.id for file in watched.library.files()] == [file_id]


def test_a_folder_moved_out_and_edited_there(watched: Workshop, docs: Path, tmp_path: Path) -> None:
    inside, outside = docs / "sub", tmp_path / "outside"
    inside.mkdir()
    for number in range(3):
        (inside / f"{number}.txt").write_text(f"word{number}")
    assert until(lambda: watched.found("word2") == ["2.txt"])
    inside.rename(outside)
    assert until(lambda: watched.found("word0") == [])
    (outside / "0.txt").write_text("elsewhere")
    settled(watched)
    assert watched.paths() == {"first.txt": "ready"}
    outside.rename(inside)
    assert until(lambda: watched.found("elsewhere") == ["0.txt"])


def test_reading_makes_no_work_of_its_own(watched: Workshop, docs: Path) -> None:
    for number in range(200):
        (docs / f"{number}.txt").write_text(f"text {number}")
    assert until(lambda: len(watched.library.files()) == 201)
    settled(watched)
    read = len(watched.reader.paths)
    events: list[object] = []
    watched.library.listen(events.append)
    time.sleep(2.0)
    assert len(watched.reader.paths) == read
    assert events == []


def test_a_half_written_file_is_read_once_and_whole(watched: Workshop, docs: Path) -> None:
    seen: list[str] = []
    watched.library.listen(
        lambda _: seen.extend(f.status.value for f in watched.library.files() if f.problem)
    )
    read = len(watched.reader.paths)
    with (docs / "slices.txt").open("w") as file:
        file.write("DAMAGED as long as it is not whole")
        for number in range(4):
            file.write(f"\n\nslice{number}")
            file.flush()
            time.sleep(0.4)
        file.seek(0)
        file.write("healthy")
    assert until(lambda: watched.found("slice3") == ["slices.txt"])
    settled(watched)
    assert watched.reader.paths[read:] == [str(docs / "slices.txt")]
    assert seen == []


def test_a_file_that_fails_while_it_is_written_is_tried_again(
    watched: Workshop, docs: Path
) -> None:
    path = docs / "slow.txt"
    path.write_text("DAMAGED")
    assert until(lambda: str(path) in watched.reader.paths)
    assert watched.paths()["slow.txt"] in ("waiting", "reading")
    path.write_text("sound")
    assert until(lambda: watched.found("sound") == ["slow.txt"])


def test_lock_and_temporary_names_are_never_listed(watched: Workshop, docs: Path) -> None:
    for name in ("~$r.docx", ".~lock.r.odt#", "~WRL0001.tmp", "r.txt.crdownload", "._r.txt"):
        (docs / name).write_text("download")
    (docs / "r.txt.crdownload").rename(docs / "r.txt")
    assert until(lambda: watched.found("download") == ["r.txt"])
    settled(watched)
    assert watched.paths() == {"first.txt": "ready", "r.txt": "ready"}


def test_many_files_at_once(watched: Workshop, docs: Path, tmp_path: Path) -> None:
    outside = tmp_path / "many"
    for number in range(300):
        folder = outside / str(number % 10) / "deep"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text(f"number {number}")
    shutil.copytree(outside, docs / "many")
    assert until(lambda: len(watched.library.files()) == 301)
    settled(watched)
    assert set(watched.paths().values()) == {"ready"}


def test_changes_while_closed(shop: Workshop, docs: Path) -> None:
    for name in ("edited", "deleted", "renamed", "swapped", "kept"):
        (docs / f"{name}.txt").write_text(f"{name} text")
    shop.library.index([docs])
    swapped = docs / "swapped.txt"
    times = swapped.stat()
    shop.reopen()
    (docs / "added.txt").write_text("added text")
    (docs / "edited.txt").write_text("edited words")
    (docs / "deleted.txt").unlink()
    (docs / "renamed.txt").rename(docs / "new name.txt")
    with swapped.open("r+") as file:  # in place: same inode, same size
        file.write("SWAPPED TEXT")
    os.utime(swapped, ns=(times.st_atime_ns, times.st_mtime_ns))
    report = shop.library.index()
    assert (report.added, report.updated, report.moved, report.removed, report.unchanged) == (
        1, 2, 1, 1, 1,
    )  # fmt: skip
    assert sorted(shop.embedded) == ["SWAPPED TEXT", "added text", "edited words"]
    assert shop.found("deleted") == []
    assert shop.found("renamed") == ["new name.txt"]


def test_a_touch_embeds_nothing(shop: Workshop, docs: Path) -> None:
    for number in range(20):
        (docs / f"{number}.txt").write_text(f"text {number}")
    shop.library.index([docs])
    shop.reopen()
    for path in docs.iterdir():
        path.touch()
    report = shop.library.index()
    assert (report.unchanged, report.updated, report.embedded) == (20, 0, 0)
    assert shop.embedded == []
    assert shop.reader.paths == []
    assert set(shop.paths().values()) == {"ready"}


def test_an_edit_during_the_start_up_scan(shop: Workshop, docs: Path) -> None:
    for number in range(50):
        (docs / f"{number}.txt").write_text(f"text {number}")
    shop.library.index([docs])
    shop.reopen()
    for path in docs.iterdir():
        path.touch()
    shop.library.start(watch=True)
    (docs / "7.txt").write_text("edited meanwhile")
    assert until(lambda: shop.found("meanwhile") == ["7.txt"])
    settled(shop)
    assert shop.found("text") == sorted(f"{n}.txt" for n in range(50) if n != 7)


def test_a_source_that_is_gone_loses_nothing(shop: Workshop, docs: Path, tmp_path: Path) -> None:
    (docs / "a.txt").write_text("alpha")
    (docs / "bad.txt").write_text("DAMAGED")
    shop.library.index([docs])
    docs.rename(tmp_path / "away")
    shop.library.refresh()
    settled(shop)
    assert shop.paths() == {"a.txt": "unavailable", "bad.txt": "failed"}
    assert shop.library.sources()[0].state.value == "unavailable"
    assert shop.found("alpha") == ["a.txt"]
    (tmp_path / "away").rename(docs)
    (docs / "b.txt").write_text("beta")
    shop.embedded.clear()
    shop.library.refresh()
    settled(shop)
    assert shop.paths() == {"a.txt": "ready", "bad.txt": "failed", "b.txt": "ready"}
    assert shop.embedded == ["beta"]


def test_names_that_are_not_utf_8(watched: Workshop, docs: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (docs / name).write_text("latin")
    assert until(lambda: watched.found("latin") != [])
    settled(watched)
    assert watched.paths()[name] == "ready"
    (docs / name).unlink()
    assert until(lambda: watched.found("latin") == [])


def test_a_watch_that_cannot_be_had_becomes_a_look_from_time_to_time(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from watchdog.observers.api import BaseObserver

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(BaseObserver, "schedule", refuse)
    monkeypatch.setattr("desktop_rag.ingestion.patrol.TICK_SECONDS", 0.2)
    shop.library.start(watch=True)
    shop.library.add([docs])
    settled(shop)
    assert "noticed" in shop.library.progress().notes[0]
    (docs / "a.txt").write_text("alpha")
    assert until(lambda: shop.found("alpha") == ["a.txt"])


def test_lost_events_are_made_good(
    watched: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.ingestion.patrol._Post.due", lambda *_: True)
    watched.library._engine.upkeep.agenda.note = lambda *_, **__: None
    (docs / "unheard.txt").write_text("silence")
    watched.library._engine.upkeep.agenda.tick_at(0.0)
    assert until(lambda: watched.found("silence") == ["unheard.txt"])
