"""Puts the library's reports together from what the store and a tally say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.domain.ocr import OcrState
from desktop_rag.ingestion.listing import is_within
from desktop_rag.ingestion.tally import Tally
from desktop_rag.services.reports import FileProblem, IndexReport, LibraryStatus, Progress

if TYPE_CHECKING:
    from desktop_rag.ingestion.progress import PageUnderWay
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
        FileProblem(record.path, unit.page, _PAGE_NOT_READ, unit.reason) for unit in record.missing
    )
    return problems


def counts_of(store: KnowledgeStore) -> Counter[FileStatus]:
    """Return the number of files in each state; those without a word before OCR wait."""
    counts = Counter(store.count_files())
    textless = store.count_textless()
    counts[FileStatus.WAITING] += textless
    counts[FileStatus.READY] -= textless
    return counts


def library_status(
    store: KnowledgeStore, notes: tuple[str, ...], ocr: OcrState = OcrState.MISSING
) -> LibraryStatus:
    """Return the library in numbers."""
    counts = counts_of(store)
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
        ocr=ocr.value,
        scanned=len(store.scanned_ids()),
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


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What is worked on now: the files that are read, the page that is recognised."""

    reading: frozenset[int] = frozenset()
    page: PageUnderWay | None = None
    ocr: OcrState = OcrState.MISSING


def shown(record: FileRecord, under_way: UnderWay) -> FileRecord:
    """Return the record as it is to be shown: what waits may be under way just now."""
    held = record.status in (FileStatus.READY, FileStatus.READING)
    if held and record.coverage.recognisable:
        record = _with_pages(record, under_way)
    if record.id in under_way.reading and record.status is FileStatus.WAITING:
        return replace(record, status=FileStatus.READING)
    return record


def with_page(progress: Progress, page: PageUnderWay | None) -> Progress:
    """Return the progress with the page that is recognised while nothing else goes on."""
    if page is None or progress.state != "idle":
        return progress
    return replace(
        progress, state="recognising", current=page.path, page=page.page, pages=page.pages
    )


def _with_pages(record: FileRecord, under_way: UnderWay) -> FileRecord:
    """Say of a file's pages without text whether they wait for OCR, or why they do not."""
    coverage = record.coverage
    units = tuple(
        replace(unit, reason=f"{unit.reason}; {_OCR[under_way.ocr]}") if unit.recognisable else unit
        for unit in coverage.unreadable
    )
    record = replace(record, coverage=replace(coverage, unreadable=units))
    if under_way.ocr is not OcrState.ON:
        return record
    page = under_way.page
    now = page is not None and page.file_id == record.id
    status = record.status
    if not record.segments:
        status = FileStatus.READING if now else FileStatus.WAITING
    place = (page.page, page.pages) if page is not None and now else (0, len(coverage.recognisable))
    return replace(record, status=status, recognising=place)


_OCR = {
    OcrState.ON: "waiting for OCR",
    OcrState.OFF: "OCR would read it, but is switched off",
    OcrState.MISSING: "OCR would read it, but is not installed",
}
