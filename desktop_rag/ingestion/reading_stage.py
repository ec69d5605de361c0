"""The thread that takes files off the queue and has them read, ahead of the model."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, FileStat, Problem
from desktop_rag.domain.ocr import OcrState, Recognition
from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.ingestion.content import hash_file
from desktop_rag.ingestion.embedding_stage import EmbeddingStage
from desktop_rag.ingestion.entries import is_in_the_cloud
from desktop_rag.ingestion.gate import Gate
from desktop_rag.ingestion.jobs import Job, JobQueue
from desktop_rag.ingestion.ledger import Ledger, os_problem, problem_of
from desktop_rag.ingestion.listing import regular_stat, stat_like
from desktop_rag.ingestion.member_intake import MemberIntake, NotTakenError
from desktop_rag.ingestion.parsers.formats import CONTAINERS
from desktop_rag.ingestion.preparation import PREPARATION_VERSION
from desktop_rag.ingestion.reading import DocumentReader, parser_key
from desktop_rag.ingestion.work import Reading, Work, distinct_texts
from desktop_rag.ingestion.yielding import YieldingToken
from desktop_rag.store.records import MissingDocumentError

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore

_TICK_SECONDS = 0.02
"""A file that changed less than this ago may change again without its times moving: file
systems stamp changes by the kernel's tick, which is 10 ms at most on the systems we know."""

_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class LibraryLimits:
    """What is too much: files above ``file_mb`` megabytes are listed as too large.

    Raises:
        ValueError: the limit is not positive.
    """

    file_mb: int = 512

    def __post_init__(self) -> None:
        if self.file_mb <= 0:
            raise ValueError(f"file_mb must be greater than 0, not {self.file_mb}")


def document_key(content_hash: str, path: str, mark: str = "") -> str:
    """Return what a document is known by: content, parser asked for, way of preparing.

    ``mark`` tells apart what was prepared before and after its pages were recognised.
    """
    key = f"{content_hash}:{parser_key(path)}:{PREPARATION_VERSION}"
    return f"{key}:{mark}" if mark else key


