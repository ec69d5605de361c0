"""Takes in the files that a container turns out to hold, while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, FileStatus, Problem
from desktop_rag.domain.prepared import Member, PreparedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.embedding_stage import EmbeddingStage
from desktop_rag.ingestion.ignore import IgnoreRules
from desktop_rag.ingestion.jobs import Job, JobQueue
from desktop_rag.ingestion.ledger import Ledger
from desktop_rag.ingestion.work import Reading, Work
from desktop_rag.ingestion.yielding import YieldingToken

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore

_ROOM_SECONDS = 0.02
"""How often a reading that is far ahead of the model looks whether it may go on."""


class NotTakenError(Exception):
    """The store cannot take a member now; ``reason`` says why. The container waits."""

    def __init__(self, reason: KnownError) -> None:
        super().__init__(reason.title)
        self.reason = reason


class MemberIntake:
    """Gives each member of one container its own row, job and document.

    Args:
        store: where files stand.
        queue: the jobs; a member's is never waited for in it.
        embedding: gets what is to be embedded, no faster than the model works it off.
        ledger: ends the jobs.
        is_known: whether a member's content needs no reading (see ``ReadingStage``).
        work_of: makes the work of a member for the model.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        queue: JobQueue,
        embedding: EmbeddingStage,
        ledger: Ledger,
        is_known: Callable[[Reading, FileRecord], bool],
        work_of: Callable[[Reading, FileRecord, PreparedDocument], Work],
    ) -> None:
        self._store = store
        self._queue = queue
        self._embedding = embedding
        self._ledger = ledger
        self._is_known = is_known
        self._work_of = work_of
        self._container: Reading | None = None
        self._token: YieldingToken | None = None
        self._rules = IgnoreRules()
        self._seen: set[int] = set()

    def begin(self, container: Reading, record: FileRecord, token: YieldingToken) -> None:
        """A file is going to be read; ``token`` tells when that must stop."""
        self._container = container if record.container_id is None else None
        self._token = token
        self._seen = set()
        rules = (each.ignore_rules for each in self._store.sources() if each.id == record.source_id)
        self._rules = IgnoreRules(next(rules, ()))

    def take(self, member: Member) -> None:
        """Take a member in.

        Raises:
            Cancelled: the reading has to stop, or to make way.
            NotTakenError: the store cannot take it now.
        """
        try:
            self._take(member)
        except KnownError as error:
            raise NotTakenError(error) from error

    def finish(self) -> None:
        """The file was read: what was not seen has left it; a member's own members are not.

        Raises:
            KnownError: the store cannot take it now.
        """
        if self._container is None:
            return
        gone = set(self._store.members_of([self._container.job.file_id])) - self._seen
        if gone:
            self._queue.drop(gone)
            self._store.remove_files(gone)
            self._ledger.changed(gone)

    def _take(self, member: Member) -> None:
        assert self._container is not None  # begun
        container = self._container
        self._wait_for_room(container.job)
        file_id = self._store.put_member(container.job.file_id, member.name, member.size)
        self._seen.add(file_id)
        record = self._store.file(file_id)
        if record is None:
            return  # the container is leaving
        if self._rules.ignores(record.relpath):
            self._leave_out(record)
            return
        job = self._job(container.job, record)
        if not self._queue.begin(job):
            return  # on its way already
        for tally in job.tallies:
            tally.opened()
        stat = replace(container.stat, size=member.size)
        mark = self._store.recognition_mark(member.content_hash)
        reading = Reading(job, stat, member.content_hash, mark)
        if member.prepared is None:
            problem = member.problem or Problem("Could not be read", "")
            self._ledger.fail(job, stat, member.content_hash, problem)
        elif self._is_known(reading, record):
            return
        elif mark:  # its pages were recognised before: it is read again, together with them
            self._store.await_member(record.id, stat, member.content_hash)
            self._ledger.put_back(job)
        else:
            self._embedding.put(self._work_of(reading, record, member.prepared))

    def _leave_out(self, record: FileRecord) -> None:
        if record.status is not FileStatus.IGNORED:
            self._store.set_status([record.id], FileStatus.IGNORED)
            self._ledger.changed([record.id])

    def _wait_for_room(self, job: Job) -> None:
        assert self._token is not None  # begun
        self._token.check()
        while not self._embedding.works.admits(job.rank):
            self._token.wait(_ROOM_SECONDS)
            self._token.check()

    def _job(self, container: Job, record: FileRecord) -> Job:
        new = record.document_id is None and record.status is not FileStatus.FAILED
        return Job(
            record.id,
            outcome="added" if new else "updated",
            batch=container.batch,
            order=container.order,
            tallies=list(container.tallies),
        )
