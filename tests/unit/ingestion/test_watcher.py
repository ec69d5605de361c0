from __future__ import annotations

import os
import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.files import Source
from desktop_rag.ingestion import watcher as module
from desktop_rag.ingestion.patrol import Patrol
from desktop_rag.ingestion.watcher import Watcher, is_remote, watches_exhausted

Told = queue.Queue[tuple[int, str, bool]]


@pytest.fixture
def told() -> Told:
    return queue.Queue()


@pytest.fixture
def watching(told: Told) -> Iterator[Watcher]:
    watcher = Watcher(lambda source, path, folder: told.put((source.id, path, folder)))
    yield watcher
    watcher.close()


def until_told(told: Told, wanted: tuple[int, str, bool]) -> None:
    while told.get(timeout=10) != wanted:
        pass


def test_tells_where_something_happened(watching: Watcher, told: Told, tmp_path: Path) -> None:
    assert watching.watch(Source(1, str(tmp_path), True))
    (tmp_path / "sub").mkdir()
    until_told(told, (1, str(tmp_path / "sub"), True))
    (tmp_path / "sub" / "a.txt").write_text("x")
    until_told(told, (1, str(tmp_path / "sub" / "a.txt"), False))
    (tmp_path / "sub").rename(tmp_path / "other")
    until_told(told, (1, str(tmp_path / "other"), True))


def test_reading_is_not_told(watching: Watcher, told: Told, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    watching.watch(Source(1, str(tmp_path), True))
    (tmp_path / "a.txt").read_text()
    os.listdir(tmp_path)
    (tmp_path / "b.txt").write_text("x")
    assert told.get(timeout=10)[1] == str(tmp_path / "b.txt")


def test_a_single_file_and_a_folder_behind_a_link(
    watching: Watcher, told: Told, tmp_path: Path
) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "single.txt").write_text("x")
    watching.watch(Source(1, str(tmp_path / "single.txt"), False))
    watching.watch(Source(2, str(tmp_path / "link"), True))
    (tmp_path / "unrelated.txt").write_text("x")
    (real / "a.txt").write_text("x")
    (tmp_path / "single.txt").write_text("y")
    seen = {told.get(timeout=10)}
    while len({source for source, _, _ in seen}) < 2:
        seen.add(told.get(timeout=10))
    assert seen == {
        (1, str(tmp_path / "single.txt"), False),
        (2, str(tmp_path / "link" / "a.txt"), False),
    }


def test_unwatched_sources_are_silent(watching: Watcher, told: Told, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    watching.watch(Source(1, str(tmp_path / "one"), True))
    watching.watch(Source(2, str(tmp_path / "two"), True))
    watching.unwatch(1)
    watching.unwatch(1)
    (tmp_path / "one" / "a.txt").write_text("x")
    (tmp_path / "two" / "a.txt").write_text("x")
    assert told.get(timeout=10)[0] == 2


def test_a_name_that_a_folder_took_over_and_gave_up_ends_nothing(
    told: Told, tmp_path: Path
) -> None:
    watching = Watcher(lambda source, path, folder: told.put((source.id, path, folder)))
    root, name = tmp_path / "root", tmp_path / "root" / "name"
    name.mkdir(parents=True)
    watching.watch(Source(1, str(root), True))
    name.rename(tmp_path / "moved out")
    name.mkdir()
    until_told(told, (1, str(name), True))
    (name / "a.txt").write_text("x")
    until_told(told, (1, str(name / "a.txt"), False))
    (name / "a.txt").unlink()
    name.rmdir()
    (root / "b.txt").write_text("x")
    until_told(told, (1, str(root / "b.txt"), False))
    assert watching.deaf() == []
    watching.close()


@pytest.mark.parametrize("number", [28, 24])
def test_a_limit_of_the_system_is_no_error(
    watching: Watcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse() -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(module, "Observer", refuse)
    assert not watching.watch(Source(1, str(tmp_path), True))


def test_network_shares_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mount:
        def __init__(self, mountpoint: str, fstype: str, opts: str = "rw") -> None:
            self.mountpoint, self.fstype, self.opts = mountpoint, fstype, opts

    mounts = [Mount("/", "ext4"), Mount("/mnt/share", "nfs4"), Mount("/mnt/win", "x", "rw,remote")]
    monkeypatch.setattr("psutil.disk_partitions", lambda **_: mounts)
    assert is_remote("/mnt/share/a")
    assert is_remote("/mnt/win")
    assert not is_remote("/mnt/shared")
    assert not is_remote("/home")


def test_watches_are_not_exhausted_here(tmp_path: Path) -> None:
    assert not watches_exhausted(str(tmp_path))


def test_where_watches_ran_out_a_source_is_looked_at_from_time_to_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.ingestion.patrol.watches_exhausted", lambda _: True)
    monkeypatch.setattr("desktop_rag.ingestion.patrol.TICK_SECONDS", 0.0)
    patrol = Patrol(lambda *_: None)
    try:
        patrol.follow([Source(1, str(tmp_path), True)])
        assert "the system can watch no more folders" in patrol.notes[0]
        assert patrol.tick() == [1]
    finally:
        patrol.close()


def test_a_patrol_finds_roots_that_went_came_or_were_replaced(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    patrol = Patrol(lambda *_: None)
    try:
        patrol.follow([Source(1, str(root), True)])
        assert patrol.tick() == []
        root.rename(tmp_path / "away")
        assert patrol.tick() == [1]
        assert patrol.tick() == []
        root.mkdir()
        assert patrol.tick() == [1]
        assert patrol.tick() == []
        for _ in range(300):
            patrol.heard(1)
        assert patrol.tick() == [1]
        patrol.looked({1: 0.01})
        assert patrol.tick() == []
        patrol.follow([])
        assert patrol.tick() == []
    finally:
        patrol.close()


def test_a_watching_thread_that_died_is_replaced(
    watching: Watcher, told: Told, tmp_path: Path
) -> None:
    source = Source(1, str(tmp_path), True)
    watching.watch(source)
    assert watching.deaf() == []
    for thread in watching._threads:
        thread.stop()
        thread.join()
    assert watching.deaf() == [source]
    assert watching.watch(source)
    (tmp_path / "a.txt").write_text("x")
    assert told.get(timeout=10)[1] == str(tmp_path / "a.txt")
