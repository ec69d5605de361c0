"""Carries out a plan: what the store can do at once, and jobs for what has to be read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Problem, Source
from desktop_rag.ingestion.changes import NOT_HERE, Plan, Sighting
from desktop_rag.ingestion.denied import remedy
from desktop_rag.ingestion.effort import kind_of
from desktop_rag.ingestion.jobs import Job
from desktop_rag.ingestion.pipeline import Pipeline
from desktop_rag.ingestion.reading import parser_key
from desktop_rag.ingestion.tally import Outcome, Tally

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore

_Item = TypeVar("_Item")

_MOST_AT_ONCE = 2_000
"""Rows of one transaction, so that questions and commits never wait long for the writer."""

_UNFINISHED = (FileStatus.WAITING, FileStatus.READING)

HIDDEN_FOLDER = Problem(
    "Folder cannot be opened",
    f"The folder that holds this file cannot be opened, or its drive is not there. {remedy()}",
)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a plan's jobs are to be done.

    ``patience``: until then (monotonic seconds) a file that cannot be read is taken
    for one that is still being written.
    """

    urgent: bool = False
    patience: float = 0.0
    tally: Tally | None = None


class PlanApplier:
    """Brings the store in line with a plan; used by one thread at a time."""

    def __init__(
        self,
        store: KnowledgeStore,
        pipeline: Pipeline,
        on_files: Callable[[Sequence[int]], None],
    ) -> None:
        self._store = store
        self._pipeline = pipeline
        self._on_files = on_files

    def apply(self, plan: Plan, manner: Manner) -> None:
        """Do it.

        Raises:
            KnownError: the store cannot take it now; another look makes the same plan.
        """
        jobs = self._move(plan.moved)
        self._remove([*plan.removed, *(record for record, _ in plan.ignored if record)])
        self._put([sighting for _, sighting in plan.ignored], FileStatus.IGNORED)
        jobs += self._change(plan.changed)
        jobs += [
            Job(file_id, sighting.stat.size, "added", kind_of(sighting.path))
            for file_id, sighting in self._put(plan.added, FileStatus.WAITING)
        ]
        jobs += self._return(plan.returned)
        self._put_remote(plan.remote)
        hidden = [*plan.hidden, *self._members(plan.hidden)]
        self._set_status(hidden, FileStatus.UNAVAILABLE, HIDDEN_FOLDER)
        if manner.tally is not None:
            inside = self._store.count_members([record.id for record in plan.unchanged])
            _count(plan, inside, manner.tally)
        self.submit(jobs, manner)

    def _put_remote(self, sightings: Sequence[Sighting]) -> None:
        """List files that are in the cloud alone; what was read of them is kept."""
        numbered = self._put(sightings, FileStatus.UNAVAILABLE)
        ids = [file_id for file_id, _ in numbered]
        for part in _parts([*ids, *self._store.members_of(ids)]):
            self._pipeline.drop(part)
            self._store.set_status(part, FileStatus.UNAVAILABLE, NOT_HERE)
            self._on_files(part)

    def lose(self, source: Source) -> None:
        """A source's root is out of reach: nothing of it is removed, nothing is read."""
        problem = Problem(
            "Not connected",
            f"“{source.path}” cannot be reached. Connect its drive, and it goes on by itself.",
        )
        files = self._store.files(source.id, (*_UNFINISHED, FileStatus.READY))
        self._pipeline.drop([record.id for record in files])
        self._set_status(files, FileStatus.UNAVAILABLE, problem)

    def submit(self, jobs: Sequence[Job], manner: Manner) -> None:
        """Have files read in this manner."""
        for job in jobs:
            job.patience = manner.patience
            if manner.tally is not None:
                job.tallies.append(manner.tally)
        if manner.tally is not None:
            manner.tally.opened(len(jobs))
        self._pipeline.submit(jobs, manner.urgent)

    def _move(self, moved: Sequence[tuple[FileRecord, Sighting]]) -> list[Job]:
        """Give files their new places; one that asks for another parser there is read again."""
        for part in _parts(moved):
            self._store.move_files(
                [(record.id, to.source.id, to.relpath, to.stat) for record, to in part]
            )
            self._on_files([record.id for record, _ in part])
        unread = [(record, to) for record, to in moved if _to_be_read(record, to)]
        for part in _parts(unread):
            self._store.set_status([record.id for record, _ in part], FileStatus.WAITING)
        return [Job(record.id, to.stat.size, "moved", kind_of(to.path)) for record, to in unread]

    def _remove(self, records: Iterable[FileRecord]) -> None:
        for part in _parts(record.id for record in records):
            every = [*part, *self._store.members_of(part)]
            self._pipeline.drop(every)
            self._store.remove_files(every)
            self._on_files(every)

    def _return(self, returned: Sequence[FileRecord]) -> list[Job]:
        """Files can be reached again; one that holds an unread file is read again."""
        members = self._members(returned)
        known = [member for member in members if member.document_id is not None]
        self._set_status([*returned, *known], FileStatus.READY)
        unread = {each.container_id for each in members if each.document_id is None}
        again = [record for record in returned if record.id in unread]
        self._set_status(again, FileStatus.WAITING)
        return [
            Job(record.id, record.stat.size if record.stat else 0, kind=kind_of(record.path))
            for record in again
        ]

    def _members(self, records: Sequence[FileRecord]) -> list[FileRecord]:
        """Return the files that lie in these."""
        ids = self._store.members_of([record.id for record in records])
        return [member for id_ in ids if (member := self._store.file(id_)) is not None]

    def _change(self, changed: Sequence[tuple[FileRecord, Sighting]]) -> list[Job]:
        self._set_status([record for record, _ in changed], FileStatus.WAITING)
        jobs = []
        for record, sighting in changed:
            new = record.document_id is None and record.status is not FileStatus.FAILED
            outcome: Outcome = "added" if new else "updated"
            jobs.append(Job(record.id, sighting.stat.size, outcome, kind_of(record.path)))
        return jobs

    def _put(self, sightings: Iterable[Sighting], status: FileStatus) -> list[tuple[int, Sighting]]:
        """Add files to the store; return their ids with what was seen of them."""
        by_source: defaultdict[int, list[Sighting]] = defaultdict(list)
        for sighting in sightings:
            by_source[sighting.source.id].append(sighting)
        numbered: list[tuple[int, Sighting]] = []
        for source_id, group in by_source.items():
            for part in _parts(group):
                rows: list[tuple[str, FileStat, FileStatus]] = [
                    (sighting.relpath, sighting.stat, status) for sighting in part
                ]
                ids = self._store.put_files(source_id, rows)
                numbered.extend(zip(ids, part, strict=True))
                self._on_files(ids)
        return numbered

    def _set_status(
        self, records: Iterable[FileRecord], status: FileStatus, problem: Problem | None = None
    ) -> None:
        for part in _parts(record.id for record in records if record.status is not status):
            self._store.set_status(part, status, problem)
            self._on_files(part)


