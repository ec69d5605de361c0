"""Zip files as parsers need them: bounded, also when sizes lie, and readable when cut off."""

from __future__ import annotations

import errno
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from desktop_rag.ingestion.parsers.encodings import decode
from desktop_rag.ingestion.parsers.limits import limits_in_force
from desktop_rag.ingestion.parsers.problems import damaged, needs_password, unpacks_to_too_much

_LOCAL_HEADER = re.compile(rb"PK\x03\x04.{26}", re.DOTALL)
_ENCRYPTED = 0x1
_UTF8 = 0x800
"""Flags of an entry (APPNOTE.TXT 4.4.4)."""

_FIRST_CODE_PAGE = "cp437"
_OF_SEVERAL_BYTES = frozenset({"utf-8", "gb18030", "big5", "shift_jis", "euc_kr"})
"""Encodings that are told by their look; one of single bytes looks like any other."""
_PIECE = 65_536
_LONGEST_NAME = 1024
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError)
"""What is raised for a broken archive; a method that is not implemented is a RuntimeError."""

_KNOWN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much an archive may unpack to, in bytes actually unpacked.

    ``total`` is over everything that is read, ``part`` for a part that is read whole (parts
    that are streamed are held by ``total`` alone), ``entries`` for the number of parts.
    Beyond ``fair`` bytes an archive may not unpack to more than ``ratio`` times its size:
    XML of documents packs ten to forty times, what was made to do harm up to a thousand.
    """

    total: int = field(default_factory=lambda: limits_in_force().unpacked)
    part: int = 64 << 20
    entries: int = 20_000
    fair: int = 128 << 20
    ratio: int = 100


class BrokenPart(Exception):  # noqa: N818  - what was read before it may still be used
    """A part of an archive cannot be unpacked to its end."""


class Archive:
    """A zip file whose parts are unpacked within limits.

    Sizes that the file declares are not believed: what comes out is counted. A file without
    its directory at the end (a download that broke off) is read from the front, as far as it
    goes; ``salvaged`` tells so.

    Raises:
        KnownError: it is no zip file, has too many parts, or needs a password.
        OSError: the file could not be read.
    """

    def __init__(
        self, source: Path | bytes, name: str, limits: ArchiveLimits | None = None
    ) -> None:
        self._limits = limits or ArchiveLimits()
        self._name = name
        self._unpacked = 0
        self._content: bytes = b""
        self._offsets: dict[str, tuple[int, int]] = {}
        self._zip: zipfile.ZipFile | None = None
        try:
            with _told_as_broken():
                file = io.BytesIO(source) if isinstance(source, bytes) else source
                self._zip = zipfile.ZipFile(file)
                self.names = tuple(self._zip.namelist())
        except BrokenPart:
            self._content = source if isinstance(source, bytes) else source.read_bytes()
            self._offsets = dict(_local_parts(self._content))
            self.names = tuple(self._offsets)
        if not self.names:
            raise damaged(name)
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        self._most = max(self._limits.fair, self._limits.ratio * size)
        if len(self.names) > self._limits.entries or self._declared() > self._most:
            self.close()
            raise unpacks_to_too_much(name)

    @property
    def salvaged(self) -> bool:
        """Whether the end of the archive is missing."""
        return self._zip is None

    def __contains__(self, part: str) -> bool:
        return part in self.names

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._zip is not None:
            self._zip.close()

    def read(self, part: str) -> bytes:
        """Return a whole part.

        Raises:
            KeyError: there is no such part.
            KnownError: it is larger than a part may be, or needs a password.
            BrokenPart: it cannot be unpacked to its end.
        """
        with self.open(part) as stream:
            content = stream.read(self._limits.part + 1)
        if len(content) > self._limits.part:
            raise unpacks_to_too_much(self._name)
        return content

    def open(self, part: str) -> PartStream:
        """Open a part for streaming; reading it raises as ``read`` does."""
        return PartStream(self._raw(part), self)

    def is_locked(self, part: str) -> bool:
        """Whether a part needs a password."""
        return self._zip is not None and bool(self._zip.getinfo(part).flag_bits & _ENCRYPTED)

    def shown(self, part: str) -> str:
        """Return a part's name as its author wrote it.

        Without the flag for UTF-8 zipfile takes it for the one code page of the first zip
        programs; most others wrote it in that of their own country.
        """
        if self._zip is None or part.isascii() or self._zip.getinfo(part).flag_bits & _UTF8:
            return part
        try:
            written = decode(part.encode(_FIRST_CODE_PAGE))
        except UnicodeEncodeError:
            return part
        return written.text if written.encoding in _OF_SEVERAL_BYTES else part

    def count(self, unpacked: int) -> None:
        """Count bytes that were unpacked; raises ``KnownError`` beyond the limit."""
        self._unpacked += unpacked
        if self._unpacked > min(self._limits.total, self._most):
            raise unpacks_to_too_much(self._name)

    def _declared(self) -> int:
        """Return what the parts say that they unpack to: a bomb need not be lit to be seen."""
        return 0 if self._zip is None else sum(info.file_size for info in self._zip.infolist())

    def _raw(self, part: str) -> IO[bytes] | _Inflating:
        if self._zip is None:
            return _Inflating(self._content, *self._offsets[part])
        info = self._zip.getinfo(part)
        if info.flag_bits & _ENCRYPTED:
            raise needs_password(self._name, "the program that made it")
        with _told_as_broken():
            return self._zip.open(info)


class PartStream:
    """A part of an archive being unpacked; what comes out is counted."""

    def __init__(self, raw: IO[bytes] | _Inflating, archive: Archive) -> None:
        self._raw = raw
        self._archive = archive

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, all that is left for -1; b"" at the end."""
        pieces: list[bytes] = []
        left = size
        while left != 0:
            piece = self._piece(_PIECE if left < 0 else min(left, _PIECE))
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece) if left > 0 else 0
        return b"".join(pieces)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._raw.close()

    def _piece(self, size: int) -> bytes:
        with _told_as_broken():
            piece = self._raw.read(size)
        self._archive.count(len(piece))
        return piece


