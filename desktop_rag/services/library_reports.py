"""Puts the library's reports together from what the store and a tally say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.ingestion.scan import is_within
from desktop_rag.ingestion.tally import Tally
from desktop_rag.services.reports import FileProblem, IndexReport, LibraryStatus

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore

_PAGE_NOT_READ = "Page not read"


def index_report(tally: Tally, seconds: float, records: Iterable[FileRecord]) -> IndexReport:
    """Return what a run did; ``records`` are the files it looked at."""
    counts = tally.counts
    return IndexReport(
        added=counts.get("added", 0),
        updated=counts.get("updated", 0),
        moved=counts.get("moved", 0),
        removed=counts.get("removed", 0),
        unchanged=counts.get("unchanged", 0),
        failed=counts.get("failed", 0),
        skipped=counts.get("skipped", 0),
        segments=counts.get("segments", 0),
        embedded=counts.get("embedded", 0),
        reused=counts.get("reused", 0),
        tokens=counts.get("tokens", 0),
        seconds=seconds,
        problems=tuple(problem for record in records for problem in problems_of(record)),
    )


def problems_of(record: FileRecord) -> list[FileProblem]:
    """Return a file's problem, and one for each of its pages that was not read."""
    problems = []
    if record.problem is not None:
        problem = record.problem
        problems.append(FileProblem(record.path, None, problem.title, problem.message))
    problems.extend(
        FileProblem(record.path, unit.page, _PAGE_NOT_READ, unit.reason)
        for unit in record.coverage.unreadable
    )
    return problems


def library_status(store: KnowledgeStore, notes: tuple[str, ...]) -> LibraryStatus:
    """Return the library in numbers."""
    counts = store.count_files()
    stats = store.stats()
    return LibraryStatus(
        sources=tuple(store.sources()),
        files=sum(counts.values()) - counts.get(FileStatus.IGNORED, 0),
        ready=counts.get(FileStatus.READY, 0),
        waiting=counts.get(FileStatus.WAITING, 0),
        reading=counts.get(FileStatus.READING, 0),
        failed=counts.get(FileStatus.FAILED, 0),
        ignored=counts.get(FileStatus.IGNORED, 0),
        unavailable=counts.get(FileStatus.UNAVAILABLE, 0),
        segments=stats.segments,
        vectors=sum(stats.vectors.values()),
        indexes={
            name: {"reached": index.reached, "count": index.count, "state": index.state.value}
            for name, index in stats.indexes.items()
        },
        bytes=stats.bytes,
        notes=notes,
    )


def records_at(
    store: KnowledgeStore, spots: Mapping[int, Iterable[str]] | None
) -> list[FileRecord]:
    """Return the files at or below paths of sources (by source id); None: all files."""
    if spots is None:
        return store.files()
    return [
        record
        for source_id, paths in spots.items()
        for record in store.files(source_id)
        if any(is_within(record.relpath, path) for path in paths)
    ]


def shown(record: FileRecord, under_way: frozenset[int]) -> FileRecord:
    """Return the record as it is to be shown: a waiting file may be being read just now."""
    if record.id in under_way and record.status is FileStatus.WAITING:
        return replace(record, status=FileStatus.READING)
    return record
