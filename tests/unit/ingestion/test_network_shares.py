"""A source on a network share is looked at from time to time, since nobody tells of changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.files import Source
from desktop_rag.ingestion.patrol import Patrol


class _Share:
    """A mounted share, as psutil tells of it."""

    fstype, opts = "nfs4", "rw"

    def __init__(self, mountpoint: Path) -> None:
        self.mountpoint = str(mountpoint)


def test_a10_a_network_share_is_polled_and_a_folder_beside_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share, local = tmp_path / "share", tmp_path / "local"
    for folder in (share, local):
        folder.mkdir()
    monkeypatch.setattr("psutil.disk_partitions", lambda **_: [_Share(share)])
    monkeypatch.setattr("desktop_rag.ingestion.patrol.TICK_SECONDS", 0.0)
    patrol = Patrol(lambda *_: None)
    try:
        patrol.follow([Source(1, str(share), True), Source(2, str(local), True)])

        assert patrol.tick() == [1]
        [note] = patrol.notes
        assert note.startswith("Changes in “share” are noticed after")
    finally:
        patrol.close()
