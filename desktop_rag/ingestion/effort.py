"""How much there is to do for files, in tokens that the model reads.

Bytes say little: a page of a book takes 3 kB as text and a megabyte as a picture. What kinds of
files hold is learned while they are read, from a guess that is right for usual ones.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

CHARACTERS_PER_BYTE: Mapping[str, float] = {
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

TOKENS_PER_CHARACTER = 0.3

TOKENS_PER_FILE = 30
"""What finding, hashing and committing a file costs beside the model, in tokens it could read
meanwhile: 3 ms."""

_GUESS_BYTES = 200_000
"""Bytes of a kind after which what was seen counts more than the guess."""

_MOST_BYTES = 100_000
"""A larger file counts no more than one of this size: a book says little about other files."""


def kind_of(path: str) -> str:
    """Return what a file is guessed to be from its name: "pdf"."""
    return os.path.splitext(path)[1][1:].lower()


@dataclass(slots=True)
class Waiting:
    """Files of a kind that wait, and their bytes."""

    files: int = 0
    bytes: int = 0


class Effort:
    """Learns what kinds of files cost; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def learn(self, path: str, size: int, tokens: int) -> None:
        """A file of ``size`` bytes was read; the model gets so many tokens of it."""
        with self._lock:
            seen = self._seen[kind_of(path)]
            counted = min(size, _MOST_BYTES)
            seen[0] += counted
            seen[1] += tokens * counted / max(1, size)

    def of(self, waiting: Mapping[str, Waiting]) -> float:
        """Return the tokens that files which wait are going to cost, by kind."""
        with self._lock:
            known = {kind: tuple(seen) for kind, seen in self._seen.items()}
        total = 0.0
        for kind, files in waiting.items():
            guess = CHARACTERS_PER_BYTE.get(kind, 0.0) * TOKENS_PER_CHARACTER
            size, tokens = known.get(kind, (0.0, 0.0))
            density = (guess * _GUESS_BYTES + tokens) / (_GUESS_BYTES + size)
            total += files.files * TOKENS_PER_FILE + files.bytes * density
        return total


def by_kind(files: Iterable[tuple[str, int]]) -> dict[str, Waiting]:
    """Sort (kind, bytes) of files by kind."""
    found: defaultdict[str, Waiting] = defaultdict(Waiting)
    for kind, size in files:
        waiting = found[kind]
        waiting.files += 1
        waiting.bytes += size
    return dict(found)
