"""Random histories of a folder: in the end the library equals the disk, whatever happened."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.library_parts import Workshop

_SECONDS = 30.0
_STEPS = 40


@pytest.fixture
def shop(data_dir: Path) -> Iterator[Workshop]:
    workshop = Workshop(data_dir)
    yield workshop
    workshop.close()


class Folder:
    """A folder with a life of its own."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        self._number = 0
        for _ in range(5):
            self.add()

    def step(self) -> None:
        self.chance.choice(
            [self.add, self.add, self.edit, self.edit, self.delete, self.rename, self.copy,
             self.touch, self.replace, self.swap, self.rename_folder, self.delete_folder]
        )()  # fmt: skip

    def add(self) -> None:
        path = self._new_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._text())

    def edit(self) -> None:
        if path := self._some_file():
            path.write_text(f"{path.read_text()}\n\n{self._text()}")

    def delete(self) -> None:
        if path := self._some_file():
            path.unlink()

    def rename(self) -> None:
        if path := self._some_file():
            target = self._new_path()
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)

    def copy(self) -> None:
        if path := self._some_file():
            target = self._new_path()
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)

    def touch(self) -> None:
        if path := self._some_file():
            path.touch()

    def replace(self) -> None:
        if path := self._some_file():
            temporary = path.with_name(f".{path.name}.tmp")
            temporary.write_text(self._text())
            temporary.replace(path)

    def swap(self) -> None:
        first, second = self._some_file(), self._some_file()
        if first and second and first != second:
            between = first.with_name("between")
            first.rename(between)
            second.rename(first)
            between.rename(second)

    def rename_folder(self) -> None:
        if folder := self._some_folder():
            self._number += 1
            folder.rename(self.root / f"folder{self._number}")

    def delete_folder(self) -> None:
        if folder := self._some_folder():
            shutil.rmtree(folder)

    def contents(self) -> dict[str, str]:
        return {str(path): path.read_text() for path in self._files()}

    def _files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*.txt"))

    def _some_file(self) -> Path | None:
        files = self._files()
        return self.chance.choice(files) if files else None

    def _some_folder(self) -> Path | None:
        folders = sorted(path for path in self.root.iterdir() if path.is_dir())
        return self.chance.choice(folders) if folders else None

    def _new_path(self) -> Path:
        self._number += 1
        inside = self.chance.choice(["", "a", "b", "b/c"])
        return self.root / inside / f"{self._number}.txt"

    def _text(self) -> str:
        return "\n\n".join(f"word{self.chance.randrange(60)} text" for _ in range(3))


def stored(shop: Workshop) -> dict[str, str]:
    found = {}
    for file in shop.library.files():
        document = shop.library.document(file.id)
        assert file.status.value == "ready", file
        assert document is not None
        found[file.path] = document.text
    return found


@pytest.mark.parametrize("seed", range(2))
def test_while_it_is_watched(shop: Workshop, tmp_path: Path, seed: int) -> None:
    folder = Folder(tmp_path / "docs", seed)
    shop.library.start(watch=True)
    shop.library.add([folder.root])
    for _ in range(_STEPS):
        folder.step()
        time.sleep(folder.chance.choice([0.0, 0.0, 0.05, 0.3]))
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        time.sleep(0.6)
        assert shop.library.wait_settled(_SECONDS)
        if stored(shop) == folder.contents():
            break
    assert stored(shop) == folder.contents()


@pytest.mark.parametrize("seed", range(3))
def test_while_it_is_closed(shop: Workshop, tmp_path: Path, seed: int) -> None:
    folder = Folder(tmp_path / "docs", 100 + seed)
    shop.library.index([folder.root])
    for _ in range(4):
        shop.reopen()
        for _ in range(_STEPS // 4):
            folder.step()
        report = shop.library.index()
        assert stored(shop) == folder.contents()
        changed = report.added + report.updated + report.moved
        assert changed + report.unchanged == len(folder.contents())
    shop.reopen()
    for path in folder.contents():
        os.utime(path)
    assert shop.library.index().embedded == 0
    assert stored(shop) == folder.contents()
    assert shop.store.verify().ok
