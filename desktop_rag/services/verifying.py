"""``verify``: the database, the indexes and the disk, and what mends them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.changes import plan_changes
from desktop_rag.ingestion.content import hash_if_readable
from desktop_rag.ingestion.survey import EVERYTHING, Surveyor
from desktop_rag.store.records import VerifyReport
from desktop_rag.store.salvage import salvage

if TYPE_CHECKING:
    from desktop_rag.services.reports import Progress
    from desktop_rag.services.services import Services

_IN_USE = "Close the program, then repair again: the database must not be in use meanwhile."

_READ = (FileStatus.READY, FileStatus.FAILED)


def mend_database(data_dir: Path) -> tuple[str, ...]:
    """Save what can be read of a damaged database, before anything opens it.

    Returns:
        What was wrong and what was lost, in sentences; nothing for a sound database.

    Raises:
        KnownError: nothing can be saved, or the disk is full; nothing was changed.
    """
    return salvage(data_dir).problems


def verify_library(
    services: Services,
    repair: bool,
    on_progress: Callable[[Progress], None],
    cancel: CancelToken,
) -> VerifyReport:
    """Check what the library keeps, and whether it equals the disk.

    To repair is to make the indexes anew and to read what differs; what is known is not
    given to the model again.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    report = services.store.verify(repair=repair)
    if report.unsound:
        return replace(report, problems=(*report.problems, *([_IN_USE] if repair else ())))
    differing = _differences(services, cancel)
    problems = (*report.problems, *differing)
    if not repair:
        return VerifyReport(not problems, problems)
    store = services.store
    if differing or store.count_files().get(FileStatus.WAITING) or store.backlog().passages:
        services.library.index((), on_progress=on_progress, cancel=cancel)
    left = _differences(services, cancel)
    return VerifyReport(report.ok and not left, problems, repaired=bool(problems) and not left)


def _differences(services: Services, cancel: CancelToken) -> tuple[str, ...]:
    """Return in sentences how the disk differs from what was read of it.

    Files that wait to be read are known to differ: that is no fault. Neither is a source
    that cannot be reached.
    """
    surveyor = Surveyor(services.store, services.data_dir)
    scans = []
    for source in services.store.sources():
        listed = surveyor.look(source, EVERYTHING, cancel)
        if listed.listings is not None:
            scans.extend(surveyor.compare(listed))
    plan = plan_changes(scans, lambda path: hash_if_readable(path, cancel))
    changed = [
        record
        for record, sighting in plan.changed
        if record.status in _READ and record.content_hash != hash_if_readable(sighting.path, cancel)
    ]
    gone = [record for record in plan.removed if record.status is not FileStatus.IGNORED]
    counted = {
        "on the disk {are} not in the library yet": len(plan.added),
        "changed since {they} {were} read": len(changed),
        "moved": len(plan.moved),
        "in the library {are} not on the disk any more": len(gone),
    }
    return tuple(_sentence(number, words) for words, number in counted.items() if number)


def _sentence(number: int, words: str) -> str:
    if number == 1:
        return f"1 file {words.format(are='is', they='it', were='was')}."
    return f"{number:,} files {words.format(are='are', they='they', were='were')}."
