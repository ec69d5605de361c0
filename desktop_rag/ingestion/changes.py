"""What has to be done so that the library equals the disk: the plan, without doing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Problem, Source
from desktop_rag.ingestion.listing import UNKNOWN_STAT, Listing, join

HashFile = Callable[[str], str | None]
"""Gives a file's content hash by its path, None if it cannot be read."""

_UNFINISHED = frozenset({FileStatus.WAITING, FileStatus.READING})

_SETTLED = frozenset({FileStatus.READY, FileStatus.UNAVAILABLE})

NOT_HERE = Problem(
    "Not on this computer",
    "This file is in the cloud alone, and it is not fetched without you. Open it, or choose "
    "“Always keep on this device” (“Keep downloaded”) for it, and it is read by itself.",
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A file as found on the disk; ``remote``: in the cloud alone."""

    source: Source
    relpath: str
    stat: FileStat
    remote: bool = False

    @property
    def path(self) -> str:
        """Where it is."""
        return join(self.source.path, self.relpath)


@dataclass(frozen=True, slots=True)
class SourceScan:
    """One source's listing beside what the store knows of the same part of it."""

    source: Source
    listing: Listing
    records: Sequence[FileRecord]


@dataclass(slots=True)
class Plan:
    """Every file that was looked at is in exactly one of these lists.

    ``added``: on the disk alone. ``changed``: something of its stat differs, or an
    earlier reading was not finished; a content hash decides what it costs. ``moved``:
    a stored file that is now elsewhere. ``removed``: stored alone. ``ignored``: newly
    left out by a rule (with what was stored of it, if anything); ``still_ignored``:
    as before. ``returned``: unreachable before, now there and unchanged. ``hidden``:
    in a folder that cannot be opened. ``remote``: new or changed, and in the cloud alone,
    so that it cannot be looked into. ``unchanged``: nothing to do.
    """

    added: list[Sighting] = field(default_factory=list)
    changed: list[tuple[FileRecord, Sighting]] = field(default_factory=list)
    moved: list[tuple[FileRecord, Sighting]] = field(default_factory=list)
    removed: list[FileRecord] = field(default_factory=list)
    ignored: list[tuple[FileRecord | None, Sighting]] = field(default_factory=list)
    still_ignored: list[FileRecord] = field(default_factory=list)
    returned: list[FileRecord] = field(default_factory=list)
    hidden: list[FileRecord] = field(default_factory=list)
    remote: list[Sighting] = field(default_factory=list)
    unchanged: list[FileRecord] = field(default_factory=list)


def plan_changes(scans: Iterable[SourceScan], hash_file: HashFile) -> Plan:
    """Compare the disk with the store, over all given sources together.

    A file that is gone in one place and new in another (same inode, size and time of
    change, or the same content) has moved, also from one source to another.

    Args:
        scans: listings and records; each source once.
        hash_file: called for new files alone that may be moved ones by their size.
    """
    plan = Plan()
    for scan in scans:
        _compare(scan, plan)
    _find_moves(plan, hash_file)
    _find_remote_moves(plan)
    return plan


def _compare(scan: SourceScan, plan: Plan) -> None:
    unseen = {record.relpath: record for record in scan.records}
    for relpath, stat in scan.listing.files.items():
        sighting = Sighting(scan.source, relpath, stat)
        record = unseen.pop(relpath, None)
        if record is None:
            plan.added.append(sighting)
        else:
            _compare_file(record, sighting, plan)
    for relpath, stat in scan.listing.ignored.items():
        record = unseen.pop(relpath, None)
        if record is not None and record.status is FileStatus.IGNORED:
            plan.still_ignored.append(record)
        else:
            plan.ignored.append((record, Sighting(scan.source, relpath, stat)))
    for relpath, stat in scan.listing.remote.items():
        sighting = Sighting(scan.source, relpath, stat, remote=True)
        _compare_remote(unseen.pop(relpath, None), sighting, plan)
    for record in unseen.values():
        (plan.removed if scan.listing.covers(record.relpath) else plan.hidden).append(record)


def _compare_file(record: FileRecord, sighting: Sighting, plan: Plan) -> None:
    if (
        record.stat != sighting.stat
        or record.status in _UNFINISHED
        or record.status is FileStatus.IGNORED
    ):
        plan.changed.append((record, sighting))
    elif record.status is not FileStatus.UNAVAILABLE:
        plan.unchanged.append(record)
    elif record.document_id is None:
        plan.changed.append((record, sighting))
    else:
        plan.returned.append(record)


def _compare_remote(record: FileRecord | None, sighting: Sighting, plan: Plan) -> None:
    """What was read of a file before it left this computer is kept while it stays the same.

    Its inode and time of change may be those of a placeholder; size and time of writing are
    the file's own.
    """
    if record is None or record.stat is None:
        plan.remote.append(sighting)
        return
    known, seen = record.stat, sighting.stat
    same = seen == UNKNOWN_STAT or (known.size, known.mtime_ns) == (seen.size, seen.mtime_ns)
    if record.document_id is not None and same:
        lost = record.status is FileStatus.UNAVAILABLE
        (plan.returned if lost else plan.unchanged).append(record)
    elif _waits_there(record):
        plan.unchanged.append(record)
    else:
        plan.remote.append(sighting)


def _find_moves(plan: Plan, hash_file: HashFile) -> None:
    """Recognise files that changed places, chains and swaps of names included.

    A path whose file is another one than the stored (another inode) may have been
    taken over by a moved file; if so, its former file is looked for elsewhere too.
    """
    displaced = {
        record.id: sighting
        for record, sighting in plan.changed
        if record.stat is not None and record.stat.inode != sighting.stat.inode
    }
    left = [record for record in plan.removed if record.stat is not None]
    left += [record for record, _ in plan.changed if record.id in displaced]
    if not left or not (plan.added or displaced):
        return
    new = [*plan.added, *displaced.values()]
    moves = _match(left, new, _place_key, lambda sighting: _stat_key(sighting.stat))
    _take_moves(plan, moves, displaced)
    _take_moves(plan, _match_contents(plan, hash_file), {})


def _find_remote_moves(plan: Plan) -> None:
    """Recognise files in the cloud alone that got another place: their stat is all there is."""
    gone = [
        record
        for record in plan.removed
        if record.status in _SETTLED and (record.document_id is not None or _waits_there(record))
    ]
    new = [sighting for sighting in plan.remote if sighting.stat != UNKNOWN_STAT]
    moves = _match(gone, new, _place_key, lambda sighting: _stat_key(sighting.stat))
    taken = {id(sighting) for sighting in moves.values()}
    plan.moved += [(record, moves[record.id]) for record in gone if record.id in moves]
    plan.removed = [record for record in plan.removed if record.id not in moves]
    plan.remote = [sighting for sighting in plan.remote if id(sighting) not in taken]


def _waits_there(record: FileRecord) -> bool:
    """Whether nothing was read of a file because it is in the cloud alone."""
    return record.problem == NOT_HERE


def _match_contents(plan: Plan, hash_file: HashFile) -> dict[int, Sighting]:
    """Match what is gone with what is new by content, hashing only what has a fitting size."""
    gone = [record for record in plan.removed if record.content_hash and record.stat is not None]
    sizes = {record.stat.size for record in gone if record.stat is not None}
    candidates = [sighting for sighting in plan.added if sighting.stat.size in sizes]
    return _match(
        gone,
        candidates,
        lambda record: record.content_hash,
        lambda sighting: hash_file(sighting.path),
    )


def _take_moves(plan: Plan, moves: dict[int, Sighting], displaced: dict[int, Sighting]) -> None:
    """Sort the plan anew: moved records leave their places, and others may take these."""
    if not moves:
        return
    taken = {id(sighting) for sighting in moves.values()}
    records = [*plan.removed, *(record for record, _ in plan.changed)]
    plan.moved += [(record, moves[record.id]) for record in records if record.id in moves]
    plan.removed = [record for record in plan.removed if record.id not in moves]
    plan.added = [sighting for sighting in plan.added if id(sighting) not in taken]
    stayed = []
    for record, sighting in plan.changed:
        if record.id not in displaced or (record.id not in moves and id(sighting) not in taken):
            stayed.append((record, sighting))
        elif record.id not in moves:
            plan.removed.append(record)
        elif id(sighting) not in taken:
            plan.added.append(sighting)
    plan.changed = stayed


def _match(
    gone: Iterable[FileRecord],
    new: Iterable[Sighting],
    key_of_gone: Callable[[FileRecord], Hashable],
    key_of_new: Callable[[Sighting], Hashable],
) -> dict[int, Sighting]:
    """Return each gone record's id with the new file of the same key, in order."""
    waiting: defaultdict[Hashable, list[FileRecord]] = defaultdict(list)
    for record in gone:
        waiting[key_of_gone(record)].append(record)
    for records in waiting.values():
        records.reverse()
    matched: dict[int, Sighting] = {}
    if waiting:
        for sighting in new:
            records = waiting.get(key_of_new(sighting), [])
            if records:
                matched[records.pop().id] = sighting
    return matched


def _place_key(record: FileRecord) -> Hashable:
    return None if record.stat is None else _stat_key(record.stat)


def _stat_key(stat: FileStat) -> Hashable:
    return stat.inode, stat.size, stat.mtime_ns
