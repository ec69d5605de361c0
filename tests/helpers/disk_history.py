"""Random histories of a folder: what people and their programs do to files."""

from __future__ import annotations

import os
import random
import shutil
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

from tests.helpers.library_parts import Workshop

_FOLDERS = ("", "a", "a/b", "下层", "x y")
_NAMES = ("note", "Report", "笔记", "caf\u00e9", "a b")
_SECONDS = 60.0
_SIZE = 400
"""Bytes; every file is filled up to it, so that one may take the place of another unseen."""


class DiskHistory:
    """Does one random thing after the other to a folder of text files.

    Args:
        root: the folder; made here.
        outside: a folder beside it on the same disk, where files go to and come from.
        seed: the same one gives the same history.
    """

    def __init__(self, root: Path, outside: Path, seed: int) -> None:
        self.root, self.outside = root, outside
        self.chance = random.Random(seed)
        self.steps: list[str] = []
        self._serial = 0
        for folder in (root, outside):
            folder.mkdir(parents=True)

    def step(self) -> None:
        """Do one thing; its name is added to ``steps``."""
        act = self.chance.choice(_ACTS)
        self.steps.append(act.__name__)
        act(self)

    def add(self) -> None:
        self._new_path().write_text(self._text(), "utf-8")

    def edit(self) -> None:
        if path := self._any():
            parts = path.read_text("utf-8").split("\n\n")
            parts[self.chance.randrange(len(parts))] = self._sentence()
            path.write_text("\n\n".join(parts), "utf-8")

    def append_in_pieces(self) -> None:
        if path := self._any():
            with path.open("a", encoding="utf-8") as file:
                for _ in range(3):
                    file.write(f"\n\n{self._sentence()}")
                    file.flush()

    def replace_atomically(self) -> None:
        if path := self._any():
            temporary = path.with_name(f".{path.name}.tmp")
            temporary.write_text(self._text(), "utf-8")
            temporary.replace(path)

    def save_with_a_backup(self) -> None:
        if path := self._any():
            path.replace(path.with_name(f"{path.name}~"))
            path.write_text(self._text(), "utf-8")

    def swap_unseen(self) -> None:
        """Another text of the same size, with the old time put back."""
        if path := self._any():
            before = path.stat()
            data = self._text().encode()[: before.st_size].ljust(before.st_size)
            path.write_bytes(data.decode(errors="ignore").encode().ljust(before.st_size))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def exchange_two(self) -> None:
        one, other = self._any(), self._any()
        if one and other and one != other:
            between = self.outside / "between"
            one.rename(between)
            other.rename(one)
            between.rename(other)

    def rename(self) -> None:
        if path := self._any():
            path.rename(self._new_path())

    def change_case(self) -> None:
        if path := self._any():
            self._rename_unless_there(path, path.with_name(path.name.swapcase()))

    def change_normal_form(self) -> None:
        if path := self._any():
            form = self.chance.choice(("NFC", "NFD"))
            self._rename_unless_there(path, path.with_name(unicodedata.normalize(form, path.name)))

    def rename_folder(self) -> None:
        if folder := self._any_folder():
            folder.rename(self.root / f"folder {self._number()}")

    def move_out(self) -> None:
        if path := self._any_folder() or self._any():
            path.rename(self.outside / f"{self._number()} {path.name}")

    def move_in(self) -> None:
        for path in sorted(self.outside.iterdir())[:1]:
            path.rename(self.root / path.name)

    def copy(self) -> None:
        if path := self._any():
            shutil.copyfile(path, self._new_path())

    def copy_folder(self) -> None:
        if folder := self._any_folder():
            shutil.copytree(folder, self.root / f"copy {self._number()}", symlinks=True)

    def touch(self) -> None:
        if path := self._any():
            os.utime(path)

    def delete(self) -> None:
        if path := self._any():
            path.unlink()

    def delete_folder(self) -> None:
        if folder := self._any_folder():
            shutil.rmtree(folder)

    def link(self) -> None:
        if path := self._any():
            (self.root / f"link {self._number()}.txt").symlink_to(path)

    def link_in_a_circle(self) -> None:
        (self.root / f"circle {self._number()}").symlink_to(self.root)

    def leave_what_is_ignored(self) -> None:
        for name in (f"~$note{self._number()}.docx", ".hidden.txt", "build.tmp"):
            (self.root / name).write_text(self._text(), "utf-8")
        below = self.root / "node_modules"
        below.mkdir(exist_ok=True)
        (below / "module.txt").write_text(self._text(), "utf-8")

    def empty(self) -> None:
        if path := self._any():
            path.write_text("", "utf-8")

    def spoil(self) -> None:
        if path := self._any():
            path.write_text("DAMAGED", "utf-8")

    def files(self) -> list[Path]:
        """The files that a library lists, in a stable order."""
        return sorted(
            Path(folder, name)
            for folder, _, names in os.walk(self.root)
            if "node_modules" not in folder
            for name in names
            if name.lower().endswith(".txt")
            and not name.startswith((".", "~$"))
            and not Path(folder, name).is_symlink()
        )

    def _any(self) -> Path | None:
        files = self.files()
        return self.chance.choice(files) if files else None

    def _any_folder(self) -> Path | None:
        folders = sorted(
            path
            for path in self.root.rglob("*")
            if path.is_dir() and not path.is_symlink() and "node_modules" not in path.parts
        )
        return self.chance.choice(folders) if folders else None

    def _rename_unless_there(self, old: Path, new: Path) -> None:
        if not new.exists():
            old.rename(new)

    def _new_path(self) -> Path:
        folder = self.root / self.chance.choice(_FOLDERS)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.chance.choice(_NAMES)} {self._number()}.txt"

    def _number(self) -> int:
        self._serial += 1
        return self._serial

    def _sentence(self) -> str:
        return f"Sentence {self.chance.randrange(300)} of the register"

    def _text(self) -> str:
        parts = [self._sentence() for _ in range(self.chance.randint(1, 6))]
        return "\n\n".join(parts).ljust(_SIZE)


