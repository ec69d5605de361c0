"""Folders that lead back to themselves, pipes, and thousands of files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
