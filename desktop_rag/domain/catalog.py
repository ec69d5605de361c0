"""Questions about the library itself, and what they are answered from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from pathlib import PurePath

from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.metadata import Metadata

Mention = tuple[str, ...]
"""Words or phrases that one file must have, all of them, wherever in it."""


class CatalogAction(StrEnum):
    """What is asked of the files that match."""

    COUNT = "count"
    LIST = "list"
    NEWEST = "newest"
    OLDEST = "oldest"


class DateMeaning(StrEnum):
    """Which of a file's dates is meant.

    STATED: the date in its name, or that it states itself, or else that of its last change.
    CHANGED: its last change. ARRIVED: when it came to its folder or was last changed,
    whichever is later.
    """

    STATED = "stated"
    CHANGED = "changed"
    ARRIVED = "arrived"


@dataclass(frozen=True, slots=True)
class DateRange:
    """Days from ``first`` to ``last``, both included; None is open.

    Raises:
        ValueError: ``first`` is after ``last``.
    """

    first: date | None = None
    last: date | None = None

    def __post_init__(self) -> None:
        if self.first is not None and self.last is not None and self.first > self.last:
            raise ValueError(f"a range of dates cannot end before it begins: {self}")

    @property
    def whole(self) -> str | None:
        """The one day, month or year that this is, as ISO 8601 writes it, None for others."""
        if self.first is None or self.last is None:
            return None
        first, last = self.first, self.last
        if first == last:
            return first.isoformat()
        if first.day > 1 or (last + timedelta(days=1)).day > 1 or first.year != last.year:
            return None
        if first.month == last.month:
            return f"{first:%Y-%m}"
        return f"{first:%Y}" if (first.month, last.month) == (1, 12) else None

    def holds(self, day: date) -> bool:
        """Return whether a day is within."""
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)

    def covers(self, other: DateRange) -> bool:
        """Return whether all days of another range, closed at both ends, are within."""
        return (
            other.first is not None
            and other.last is not None
            and self.holds(other.first)
            and self.holds(other.last)
        )


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """A question about the library: what is asked, and of which files.

    ``kind`` is a word for one or several kinds of files (see ``file_kinds``). ``noun`` is a
    sort of document ("contract"); any of ``nouns``, its words, in the name, title, headings
    or folder will do. ``topic`` is what the files are about, ``mentions`` alternatives of
    words in the text. ``most`` limits newest and oldest.
    """

    action: CatalogAction
    kind: str = ""
    noun: str = ""
    nouns: tuple[str, ...] = ()
    folder: str = ""
    author: str = ""
    dates: DateRange | None = None
    meaning: DateMeaning = DateMeaning.STATED
    topic: str = ""
    mentions: tuple[Mention, ...] = ()
    unread: bool = False
    most: int = 1

    @property
    def is_ordered(self) -> bool:
        """Whether only the first files by date are asked for."""
        return self.action in (CatalogAction.NEWEST, CatalogAction.OLDEST)


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """What the library knows of a file; times are in ns, ``metadata`` is the document's own."""

    id: int
    path: str
    status: FileStatus
    kind: str
    title: str = ""
    document_id: int | None = None
    mtime_ns: int = 0
    ctime_ns: int = 0
    metadata: Metadata = field(default_factory=Metadata)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePath(self.path).name or self.path
