"""A library with toy parts over a real store, and a folder for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.services.library import LibraryLimits
from tests.helpers.library_parts import Workshop, write


@pytest.fixture
def shop(data_dir: Path) -> Iterator[Workshop]:
    workshop = Workshop(data_dir, LibraryLimits(file_mb=1))
    yield workshop
    workshop.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    write(folder / "a.txt", "alpha\n\nshared words")
    write(folder / "b.txt", "beta\n\nshared words")
    return folder
