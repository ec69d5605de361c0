"""What the library pane shows, worked out away from the GUI thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from desktop_rag.domain.files import FileRecord, FileStatus, Source

ALL, PDF, NOT_READ = "all", "pdf", "not_read"
CHIPS = (ALL, PDF, NOT_READ)
"""The filters that are always at hand."""

STATES = {
    "waiting": (FileStatus.WAITING, FileStatus.READING),
    "away": (FileStatus.UNAVAILABLE,),
    "ignored": (FileStatus.IGNORED,),
}
TYPES = {
    "pdf": ("pdf",),
    "word": ("docx", "doc", "odt", "rtf"),
    "sheets": ("xlsx", "xls", "ods", "csv", "tsv"),
    "slides": ("pptx", "ppt", "odp"),
    "mail": ("eml", "msg", "mbox"),
    "web": ("html", "htm", "xhtml", "mhtml"),
    "text": ("txt", "md", "markdown", "rst", "log"),
    "pictures": ("png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp", "gif"),
}
IGNORED = "ignored"
MORE_CHIPS = (*STATES, *(name for name in TYPES if name != PDF))
"""The filters behind them, by state and by type."""

_TYPE_OF = {ending: name for name, endings in TYPES.items() for ending in endings}
_STATE_OF = {status: name for name, statuses in STATES.items() for status in statuses}


@dataclass(frozen=True, slots=True)
class FileFilter:
    """Which files are shown: a chip, and words that the name or folder must hold."""

    chip: str = ALL
    text: str = ""

    def accepts(self, record: FileRecord) -> bool:
        """Whether a file is shown."""
        if self.chip in TYPES and _type(record) != self.chip:
            return False
        if self.chip in STATES and record.status not in STATES[self.chip]:
            return False
        if self.chip == NOT_READ and not not_read(record):
            return False
        if not self.text:
            return record.status is not FileStatus.IGNORED or self.chip in (ALL, IGNORED)
        name = (record.relpath or record.path).casefold()
        return all(word in name for word in self.text.casefold().split())


@dataclass(frozen=True, slots=True)
class Group:
    """One source with the files to show, in the order of their names."""

    source: Source
    name: str
    files: list[FileRecord]
    total: int
    problems: int


@dataclass(frozen=True, slots=True)
class Tree:
    """All groups, where each shown file stands, and the counts for the chips."""

    groups: tuple[Group, ...] = ()
    places: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


def not_read(record: FileRecord) -> bool:
    """Whether a file, or a part of it, could not be read; one out of reach may have been."""
    away = record.status is FileStatus.UNAVAILABLE and record.document_id is None
    unread = record.status is FileStatus.FAILED or (away and record.problem is not None)
    return unread or bool(record.missing)


def _type(record: FileRecord) -> str | None:
    return _TYPE_OF.get(record.path.rpartition(".")[2].lower())


def build_tree(
    sources: Sequence[Source], records: Iterable[FileRecord], wanted: FileFilter
) -> Tree:
    """Sort and filter the files by source.

    A source without a file to show is left out while a filter is set.
    """
    by_source: dict[int, list[FileRecord]] = {source.id: [] for source in sources}
    counts = dict.fromkeys((*CHIPS, *MORE_CHIPS), 0)
    for record in records:
        by_source.setdefault(record.source_id, []).append(record)
        _count(record, counts)
    groups = [
        _group(source, by_source[source.id], wanted)
        for source in sorted(sources, key=lambda source: source.path.casefold())
    ]
    if wanted != FileFilter():
        groups = [group for group in groups if group.files]
    places = {
        record.id: (g, f) for g, group in enumerate(groups) for f, record in enumerate(group.files)
    }
    return Tree(tuple(groups), places, counts)


def _count(record: FileRecord, counts: dict[str, int]) -> None:
    if record.status in _STATE_OF:
        counts[_STATE_OF[record.status]] += 1
    if record.status is FileStatus.IGNORED:
        return
    counts[ALL] += 1
    kind = _type(record)
    if kind is not None:
        counts[kind] += 1
    counts[NOT_READ] += not_read(record)


def _group(source: Source, records: list[FileRecord], wanted: FileFilter) -> Group:
    shown = [record for record in records if wanted.accepts(record)]
    shown.sort(key=lambda record: record.relpath.casefold())
    counted = [record for record in records if record.status is not FileStatus.IGNORED]
    problems = sum(1 for record in counted if not_read(record))
    name = PurePath(source.path).name or source.path
    return Group(source, name, shown, len(counted), problems)