def _to_be_read(record: FileRecord, to: Sighting) -> bool:
    """Whether a moved file is looked into.

    It is when it was not yet, when its name asks for another parser, and when it was known
    by its inode alone and its ctime differs: a rename moves ctime, but so does a rewrite of
    the same size with the old mtime put back. A content hash decides. One that is in the
    cloud alone is looked into when it comes.
    """
    if to.remote:
        return False
    settled = record.status in (FileStatus.READY, FileStatus.FAILED)
    if not settled or record.stat is None or parser_key(record.path) != parser_key(to.path):
        return True
    same_file = record.stat.inode == to.stat.inode
    return same_file and record.stat.ctime_ns != to.stat.ctime_ns


def _count(plan: Plan, inside: Mapping[FileStatus, int], tally: Tally) -> None:
    """Count what needs no reading; ``inside`` are the files within those unchanged."""
    failed = sum(record.status is FileStatus.FAILED for record in plan.unchanged)
    failed_inside = inside.get(FileStatus.FAILED, 0)
    moved = sum(not _to_be_read(record, to) for record, to in plan.moved)
    counts: dict[Outcome, int] = {
        "moved": moved,
        "removed": sum(record.status is not FileStatus.IGNORED for record in plan.removed),
        "unchanged": len(plan.unchanged)
        + len(plan.returned)
        + len(plan.hidden)
        + sum(inside.values())
        - inside.get(FileStatus.IGNORED, 0)
        - failed
        - failed_inside,
        "failed": failed + failed_inside,
        "skipped": len(plan.ignored) + len(plan.still_ignored) + len(plan.remote),
    }
    for outcome, number in counts.items():
        tally.count(outcome, number)


def _parts(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    iterator = iter(items)
    while part := list(islice(iterator, _MOST_AT_ONCE)):
        yield part
