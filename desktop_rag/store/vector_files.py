"""A graph on the disk: hnswlib's own file, and a header that says what it must be.

The header names the file, its size and its checksum, and is renamed into place after
the file is safe. So whenever the process ends, the header stands for one whole file or
for none, and any other file in the folder is a leftover.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from desktop_rag.store.database import make_private

log = logging.getLogger(__name__)

FORMAT = 1
_HEADER = "header.json"
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class GraphHeader:
    """What a saved graph holds: ``change`` is the change of the library it has reached."""

    library: str
    space: str
    dimension: int
    count: int
    deleted: tuple[int, ...]
    change: int
    file: str = ""
    bytes: int = 0
    checksum: str = ""
    format: int = FORMAT


class GraphFiles:
    """One space's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, header: GraphHeader, write: Callable[[str], None]) -> GraphHeader:
        """Have ``write`` write the graph to a path, then put it into force; atomically."""
        make_private(self._folder)
        path = self._folder / f"graph-{secrets.token_hex(8)}.hnsw"
        part = path.with_suffix(".part")
        write(str(part))
        _sync(part)
        part.replace(path)
        complete = replace(
            header, file=path.name, bytes=path.stat().st_size, checksum=_checksum(path)
        )
        self._put_header(complete)
        self._sweep(keep=path.name)
        return complete

    def load(self) -> tuple[GraphHeader, Path] | None:
        """Return the header and the file, None when there is none or it is not whole."""
        try:
            header = GraphHeader(**json.loads((self._folder / _HEADER).read_text("ascii")))
            path = self._folder / header.file
            whole = (
                header.format == FORMAT
                and path.stat().st_size == header.bytes
                and _checksum(path) == header.checksum
            )
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as error:
            log.warning("a saved graph has no readable header (%s)", error)
            return None
        if not whole:
            log.warning("a saved graph is damaged")
            return None
        self._sweep(keep=path.name)
        return header, path

    def remove(self) -> None:
        """Remove whatever is saved."""
        (self._folder / _HEADER).unlink(missing_ok=True)
        self._sweep(keep="")

    def _put_header(self, header: GraphHeader) -> None:
        part = self._folder / f"{_HEADER}.part"
        part.write_text(json.dumps(asdict(header)), "ascii")
        _sync(part)
        part.replace(self._folder / _HEADER)
        _sync_folder(self._folder)

    def _sweep(self, keep: str) -> None:
        for path in self._folder.glob("*"):
            if path.name not in (keep, _HEADER):
                path.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make renames durable; Windows does so by itself and opens no folders."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _checksum(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while piece := file.read(_READ_BYTES):
            digest.update(piece)
    return digest.hexdigest()
