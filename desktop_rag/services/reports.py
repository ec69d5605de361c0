"""What the library tells its callers: results of a call, state, and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from desktop_rag.domain.files import Source
from desktop_rag.ingestion.progress import Progress, ProgressState

__all__ = [
    "FileProblem",
    "IndexReport",
    "LibraryEvent",
    "LibraryEventKind",
    "LibraryStatus",
    "Progress",
    "ProgressState",
    "Removal",
]

LibraryEventKind = Literal["progress", "files", "sources", "settled"]


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file, or one page of it, that was not read, and why in the user's words."""

    path: str
    page: int | None
    title: str
    message: str


@dataclass(frozen=True, slots=True)
class ModelChange:
    """What a changed language model has to read: so many passages, for about so long."""

    passages: int
    seconds: float


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one ``Library.index`` found and did.

    Files: ``added``, ``updated``, ``moved``, ``removed``, ``unchanged``, ``failed``
    and ``skipped`` (left out by a rule of the user's). ``segments`` are the passages
    of the documents that were read, ``embedded`` their distinct texts that needed the
    model, ``reused`` those whose vector existed, ``tokens`` the model's tokens of the
    embedded ones. ``problems`` are those of all files looked at, also of earlier runs.
    """

    added: int = 0
    updated: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0
    failed: int = 0
    skipped: int = 0
    segments: int = 0
    embedded: int = 0
    reused: int = 0
    tokens: int = 0
    seconds: float = 0.0
    problems: tuple[FileProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Removal:
    """What ``Library.remove`` did with one path.

    "source": the source and all its files are gone from the library. "ignored": the
    path lies inside a source, which now has a rule that leaves it out.
    """

    path: str
    kind: Literal["source", "ignored"]


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """The library in numbers; ``files`` counts all but the ignored ones.

    ``vectors`` counts those of all spaces; ``indexes`` tells for each derived index
    the change it has reached, its count and its state; ``bytes`` is the size on disk.
    ``ocr`` tells whether pages without text are recognised ("on", "off", "missing"),
    ``scanned`` counts the files that have such pages still.
    """

    sources: tuple[Source, ...] = ()
    files: int = 0
    ready: int = 0
    waiting: int = 0
    reading: int = 0
    failed: int = 0
    ignored: int = 0
    unavailable: int = 0
    segments: int = 0
    vectors: int = 0
    indexes: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)
    bytes: int = 0
    notes: tuple[str, ...] = ()
    ocr: str = "missing"
    scanned: int = 0


@dataclass(frozen=True, slots=True)
class LibraryEvent:
    """Something changed; ``file_ids`` name the files of a "files" event, if not too many."""

    kind: LibraryEventKind
    file_ids: tuple[int, ...] = ()
