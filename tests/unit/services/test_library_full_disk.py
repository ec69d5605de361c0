"""A library on a disk of 20 MB: it pauses when that is full, and goes on when there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.errors import KnownError
from tests.helpers.library_parts import Workshop, settled
from tests.helpers.small_disk import mounted_disk

_FILES = 60
_PARAGRAPHS = 40


def many_files(folder: Path) -> None:
    folder.mkdir()
    for number in range(_FILES):
        words = (f"word{number} and other{line} " * 30 for line in range(_PARAGRAPHS))
        (folder / f"{number}.txt").write_text("\n\n".join(words))


def test_e4_a_full_disk_pauses_with_a_message_and_nothing_half_done_is_ready(
    tmp_path: Path,
) -> None:
    docs = tmp_path / "docs"
    many_files(docs)
    with mounted_disk(tmp_path / "small", "size=20m") as disk:
        shop = Workshop(disk / "library")
        ballast = disk / "ballast"
        try:
            ballast.write_bytes(bytes(16 << 20))
            with pytest.raises(KnownError) as caught:
                shop.library.index([docs])
            assert caught.value.title == "The disk is full"
            progress = shop.library.progress()
            assert progress.state == "paused"
            assert progress.notes[0].startswith("The disk is full")
            files = shop.library.files()
            assert FileStatus.FAILED not in {file.status for file in files}
            ready = [file for file in files if file.status is FileStatus.READY]
            assert len(ready) < _FILES
            for file in ready:
                assert file.document_id is not None
                assert len(shop.store.segments_of_document(file.document_id)) == _PARAGRAPHS

            ballast.unlink()
            shop.library.resume()
            settled(shop)
            assert list(shop.paths().values()) == ["ready"] * _FILES
            assert shop.store.verify().ok
        finally:
            shop.close()
