"""Places where a library would be damaged are refused, and why is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_library
from desktop_rag.foundation.data_place import check_data_place
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import prepare_data_dir
from tests.helpers.small_disk import mounted_disk


@dataclass
class Mount:
    mountpoint: str
    fstype: str
    opts: str = "rw"


@pytest.mark.parametrize(
    "mount",
    [
        Mount("/mnt/share", "nfs4"),
        Mount("/mnt/share", "cifs"),
        Mount("/mnt/share", "fuse.sshfs"),
        Mount("/mnt/share", "", "rw,remote"),
    ],
)
def test_a_network_drive_is_refused(mount: Mount, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = [Mount("/", "ext4"), mount]
    monkeypatch.setattr("psutil.disk_partitions", lambda **_: mounts)
    with pytest.raises(KnownError) as caught:
        check_data_place(Path("/mnt/share/ann/library"))
    assert caught.value.title == "On a network drive"
    assert "--data-dir" in caught.value.message
    check_data_place(Path("/mnt/shared/library"))


@pytest.mark.parametrize("kind", ["ext4", "overlay", "9p", "virtiofs", "tmpfs", "apfs", "ntfs"])
def test_a_disk_of_this_computer_is_taken(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("psutil.disk_partitions", lambda **_: [Mount("/", kind)])
    check_data_place(Path("/home/ann/library"))


@pytest.mark.parametrize(
    ("folder", "program"),
    [
        ("OneDrive/library", "OneDrive"),
        ("OneDrive - Some Company/a/library", "OneDrive"),
        ("Dropbox (Personal)/library", "Dropbox"),
        ("iCloudDrive/library", "iCloud"),
        ("Library/Mobile Documents/com~apple~CloudDocs/library", "iCloud"),
        ("Library/CloudStorage/GoogleDrive-ann@example.org/library", "GoogleDrive"),
        ("Google Drive/My Drive/library", "Google Drive"),
        ("nextcloud", "Nextcloud"),
    ],
)
def test_a_synchronised_folder_is_refused_by_its_name(
    tmp_path: Path, folder: str, program: str
) -> None:
    with pytest.raises(KnownError) as caught:
        check_data_place(tmp_path / folder)
    assert caught.value.title == "In a synchronised folder"
    assert f"by {program}," in caught.value.message


@pytest.mark.parametrize("marker", [".dropbox", ".stfolder", ".owncloudsync.log"])
def test_a_synchronised_folder_is_refused_by_what_lies_in_it(tmp_path: Path, marker: str) -> None:
    (tmp_path / marker).mkdir()
    with pytest.raises(KnownError, match="synchronised"):
        check_data_place(tmp_path / "a" / "library")


def test_onedrive_under_another_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OneDriveCommercial", str(tmp_path / "Firm"))
    with pytest.raises(KnownError, match="OneDrive"):
        check_data_place(tmp_path / "Firm" / "library")
    check_data_place(tmp_path / "library")


def test_a_library_is_not_made_in_a_refused_place(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match="synchronised"):
        open_library(tmp_path / "Dropbox" / "library")
    assert not list((tmp_path / "Dropbox" / "library").glob("library.db*"))


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A disk that takes no writes; skips where none can be mounted."""
    with mounted_disk(tmp_path / "disk", "ro,size=1m") as folder:
        yield folder


def test_a_disk_that_can_only_be_read_is_refused(read_only: Path) -> None:
    for folder in (read_only, read_only / "library"):
        with pytest.raises(KnownError) as caught:
            prepare_data_dir(folder)
        assert caught.value.title == "Read only"