_ACTS: tuple[Callable[[DiskHistory], None], ...] = (
    *(DiskHistory.add,) * 4,
    *(DiskHistory.edit,) * 3,
    DiskHistory.append_in_pieces,
    DiskHistory.replace_atomically,
    DiskHistory.save_with_a_backup,
    DiskHistory.swap_unseen,
    DiskHistory.exchange_two,
    *(DiskHistory.rename,) * 2,
    DiskHistory.change_case,
    DiskHistory.change_normal_form,
    DiskHistory.rename_folder,
    DiskHistory.move_out,
    DiskHistory.move_in,
    DiskHistory.copy,
    DiskHistory.copy_folder,
    DiskHistory.touch,
    *(DiskHistory.delete,) * 2,
    DiskHistory.delete_folder,
    DiskHistory.link,
    DiskHistory.link_in_a_circle,
    DiskHistory.leave_what_is_ignored,
    DiskHistory.empty,
    DiskHistory.spoil,
)


Passage = tuple[int, int, str]
LibraryState = dict[str, tuple[str, str, tuple[Passage, ...]]]
"""By path: the file's state, its text, and its passages as (start, end, text)."""


def library_state(shop: Workshop) -> LibraryState:
    """Return all that a library holds of the disk, in a form that two can be compared by."""
    state: LibraryState = {}
    for record in shop.library.files():
        text, passages = "", []
        if record.document_id is not None:
            stored = shop.store.document(record.document_id)
            assert stored is not None
            text = stored.text
            for one in shop.store.segments_of_document(record.document_id):
                place = one.segment.place
                assert place is not None
                passages.append((place.start, place.end, one.segment.text))
        state[record.path] = (record.status.value, text, tuple(passages))
    return state


def follow(folder: Path, seed: int, watched: bool, rounds: int = 3, steps: int = 5) -> None:
    """Hold a library to a random history: after each round it is what a new one would be.

    Args:
        folder: an empty one, for all that is made.
        seed: which history; an assertion that fails says it.
        watched: whether the library hears of the steps, or was closed meanwhile.
        rounds: how often it is compared.
        steps: in each round.
    """
    history = DiskHistory(folder / "disk", folder / "outside", seed)
    shop = Workshop(folder / "data")
    try:
        shop.library.start(watch=watched)
        shop.library.index([history.root])
        for number in range(rounds):
            if not watched:
                shop.close()
            for _ in range(steps):
                history.step()
                time.sleep(history.chance.choice((0.0, 0.0, 0.05)) if watched else 0.0)
            if not watched:
                shop.open()
                shop.library.start(watch=False)
            _settle(shop, history.root / f"mark{number}.txt" if watched else None)
            told = f"seed {seed}, watched {watched}: {history.steps}"
            fresh = fresh_state(folder / f"fresh{number}", history.root)
            assert library_state(shop) == fresh, told
            assert shop.store.verify().problems == (), told
    finally:
        shop.close()


def _settle(shop: Workshop, mark: Path | None) -> None:
    """Wait until what was done is done; ``mark``: a file that is heard of after all of it."""
    if mark is not None:
        mark.write_text("The mark", "utf-8")
        until = time.monotonic() + _SECONDS
        while shop.paths().get(mark.name) != "ready" and time.monotonic() < until:
            time.sleep(0.05)
    assert shop.library.wait_settled(_SECONDS)


def fresh_state(data_dir: Path, root: Path) -> LibraryState:
    """Return what a new library makes of the disk as it is."""
    shop = Workshop(data_dir)
    try:
        shop.library.index([root])
        return library_state(shop)
    finally:
        shop.close()
