"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from pathlib import Path

import pytest

from desktop_rag.foundation import atomic


def test_writes_and_overwrites_the_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "语 料.bin"
    atomic.write_atomically(target, b"first, longer")
    atomic.write_atomically(target, b"second")
    assert target.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    target = tmp_path / "file"
    atomic.write_atomically(target, b"x")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_failure_keeps_the_old_file_and_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")

    def fail_halfway() -> None:
        with atomic.atomic_path(target) as temporary:
            temporary.write_bytes(b"ne")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail_halfway()
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_block_that_writes_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic.atomic_path(tmp_path / "file"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_on_the_disk_before_it_takes_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (order.append("sync"), sync(fd))[1])
    monkeypatch.setattr(
        Path, "replace", lambda path, to: (order.append("replace"), replace(path, to))[1]
    )
    atomic.write_atomically(tmp_path / "file", b"x")
    assert order[:2] == ["sync", "replace"]


def test_leftovers_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    kept = tmp_path / "index.bin"
    kept.write_bytes(b"x")
    (tmp_path / ".index.bin.0123abcd.part").write_bytes(b"half")
    (tmp_path / ".hidden").write_bytes(b"x")
    atomic.remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".hidden", "index.bin"]


def test_checksum_is_that_of_the_whole_content(tmp_path: Path) -> None:
    content = bytes(range(256)) * 10_000
    path = tmp_path / "file"
    path.write_bytes(content)
    assert atomic.file_checksum(path) == hashlib.sha256(content).hexdigest()
