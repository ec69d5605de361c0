"""Sources and files as the library knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.domain.document import Coverage, UnreadableUnit


class FileStatus(StrEnum):
    """Where a file stands; the same words in the store, the CLI and the window."""

    READY = "ready"
    WAITING = "waiting"
    READING = "reading"
    FAILED = "failed"
    IGNORED = "ignored"
    UNAVAILABLE = "unavailable"


class SourceState(StrEnum):
    """Whether a source's root can be reached."""

    AVAILABLE = "available"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file (or a page of it) was not read, in the user's words."""

    title: str
    message: str


@dataclass(frozen=True, slots=True)
class FileStat:
    """What a scan compares: size in bytes, times in ns, inode. A content hash decides."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Source:
    """A folder or single file that the user added.

    ``path`` is absolute. ``ignore_rules`` are lines in .gitignore syntax.
    """

    id: int
    path: str
    is_folder: bool
    state: SourceState = SourceState.AVAILABLE
    visibility: str = "private"
    ignore_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file of a source as stored. ``relpath`` uses ``/``; "" for a single-file source.

    ``recognising``: which of its pages for OCR is under way (0: none yet), and how many
    there are; None when none of its pages is going to be recognised. ``container_id``: the
    file that it lies in (an attachment's mail), None for one that lies on the disk.
    ``encoding``: what a file of text was taken to be written in.
    """

    id: int
    source_id: int
    relpath: str
    path: str
    status: FileStatus
    stat: FileStat | None = None
    content_hash: str | None = None
    document_id: int | None = None
    problem: Problem | None = None
    kind: str | None = None
    pages: int | None = None
    coverage: Coverage = field(default_factory=Coverage)
    segments: int = 0
    recognising: tuple[int, int] | None = None
    container_id: int | None = None
    encoding: str | None = None

    @property
    def missing(self) -> tuple[UnreadableUnit, ...]:
        """The pages that were not read, but for those that OCR is going to read."""
        if self.recognising is None:
            return self.coverage.unreadable
        return tuple(unit for unit in self.coverage.unreadable if not unit.recognisable)
