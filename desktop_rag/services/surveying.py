"""Counting what is about to be added, before any of it is read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desktop_rag.domain.files import FileStat, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.scan import SourceScanner

OnCount = Callable[[int], None]
"""Called with the number of files counted so far, now and then."""

_BIG_FILES = 20_000
_BIG_BYTES = 5_000_000_000
_BIG_SECONDS = 1800.0
"""More than people take for a folder of documents: a home folder, a disk, a mail archive. Half
an hour is what one waits for while doing something else."""

_CHARACTERS_PER_BYTE = {
    **dict.fromkeys(("docx", "docm", "odt", "epub", "fb2", "mobi"), 0.8),
    **dict.fromkeys(("xlsx", "xlsm", "ods"), 1.5),
    **dict.fromkeys(("pptx", "odp", "ppt", "doc", "xls"), 0.05),
    **dict.fromkeys(("html", "htm", "mhtml", "xml", "ipynb", "rtf", "eml", "msg", "mbox"), 0.4),
    "pdf": 0.2,
    "zip": 0.5,
    **dict.fromkeys(("txt", "md", "rst", "org", "adoc", "tex", "log"), 1.0),
    **dict.fromkeys(("csv", "tsv", "json", "jsonl", "yaml", "yml", "toml", "srt", "vtt"), 1.0),
    **dict.fromkeys(("py", "java", "c", "h", "cpp", "js", "ts", "go", "rs", "sql", "sh"), 1.0),
}
"""What there is to read in files of a kind, from the shared documents (docs/measurements.md) and,
for what those lack, from files made by the usual programs. Pictures make most of the spread."""

_MOST_CHARACTERS = 12_000_000
"""Of one file (the limit in the settings is 48 MB of UTF-8): no longer document is read whole."""

_TOKENS_PER_CHARACTER = 0.3
_TOKENS_PER_SECOND = 5_000
"""Of one processor, measured with the English model (docs/measurements.md)."""

_SECONDS_PER_FILE = 0.003
_BYTES_PER_TOKEN = 80
"""Of the library: a passage of 75 tokens takes 5.8 kB with its vector and in both indexes."""

_RESERVE = 500_000_000
"""Bytes that are left free: a full disk harms other programs, too."""

_TELL_EVERY = 500


@dataclass(frozen=True, slots=True)
class Survey:
    """What was counted, and estimates of what reading it takes.

    ``bytes`` are those of the files, ``library_bytes`` what the library will grow by,
    ``free_bytes`` what the disk of the library has left.
    """

    files: int
    bytes: int
    seconds: float
    library_bytes: int
    free_bytes: int

    @property
    def big(self) -> bool:
        """Whether it is so much that one should be asked first."""
        return (
            self.files > _BIG_FILES
            or self.bytes > _BIG_BYTES
            or self.seconds > _BIG_SECONDS
            or self.too_little_room
        )

    @property
    def too_little_room(self) -> bool:
        """Whether the library would not fit on its disk."""
        return self.library_bytes + _RESERVE > self.free_bytes

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
    on_count: OnCount | None = None,
    cancel: CancelToken | None = None,
) -> Survey:
    """Count files and folders as they would be read; nothing is opened.

    Args:
        paths: absolute; what is not there counts nothing.
        data_dir: the library's folder, which is not counted and whose disk must have room.
        most_megabytes: a larger file is not read, and not counted.
        on_count: told how many there are so far.
        cancel: ends it early.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    counter = _Counter(most_megabytes * 1_000_000, on_count)
    for path in _outermost(paths):
        scanner = SourceScanner(Source(0, path, os.path.isdir(path)), (data_dir,))
        scanner.on_file = partial(counter.count, path)
        scanner.scan(cancel=cancel)
    tokens = counter.characters * _TOKENS_PER_CHARACTER
    speed = _TOKENS_PER_SECOND * (os.cpu_count() or 1)
    return Survey(
        files=counter.files,
        bytes=counter.bytes,
        seconds=tokens / speed + counter.files * _SECONDS_PER_FILE,
        library_bytes=round(tokens * _BYTES_PER_TOKEN),
        free_bytes=shutil.disk_usage(_existing(data_dir)).free,
    )


class _Counter:
    """Adds up files as they are met."""

    def __init__(self, most_bytes: int, on_count: OnCount | None) -> None:
        self._most_bytes = most_bytes
        self._on_count = on_count
        self.files = self.bytes = 0
        self.characters = 0.0

    def count(self, source: str, relpath: str, stat: FileStat) -> None:
        """Add a file of a source."""
        if stat.size > self._most_bytes:
            return
        self.files += 1
        self.bytes += stat.size
        kind = (relpath or source).rpartition(".")[2].lower()
        characters = stat.size * _CHARACTERS_PER_BYTE.get(kind, 0.0)
        self.characters += min(characters, _MOST_CHARACTERS)
        if self._on_count is not None and self.files % _TELL_EVERY == 0:
            self._on_count(self.files)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Leave out what lies in another of these folders, and what is there twice."""
    real: Sequence[Path] = sorted({Path(os.path.realpath(path)) for path in paths})
    return [str(p) for p in real if not any(q in p.parents for q in real)]


def _existing(folder: Path) -> Path:
    """Return a folder, or the first one above it that is there."""
    return next(place for place in (folder, *folder.parents) if place.exists())
