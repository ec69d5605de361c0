"""Counting what is about to be added, before any of it is read."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desktop_rag.domain.files import FileStat, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.effort import CHARACTERS_PER_BYTE, TOKENS_PER_CHARACTER
from desktop_rag.ingestion.listing import join
from desktop_rag.ingestion.scan import SourceScanner

OnCount = Callable[[int], None]
"""Called with the number of files counted so far, now and then."""

_BIG_FILES = 20_000
_BIG_BYTES = 5_000_000_000
_BIG_SECONDS = 1800.0
"""More than people take for a folder of documents: a home folder, a disk, a mail archive. Half
an hour is what one waits for while doing something else."""

_MOST_CHARACTERS = 12_000_000
"""Of one file (the limit in the settings is 48 MB of UTF-8): no longer document is read whole."""

_TOKENS_PER_SECOND = 5_000
"""Of one processor, measured with the English model (docs/measurements.md)."""

_SECONDS_PER_FILE = 0.003
_BYTES_PER_TOKEN = 80
"""Of the library: a passage of 75 tokens takes 5.8 kB with its vector and in both indexes."""

_RESERVE = 500_000_000
"""Bytes that are left free: a full disk harms other programs, too."""

_TELL_EVERY = 500


@dataclass(frozen=True, slots=True)
class Count:
    """So many files with so many bytes: of a kind (a suffix in lower case), or at a path."""

    name: str
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What was counted of what is not in the library yet, and estimates of reading it.

    ``bytes`` are those of the files, ``library_bytes`` what the library will grow by,
    ``free_bytes`` what the disk of the library has left. ``known``: files that the library
    has already. ``kinds``: by suffix, the most files first. ``parts``: the folders in the one
    folder that was asked about, or the paths themselves where there are several, by path.
    ``everything``: the user's home is among them, or a folder around it, and is no source yet.
    """

    files: int
    bytes: int
    seconds: float
    library_bytes: int
    free_bytes: int
    known: int = 0
    kinds: tuple[Count, ...] = ()
    parts: tuple[Count, ...] = ()
    everything: bool = False

    @property
    def big(self) -> bool:
        """Whether it is so much that one should be asked first."""
        return self.files > 0 and (
            self.everything
            or self.files > _BIG_FILES
            or self.bytes > _BIG_BYTES
            or self.seconds > _BIG_SECONDS
            or self.too_little_room
        )

    @property
    def too_little_room(self) -> bool:
        """Whether the library would not fit on its disk."""
        return self.files > 0 and self.library_bytes + _RESERVE > self.free_bytes

    def check_room(self, data_dir: Path) -> None:
        """Refuse what does not fit.

        Raises:
            KnownError: there is too little room.
        """
        if self.too_little_room:
            needed, free = self.library_bytes / 1e9, self.free_bytes / 1e9
            raise KnownError(
                "Not enough room",
                f"Reading {self.files:,} files needs about {needed:.1f} GB on the disk of the "
                f"library, which has {free:.1f} GB left. Make room, or add fewer folders.",
                str(data_dir),
            )


def survey(
    paths: Iterable[str],
    data_dir: Path,
    most_megabytes: int,
    known: Collection[str] = (),
    on_count: OnCount | None = None,
    cancel: CancelToken | None = None,
) -> Survey:
    """Count files and folders as they would be read; nothing is opened.

    Args:
        paths: absolute; what is not there counts nothing.
        data_dir: the library's folder, which is not counted and whose disk must have room.
        most_megabytes: a larger file is not read, and not counted (``LibraryLimits``).
        known: real paths of files and sources that the library has already.
        on_count: told how many there are so far.
        cancel: ends it early.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    outermost = _outermost(paths)
    counter = _Counter(outermost, most_megabytes << 20, known, on_count)
    for path in outermost:
        scanner = SourceScanner(Source(0, path, os.path.isdir(path)), (data_dir,))
        scanner.on_file = partial(counter.count, path)
        scanner.scan(cancel=cancel)
    tokens = counter.characters * TOKENS_PER_CHARACTER
    speed = _TOKENS_PER_SECOND * (os.cpu_count() or 1)
    return Survey(
        files=counter.files,
        bytes=counter.bytes,
        seconds=tokens / speed + counter.files * _SECONDS_PER_FILE,
        library_bytes=round(tokens * _BYTES_PER_TOKEN),
        free_bytes=shutil.disk_usage(_existing(data_dir)).free,
        known=counter.known,
        kinds=counter.kinds,
        parts=counter.parts,
        everything=any(_holds_a_home(path) and path not in known for path in outermost),
    )


class _Counter:
    """Adds up files as they are met; by folder where there is one path alone."""

    def __init__(
        self,
        paths: Sequence[str],
        most_bytes: int,
        known: Collection[str],
        on_count: OnCount | None,
    ) -> None:
        self._alone = paths[0] if len(paths) == 1 else None
        self._most_bytes = most_bytes
        self._known = known
        self._on_count = on_count
        self._files_of_kind: Counter[str] = Counter()
        self._bytes_of_kind: Counter[str] = Counter()
        self._files_at: Counter[str] = Counter()
        self._bytes_at: Counter[str] = Counter()
        self.files = self.bytes = self.known = 0
        self.characters = 0.0

    @property
    def kinds(self) -> tuple[Count, ...]:
        """Files and bytes by suffix, the most files first."""
        files = sorted(self._files_of_kind.items(), key=lambda item: (-item[1], item[0]))
        return tuple(Count(kind, number, self._bytes_of_kind[kind]) for kind, number in files)

    @property
    def parts(self) -> tuple[Count, ...]:
        """Files and bytes by folder of the one path, or by path where there are several.

        What has nothing new, and files that lie beside the folders of the one, are left out.
        """
        places = sorted(place for place in self._files_at if place != self._alone)
        return tuple(Count(p, self._files_at[p], self._bytes_at[p]) for p in places)

    def count(self, source: str, relpath: str, stat: FileStat) -> None:
        """Add a file of a source."""
        if stat.size > self._most_bytes:
            return
        path = join(source, relpath)
        if path in self._known:
            self.known += 1
            return
        self.files += 1
        self.bytes += stat.size
        kind = os.path.splitext(path)[1].lstrip(".").lower()
        for files, sizes, name in (
            (self._files_of_kind, self._bytes_of_kind, kind),
            (self._files_at, self._bytes_at, self._part(source, relpath)),
        ):
            files[name] += 1
            sizes[name] += stat.size
        characters = stat.size * CHARACTERS_PER_BYTE.get(kind, 0.0)
        self.characters += min(characters, _MOST_CHARACTERS)
        if self._on_count is not None and self.files % _TELL_EVERY == 0:
            self._on_count(self.files)

    def _part(self, source: str, relpath: str) -> str:
        folder, slash, _ = relpath.partition("/")
        return join(source, folder) if slash and self._alone is not None else source


def _outermost(paths: Iterable[str]) -> list[str]:
    """Leave out what lies in another of these folders, and what is there twice."""
    real = {Path(os.path.realpath(path)) for path in paths}
    return [str(path) for path in sorted(real) if real.isdisjoint(path.parents)]


def _existing(folder: Path) -> Path:
    """Return a folder, or the first one above it that is there."""
    return next(place for place in (folder, *folder.parents) if place.exists())


def _holds_a_home(path: str) -> bool:
    """Whether a folder is the user's home, or around it: a disk, or all homes."""
    home = Path(os.path.realpath(os.path.expanduser("~")))
    return Path(path) in (home, *home.parents)
