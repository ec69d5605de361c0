"""A library in one file: a zip archive with a manifest and a copy of the database."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

from desktop_rag.foundation.atomic import file_checksum
from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.schema import SCHEMA_VERSION

FORMAT = 1
"""Raised when an older program could not read what this one writes."""

_KIND = "desktop-rag library"
_MANIFEST = "manifest.json"
_DATABASE = "library.db"
_MOST_MANIFEST_BYTES = 1 << 20
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a portable library holds.

    ``schema`` is the version of the database's tables, ``bytes`` and ``sha256`` are those
    of the database; ``counts`` are for people.
    """

    bytes: int
    sha256: str
    schema: int = SCHEMA_VERSION
    format: int = FORMAT
    kind: str = _KIND
    counts: Mapping[str, int] = field(default_factory=dict)


def write_portable(database: Path, target: Path, counts: Mapping[str, int]) -> None:
    """Write a database and its manifest into one file that its owner alone can read.

    Raises:
        OSError: the disk is full, or the place cannot be written.
    """
    manifest = Manifest(database.stat().st_size, file_checksum(database), counts=counts)
    target.touch(mode=0o600)
    # Texts shrink to a third; vectors hardly do, so that more effort would be for nothing.
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(_MANIFEST, json.dumps(asdict(manifest), indent=2))
        archive.write(database, _DATABASE)


def read_portable(source: Path, target: Path) -> Manifest:
    """Write the database of a portable library to ``target`` and return its manifest.

    Raises:
        KnownError: the file is no portable library, of a newer version, or not as it was
            written.
        OSError: it cannot be read, or the disk is full.
    """
    with _failures_told(source), zipfile.ZipFile(source) as archive:
        manifest = _manifest(archive, source)
        digest = hashlib.sha256()
        left = manifest.bytes
        with archive.open(_DATABASE) as packed, _private(target) as file:
            while piece := packed.read(_READ_BYTES):
                left -= len(piece)
                if left < 0:
                    break
                digest.update(piece)
                file.write(piece)
        if left or digest.hexdigest() != manifest.sha256:
            raise _damaged(source)
    return manifest


def _manifest(archive: zipfile.ZipFile, source: Path) -> Manifest:
    """Read the manifest before anything else is looked at."""
    with archive.open(_MANIFEST) as packed:
        fields = json.loads(packed.read(_MOST_MANIFEST_BYTES))
    if not isinstance(fields, dict) or fields.get("kind") != _KIND:
        raise _damaged(source)
    if int(fields["format"]) > FORMAT or int(fields["schema"]) > SCHEMA_VERSION:
        raise KnownError(
            "Made by a newer version",
            f"“{source.name}” was made by a newer version of the program. Install that "
            "version to import it; nothing was changed.",
            str(source),
        )
    return Manifest(
        int(fields["bytes"]), str(fields["sha256"]), int(fields["schema"]), int(fields["format"])
    )


@contextmanager
def _failures_told(source: Path) -> Iterator[None]:
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        KeyError,
        TypeError,
        ValueError,
        NotImplementedError,  # a way of packing that zipfile does not know
        RuntimeError,  # a password
    ) as error:
        raise _damaged(source) from error


def _private(path: Path) -> IO[bytes]:
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _damaged(source: Path) -> KnownError:
    return KnownError(
        "Not an exported library",
        f"“{source.name}” is not a library that was exported by this program, or it is "
        "damaged. Copy or export it again; nothing was changed.",
        str(source),
    )
