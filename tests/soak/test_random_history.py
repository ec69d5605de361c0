"""Random histories of a folder, with kills at any moment: the library equals the disk.

``make soak`` runs it for an hour; ``make soak ARGS='--soak-minutes 5 --soak-seed 42'`` for
five minutes with a history that can be had again. Each round changes the folder, lets the
product follow (sometimes killing it in the middle), and then holds it to what is on disk.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_LETTERS = "bcdfghjklmnprstvwz"


@dataclass
class Folder:
    """A folder under change, and the one word of each file that no other file has."""

    root: Path
    chance: random.Random
    words: dict[Path, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)

    def change(self) -> None:
        """Do one thing that a user might do."""
        acts = [self.write, self.write, self.copy_as_another, self.drop_all_below]
        if self.words:
            acts += [self.edit, self.edit, self.delete, self.rename, self.replace_quietly]
        self.chance.choice(acts)()

    def write(self) -> None:
        self._put(self._new_path(), self._word())

    def edit(self) -> None:
        path = self._any()
        self.gone.append(self.words[path])
        self._put(path, self._word())

    def replace_quietly(self) -> None:
        """Another text of the same size, with the old time put back."""
        path = self._any()
        before, size = path.stat(), path.stat().st_size
        self.gone.append(self.words[path])
        self._put(path, self._word(), size)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def copy_as_another(self) -> None:
        self._put(self._new_path().with_suffix(".md"), self._word())

    def delete(self) -> None:
        path = self._any()
        path.unlink()
        self.gone.append(self.words.pop(path))

    def rename(self) -> None:
        old, new = self._any(), self._new_path()
        old.rename(new)
        self.words[new] = self.words.pop(old)

    def drop_all_below(self) -> None:
        folder = self.root / self.chance.choice("abc")
        if folder.is_dir() and self.chance.random() < 0.2:
            shutil.rmtree(folder)
            for path in [path for path in self.words if path.is_relative_to(folder)]:
                self.gone.append(self.words.pop(path))

    def _any(self) -> Path:
        return self.chance.choice(sorted(self.words))

    def _word(self) -> str:
        return "".join(self.chance.choices(_LETTERS, k=3)) + "".join(
            self.chance.choices("aeiou" + _LETTERS, k=9)
        )

    def _new_path(self) -> Path:
        folder = self.root / self.chance.choice("abc") / self.chance.choice(["", "下层", "x y"])
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.chance.choice(['note', '笔记', 'a b'])} {self._word()}.txt"

    def _put(self, path: Path, word: str, size: int | None = None) -> None:
        sentence = f"The register calls it {word}. Nothing else is known about it.\n"
        filler = "It was written down by hand. " * self.chance.randint(0, 40)
        text = sentence + filler
        path.write_text(text if size is None else text[:size].ljust(size), "utf-8")
        self.words[path] = word


@dataclass(frozen=True)
class Product:
    """The command line on one library."""

    data_dir: Path

    def command(self, *arguments: str) -> list[str]:
        program = [sys.executable, "-m", "desktop_rag", "--data-dir", str(self.data_dir)]
        return [*program, *arguments, "--json"]

    def run(self, *arguments: str) -> dict[str, Any]:
        run = subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        result = json.loads(run.stdout)
        assert isinstance(result, dict)
        return result

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*arguments),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def interrupt_at_random(product: Product, folder: Folder) -> None:
    """Let the product follow the folder, and end it at some moment, mostly by a kill."""
    with product.start(*folder.chance.choice([("watch",), ("index", str(folder.root))])) as process:
        time.sleep(folder.chance.uniform(0.1, 6.0))
        for _ in range(folder.chance.randint(0, 5)):
            folder.change()
            time.sleep(folder.chance.uniform(0.0, 0.5))
        process.send_signal(folder.chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
        process.wait()


def hold_to_the_disk(product: Product, folder: Folder) -> None:
    """Check that every file is there and found by its word, and that nothing else is."""
    product.run("index", str(folder.root))
    listed = {Path(entry["path"]): entry["status"] for entry in product.run("files")["files"]}
    assert listed == dict.fromkeys(folder.words, "ready")
    for path in folder.chance.sample(sorted(folder.words), min(10, len(folder.words))):
        found = product.run("search", folder.words[path], "--mode", "keyword")["results"]
        assert {Path(result["path"]) for result in found} == {path}
    for word in folder.chance.sample(folder.gone, min(10, len(folder.gone))):
        assert product.run("search", word, "--mode", "keyword")["results"] == []
    report = product.run("verify")
    assert report["ok"], report["problems"]


def words_left(product: Product, folder: Folder) -> list[str]:
    """Return the removed words that are still somewhere in the data folder."""
    stored = b"".join(
        path.read_bytes() for path in sorted(product.data_dir.rglob("*")) if path.is_file()
    )
    return [word for word in folder.gone if word.encode() in stored]


def test_the_library_equals_the_disk_after_any_history(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    minutes = request.config.getoption("--soak-minutes")
    seed = request.config.getoption("--soak-seed") or random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    folder = Folder(tmp_path / "我的 files", random.Random(seed))
    folder.root.mkdir()
    product = Product(tmp_path / "data")
    product.run("index", str(folder.root))
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        for _ in range(folder.chance.randint(1, 15)):
            folder.change()
        for _ in range(folder.chance.randint(0, 2)):
            interrupt_at_random(product, folder)
        hold_to_the_disk(product, folder)
    assert words_left(product, folder) == []