class ReadingStage:
    """Takes each job as far as the model: compares, hashes, reads, asks what is known."""

    def __init__(
        self,
        store: KnowledgeStore,
        reader: DocumentReader,
        queue: JobQueue,
        embedding: EmbeddingStage,
        ledger: Ledger,
        gate: Gate,
        limits: LibraryLimits,
    ) -> None:
        self._store = store
        self._reader = reader
        self._queue = queue
        self._embedding = embedding
        self._ledger = ledger
        self._gate = gate
        self._limits = limits
        self.ocr = OcrState.MISSING
        self._current: tuple[Job, str] | None = None
        self._members = MemberIntake(store, queue, embedding, ledger, self._recognise, self._work)
        self._thread = threading.Thread(target=self._run, name="library-reading", daemon=True)
        gate.listen(self._on_gate)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self, timeout: float) -> bool:
        """Wait for the thread's end after the queue was closed; False if it takes longer."""
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def current(self) -> tuple[int, str] | None:
        """The file that is being read: its id and path."""
        current = self._current
        return None if current is None else (current[0].file_id, current[1])

    def _on_gate(self) -> None:
        self._queue.wake()
        current = self._current
        if current is not None and not self._gate.open:
            current[0].cancel.cancel()

    def _run(self) -> None:
        while (job := self._queue.take(self._admits)) is not None:
            try:
                self._take(job)
            except Cancelled:
                self._put_back(job)
            except KnownError as error:
                self._gate.stall(error)
                self._ledger.put_back(job)
            except Exception as error:
                if self._gate.closed:  # what it works with is being closed
                    return
                self._fail_unexpectedly(job, error)
            finally:
                self._current = None

    def _admits(self, job: Job) -> bool:
        return self._gate.open and self._embedding.works.admits(job.rank)

    def _put_back(self, job: Job) -> None:
        if job.dropped:
            self._ledger.finish(job, None)
        else:
            self._ledger.put_back(job)

    def _fail_unexpectedly(self, job: Job, error: Exception) -> None:
        try:
            self._ledger.bug(job, error)
        except KnownError as reason:
            self._gate.stall(reason)
            self._ledger.put_back(job)

    def _take(self, job: Job) -> None:
        record = self._store.file(job.file_id)
        if record is None:
            self._ledger.finish(job, None)
            return
        self._current = (job, record.path)
        if not self._gate.open:
            raise Cancelled
        try:
            reading = self._look_inside(job, record) or self._look(job, record)
        except OSError as error:
            self._fail_to_open(job, record, error)
            return
        if reading is not None and self._recognise(reading, record):
            self._embedding.passed(record.path, job.size)
        elif reading is not None:
            self._read(reading, record)

    def _look_inside(self, job: Job, record: FileRecord) -> Reading | None:
        """Return what is known of a file that lies in another, None for one on the disk."""
        if record.container_id is None or record.content_hash is None or record.stat is None:
            return None
        if stat_like(record.path, record.stat) != record.stat:
            return None
        mark = self._store.recognition_mark(record.content_hash)
        return Reading(job, record.stat, record.content_hash, mark)

    def _look(self, job: Job, record: FileRecord) -> Reading | None:
        """Compare the file's content with what is known; None if its job ended here."""
        if record.container_id is not None:
            self._read_container(job, record.container_id)
            return None
        stat = regular_stat(record.path)
        if stat is None or is_in_the_cloud(record.path):
            self._ledger.gone(job, record.path)
            return None
        if stat.size > self._limits.file_mb * _MEGABYTE:
            self._ledger.fail(job, stat, None, _too_large(record.path, self._limits.file_mb))
            return None
        _let_tick_pass(stat)
        content_hash = hash_file(record.path, job.cancel)
        if self._has_changed(job, record.path, stat):
            return None
        return Reading(job, stat, content_hash, self._store.recognition_mark(content_hash))

    def _read_container(self, job: Job, container_id: int) -> None:
        """What lies in a file that has changed, or was never read, is read with it."""
        self._ledger.finish(job, None)
        self._queue.put([Job(container_id, batch=job.batch)])

    def _has_changed(self, job: Job, path: str, stat: FileStat) -> bool:
        """Whether the file is another than when ``stat`` was taken; its job ends here then."""
        now = stat_like(path, stat)
        if now is None:
            self._ledger.gone(job, path)
        elif now != stat:
            self._ledger.unsettled(job, path)
        return now != stat

    def _recognise(self, reading: Reading, record: FileRecord) -> bool:
        """Whether the content needs no reading: it is stored, or about to be."""
        key = document_key(reading.content_hash, record.path, reading.mark)
        if self._embedding.works.follow(key, reading):
            return True
        document_id = self._store.find_document(key)
        if document_id is None or self._has_more(record, document_id):
            return False
        job = reading.job
        if document_id == record.document_id:
            self._ledger.touched(job, reading.stat)
            return True
        try:
            stat, digest = reading.stat, reading.content_hash
            self._store.attach_document(job.file_id, stat, digest, document_id)
        except MissingDocumentError:
            return False  # the last file that held it went just now
        self._ledger.attached(job)
        return True

    def _has_more(self, record: FileRecord, document_id: int) -> bool:
        """Whether files that lie in this one are to be read with it."""
        if self._store.kind_of_document(document_id) not in CONTAINERS:
            return False
        return document_id != record.document_id or self._store.has_unread_members(record.id)

    def _read(self, reading: Reading, record: FileRecord) -> None:
        job = reading.job
        token = YieldingToken(job, self._queue)
        self._members.begin(reading, record, token)
        take = self._members.take if record.container_id is None else None
        try:
            prepared = self._reader.read(Path(record.path), token, self._recognition(reading), take)
        except KnownError as error:
            if not self._has_changed(job, record.path, reading.stat):
                self._members.finish()
                problem = problem_of(error)
                self._ledger.fail(job, reading.stat, reading.content_hash, problem)
            return
        except NotTakenError as error:
            raise error.reason from error
        except OSError as error:
            self._fail_to_open(job, record, error)
            return
        if self._has_changed(job, record.path, reading.stat):
            return
        self._members.finish()
        self._embedding.put(self._work(reading, record, prepared))

    def _recognition(self, reading: Reading) -> Recognition:
        """Return what OCR has read of a file's pages, and whether it will read the others."""
        if not reading.mark:
            return Recognition(self.ocr)
        return Recognition(self.ocr, self._store.recognised_pages(reading.content_hash))

    def _work(self, reading: Reading, record: FileRecord, prepared: PreparedDocument) -> Work:
        texts = distinct_texts(prepared)
        known = self._store.known_hashes(texts.keys())
        unsent = deque(text_hash for text_hash in texts if text_hash not in known)
        return Work(
            reading=reading,
            key=document_key(reading.content_hash, record.path, reading.mark),
            path=record.path,
            prepared=prepared,
            texts=texts,
            unsent=unsent,
            missing=set(unsent),
        )

    def _fail_to_open(self, job: Job, record: FileRecord, error: OSError) -> None:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            self._ledger.gone(job, record.path)
            return
        stat = None
        if isinstance(error, PermissionError):
            with contextlib.suppress(OSError):
                stat = regular_stat(record.path)
        # Without a stat the file is tried again at every look: a drive may come back.
        self._ledger.fail(job, stat, None, os_problem(error, record.path))


def _too_large(path: str, megabytes: int) -> Problem:
    name = Path(path).name
    return Problem(
        "Too large",
        f"“{name}” is larger than {megabytes} MB. Raise the limit in the settings to read it.",
    )


def _let_tick_pass(stat: FileStat) -> None:
    age = time.time() - max(stat.mtime_ns, stat.ctime_ns) / 1e9
    if 0 <= age < _TICK_SECONDS:
        time.sleep(_TICK_SECONDS - age)
