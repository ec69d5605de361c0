"""The thread that keeps the model busy and commits each document when it is complete."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.effort import Effort
from desktop_rag.ingestion.feeder import SentText, TextFeeder
from desktop_rag.ingestion.gate import Gate
from desktop_rag.ingestion.ledger import Ledger
from desktop_rag.ingestion.work import Reading, Work
from desktop_rag.ingestion.work_list import WorkList
from desktop_rag.store.records import MissingDocumentError, MissingVectorsError

if TYPE_CHECKING:
    from desktop_rag.embedding.spaces import EmbeddingSpaces
    from desktop_rag.store.knowledge_store import KnowledgeStore

_log = logging.getLogger(__name__)

_PUT_AHEAD = 256
"""Vectors of a large document that are stored before its commit, so that a crash or a
closed window costs less than a minute's work."""

_WAKE_EVERY = 32
"""Texts after which a reading that waits for room looks again."""

_GATHER_SECONDS = 0.05
"""While the model has plenty of texts, the vectors of this time are taken at one waking."""

_BUG = KnownError(
    "Reading has stopped",
    "An error in the program stopped the reading; its log says more. It is tried again soon.",
)


class EmbeddingStage:
    """Feeds the embedding threads across documents, most urgent first, and commits.

    ``put``, ``passed`` and ``works`` are for other threads, too; all else happens on the
    stage's own. ``tokens_done`` counts what the model read.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        spaces: EmbeddingSpaces,
        ledger: Ledger,
        gate: Gate,
        effort: Effort,
    ) -> None:
        self._effort = effort
        self._store = store
        self._ledger = ledger
        self._gate = gate
        self._inbox: SimpleQueue[Work | SentText | None] = SimpleQueue()
        self._feeder = TextFeeder(spaces, self._inbox.put)
        self.works = WorkList()
        self._complete: list[Work] = []
        self._on_room: Callable[[], None] = lambda: None
        self._since_wake = 0
        self.tokens_done = 0
        self._thread = threading.Thread(target=self._run, name="library-embedding", daemon=True)
        gate.listen(lambda: self._inbox.put(None))

    def start(self, on_room: Callable[[], None]) -> None:
        """Begin; ``on_room`` is called when a refused document may be admitted now."""
        self._on_room = on_room
        self._thread.start()

    def join(self, timeout: float) -> bool:
        """Wait for the thread's end after the gate was closed; False if it takes longer."""
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def put(self, work: Work) -> None:
        """Take on a document that was read."""
        self._effort.learn(work.path, work.job.size, work.tokens_missing)
        self.works.put(work)
        self._inbox.put(work)

    def passed(self, path: str, size: int) -> None:
        """A file needs nothing of the model: what it says is known."""
        self._effort.learn(path, size, 0)

    @property
    def current(self) -> tuple[int, str] | None:
        """The file whose document has the model first: its id and path."""
        first = next(iter(self.works.all()), None)
        return None if first is None else (first.job.file_id, first.path)

    def set_window(self, texts: int) -> None:
        """Give the model this many texts at a time; one leaves all but one processor free."""
        self._feeder.window = texts

    def _run(self) -> None:
        while not self._gate.closed:
            try:
                self._receive()
                self._commit_complete()
                self._feed()
            except KnownError as error:
                self._gate.stall(error)
            except Exception:
                _log.exception("the thread that commits documents failed")
                self._gate.stall(_BUG)
        self._feeder.withdraw()
        self._keep_vectors()

    def _receive(self) -> None:
        """Wait for a message and take all that are there."""
        try:
            message = self._inbox.get(timeout=self._gate.seconds_to_retry)
        except Empty:
            self._gate.end_stall()
            return
        if self._feeder.has_plenty:
            time.sleep(_GATHER_SECONDS)
        while True:
            self._take(message)
            try:
                message = self._inbox.get_nowait()
            except Empty:
                return

    def _take(self, message: Work | SentText | None) -> None:
        if isinstance(message, Work):
            if not message.missing:
                self._complete.append(message)
        elif message is not None:
            self._take_vector(message)
        elif not self._gate.open:
            self._feeder.withdraw()

    def _take_vector(self, sent: SentText) -> None:
        try:
            complete = self._feeder.receive(sent)
        except KnownError as error:
            self._gate.stall(error)
            return
        except Exception as error:
            for work in list(sent.works):
                self._abandon(work, error)
            return
        self.tokens_done += sent.segment.tokens
        self._complete.extend(complete)
        for work in sent.works:
            if len(work.unstored) >= _PUT_AHEAD and work.missing:
                self._store_ahead(work)
        self._since_wake += 1
        if self._since_wake >= _WAKE_EVERY:
            self._tell_room()

    def _feed(self) -> None:
        while self._gate.open:
            works = self.works.all()
            for work in works:
                if work.job.dropped:
                    self._leave(work)
            complete = self._feeder.fill(work for work in works if not work.job.dropped)
            if not complete:
                return
            self._complete.extend(complete)
            self._commit_complete()

    def _commit_complete(self) -> None:
        while self._complete and self._gate.problem is None:
            work = self._complete[0]
            if work.job.dropped:
                self._leave(work)
            elif not work.missing:
                self._commit(work)
            self._complete.pop(0)

    def _commit(self, work: Work) -> None:
        """Store a document.

        Raises:
            KnownError: the store cannot take it now; the document stays first in line.
        """
        reading = work.reading
        try:
            result = self._store.commit_document(
                reading.job.file_id,
                reading.stat,
                reading.content_hash,
                work.key,
                work.prepared,
                work.vectors,
            )
        except MissingVectorsError as error:
            # They were known when the document was read, and left with another one since.
            work.need(error.hashes)
        except KnownError:
            raise
        except Exception as error:
            self._abandon(work, error)
        else:
            self._ledger.committed(work, result)
            self._leave(work, result.document_id)

    def _abandon(self, work: Work, error: Exception) -> None:
        self._ledger.bug(work.job, error)
        self._leave(work)

    def _leave(self, work: Work, document_id: int | None = None) -> None:
        """Let a document go; its followers share what was stored, or start again."""
        followers = self.works.remove(work)
        if followers is None:
            return
        self._feeder.forget(work)
        if document_id is None:
            self._store.release_hashes(work.texts.keys())
        if work.job.dropped:
            self._ledger.finish(work.job, None)
        for reading in followers:
            self._settle_follower(reading, document_id)
        self._tell_room()

    def _settle_follower(self, reading: Reading, document_id: int | None) -> None:
        job = reading.job
        if job.dropped:
            self._ledger.finish(job, None)
        elif document_id is None:
            self._ledger.put_back(job)
        else:
            try:
                self._store.attach_document(
                    job.file_id, reading.stat, reading.content_hash, document_id
                )
            except MissingDocumentError:
                self._ledger.put_back(job)
            except KnownError as error:
                self._gate.stall(error)
                self._ledger.put_back(job)
            except Exception as error:
                self._ledger.bug(job, error)
            else:
                self._ledger.attached(job)

    def _store_ahead(self, work: Work) -> None:
        """Store a document's vectors before it is complete."""
        for space, texts in work.unstored_by_space().items():
            self._store.put_vectors(space, texts)
        work.unstored.clear()

    def _keep_vectors(self) -> None:
        """At the end, keep what the model has done for documents that are not complete."""
        try:
            for work in self.works.all():
                if work.unstored and not work.job.dropped:
                    self._store_ahead(work)
        except KnownError as error:
            _log.warning("vectors of unfinished files were not kept: %s", error.title)

    def _tell_room(self) -> None:
        self._since_wake = 0
        self._on_room()