class _Inflating:
    """Unpacks what follows a local header, to the end of its data or of the file."""

    def __init__(self, content: bytes, start: int, method: int) -> None:
        self._content = content
        self._place = start
        self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        self._stored = method == zipfile.ZIP_STORED
        self._end = content.find(b"PK\x03\x04", start) if self._stored else len(content)
        if self._end < 0:
            self._end = len(content)

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes; raises ``EOFError`` where the file is cut off."""
        if self._stored:
            piece = self._content[self._place : min(self._end, self._place + size)]
            self._place += len(piece)
            return piece
        while not self._inflater.eof:
            packed = self._inflater.unconsumed_tail
            if not packed:
                packed = self._content[self._place : self._place + _PIECE]
                self._place += len(packed)
            if not packed:
                raise EOFError("the file is cut off")
            piece = self._inflater.decompress(packed, size)
            if piece:
                return piece
        return b""

    def close(self) -> None:
        """Nothing is held open."""


@contextmanager
def _told_as_broken() -> Iterator[None]:
    """Raise ``BrokenPart`` for whatever zipfile raises where a file is not built as it should be.

    In a file that is open, a place before its beginning is an error of the system's.
    """
    try:
        yield
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        raise BrokenPart from error
    except _BROKEN as error:
        raise BrokenPart from error


def _local_parts(content: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield (name, (where its data begins, method)) of each local header of a zip file."""
    seen: set[str] = set()
    for match in _LOCAL_HEADER.finditer(content):
        flags, method = struct.unpack_from("<HH", content, match.start() + 6)
        name_size, extra_size = struct.unpack_from("<HH", content, match.start() + 26)
        start = match.end()
        raw = content[start : start + name_size]
        if flags & _ENCRYPTED or method not in _KNOWN_METHODS or len(raw) > _LONGEST_NAME:
            continue
        name = raw.decode("utf-8", "replace")
        if name and name not in seen:
            seen.add(name)
            yield name, (start + name_size + extra_size, method)
