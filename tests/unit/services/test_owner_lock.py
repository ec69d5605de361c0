from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.services import owner
from desktop_rag.services.owner import (
    OwnerLock,
    forget_owner,
    new_key,
    read_key,
    read_owner,
    socket_addresses,
    write_owner,
)


def test_one_owner_at_a_time(data_dir):
    first, second = OwnerLock(data_dir), OwnerLock(data_dir)

    assert first.acquire()
    assert not second.acquire()

    first.release()
    assert second.acquire()
    second.release()
    second.release()


def test_the_folder_is_made_for_this_user_alone(tmp_path):
    folder = tmp_path / "new" / "library"

    with OwnerLock(folder) as lock:
        assert lock.acquire()

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_file_in_place_of_the_folder_is_a_known_error(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(KnownError) as caught:
        OwnerLock(tmp_path / "file").acquire()

    assert caught.value.path == str(tmp_path / "file")


def test_a_read_only_folder_is_a_known_error(data_dir, monkeypatch):
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.R_OK and allowed(path, mode))

    with pytest.raises(KnownError):
        OwnerLock(data_dir).acquire()


def test_a_disk_that_refuses_the_lock_is_a_known_error(data_dir, monkeypatch):
    def refuse(*_arguments: object) -> None:
        raise OSError(30, "Read-only file system", str(data_dir))

    lock = OwnerLock(data_dir)
    monkeypatch.setattr(lock._lock, "acquire", refuse)

    with pytest.raises(KnownError, match="Read only"):
        lock.acquire()


def test_the_address_is_told_and_forgotten(data_dir):
    assert read_owner(data_dir) is None

    write_owner(data_dir, "/somewhere/owner.sock")
    told = read_owner(data_dir)

    assert told is not None
    assert (told.pid, told.address) == (os.getpid(), "/somewhere/owner.sock")
    forget_owner(data_dir)
    forget_owner(data_dir)
    assert read_owner(data_dir) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": "x"}', b'{"address": "a"}'])
def test_a_half_written_address_is_none(data_dir, content):
    (data_dir / "owner.json").write_bytes(content)

    assert read_owner(data_dir) is None


@pytest.mark.skipif(os.name == "nt", reason="file modes")
def test_the_key_is_new_each_time_and_for_this_user_alone(data_dir):
    assert read_key(data_dir) is None

    first, second = new_key(data_dir), new_key(data_dir)

    assert first != second
    assert len(second) == 32
    assert read_key(data_dir) == second
    assert stat.S_IMODE((data_dir / "owner.key").stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt", reason="Unix sockets")
def test_a_long_path_gets_a_socket_elsewhere(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    folder = tmp_path / ("名" * 40)
    folder.mkdir()

    addresses = list(socket_addresses(folder))

    assert len(addresses) == 1
    assert len(os.fsencode(addresses[0])) <= 100
    assert stat.S_IMODE(Path(addresses[0]).parent.stat().st_mode) == 0o700
    write_owner(folder, addresses[0])
    forget_owner(folder)
    assert not Path(addresses[0]).parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="Unix sockets")
@pytest.mark.parametrize(("pid", "also"), [(os.getppid(), None), (os.getpid(), "library.db")])
def test_another_library_s_folder_is_never_removed(tmp_path, pid, also):
    moved, other = tmp_path / "moved", tmp_path / "desktop-rag-other"
    for folder in (moved, other):
        folder.mkdir()
    (other / "owner.sock").write_bytes(b"")
    if also is not None:
        (other / also).write_bytes(b"")
    address = str(other / "owner.sock")
    (moved / "owner.json").write_text(json.dumps({"pid": pid, "address": address}))

    forget_owner(moved)

    assert (other / "owner.sock").exists()
    assert not (moved / "owner.json").exists()


@pytest.mark.skipif(os.name == "nt", reason="Unix sockets")
def test_a_long_runtime_folder_is_not_used(tmp_path, monkeypatch):
    runtime = tmp_path / ("r" * 60)
    runtime.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))

    folder = owner._short_folder()

    assert runtime not in folder.parents
    folder.rmdir()
