"""The thread that has pages without text recognised, when there is nothing else to do."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, Problem
from desktop_rag.domain.ocr import OcrState
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.ingestion.gate import Gate
from desktop_rag.ingestion.jobs import Job
from desktop_rag.ingestion.ledger import problem_of
from desktop_rag.ingestion.listing import stat_like
from desktop_rag.ingestion.ocr_agenda import OcrAgenda
from desktop_rag.ingestion.parsers.recognition import NO_TEXT_SCANNED, scanned
from desktop_rag.ingestion.pipeline import Pipeline
from desktop_rag.ingestion.progress import PageUnderWay
from desktop_rag.ingestion.tally import Tally

if TYPE_CHECKING:
    from desktop_rag.ingestion.ocr_reader import PageRecogniser
    from desktop_rag.store.knowledge_store import KnowledgeStore
    from desktop_rag.store.ocr_store import ScannedFile

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.1
_REST_SECONDS = 5.0
"""After so long a wait for readings to end, the process that recognises is let go."""

_PARTS = frozenset({10, 40, 160, 640, 2560})
"""Pages after which a long document is read again, so that those can be found already; all
these readings together take less than half as long again as the last one."""

_BROKEN = (
    "Pages without text are not recognised: the part of the program that does it does not "
    "start. The log says more."
)


class RecognitionStage:
    """Recognises page by page what no reading has text of.

    A document is in the library before; each page's lines are stored at once by content, and
    when a document's pages are through it is read again together with them. Any reading goes
    first: no page is begun while a file waits.

    Args:
        store: knows which files have such pages, and keeps what came of them.
        recogniser: recognises one page; None when that is not installed. Closed here.
        pipeline: reads the files again.
        on_page: told the ids of files whose next page is under way.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        recogniser: PageRecogniser | None,
        pipeline: Pipeline,
        on_page: Callable[[Sequence[int]], None],
    ) -> None:
        self._store = store
        self._recogniser = recogniser
        self._pipeline = pipeline
        self._gate: Gate = pipeline.gate
        self._on_page = on_page
        self._agenda = OcrAgenda(store)
        self._changed = threading.Condition()
        self._stirred = False
        self._closed = False
        self._cancel = CancelToken()
        self._current: PageUnderWay | None = None
        self._tallies: list[Tally] = []
        self._broken = False
        self._thread: threading.Thread | None = None
        self.state = OcrState.MISSING if recogniser is None else OcrState.ON
        pipeline.set_ocr(self.state)
        self._gate.listen(self._on_gate)

    def stir(self, file_ids: Iterable[int] = ()) -> None:
        """Files have changed, or there may be something to do: look again."""
        self._agenda.heard_of(file_ids)
        with self._changed:
            if self.state is not OcrState.ON or self._closed:
                return
            self._stirred = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="library-ocr", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def switch(self, on: bool) -> None:
        """Recognise pages from now on, or no more; without effect when it is not installed."""
        if self._recogniser is None:
            return
        self.state = OcrState.ON if on else OcrState.OFF
        self._pipeline.set_ocr(self.state)
        if not on:
            self._cancel.cancel()

    def follow_state(self) -> None:
        """Begin to recognise; where that is not done, files without any text have failed."""
        if self.state is OcrState.ON:
            self.stir()
            return
        for file_id in self._store.scanned_ids(textless=True):
            record = self._store.file(file_id)
            if record is not None and record.stat is not None:
                problem = _not_read(record.path, self.state)
                self._store.fail_file(file_id, record.stat, record.content_hash, problem)
                self._on_page((file_id,))

    def unread_ids(self) -> list[int]:
        """Return the files that were not read for want of OCR and can be read now."""
        if self.state is not OcrState.ON:
            return []
        return self._store.files_with_problem(NO_TEXT_SCANNED)

    @property
    def current(self) -> PageUnderWay | None:
        """The page that is being recognised."""
        return self._current

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user: why nothing is recognised, if that is not as it should be."""
        return (_BROKEN,) if self._broken else ()

    @property
    def scanned(self) -> bool:
        """Whether any file has pages for OCR: cheap to ask."""
        return self._works and bool(self._store.scanned_ids())

    @property
    def idle(self) -> bool:
        """Whether no page is left that can be recognised now."""
        return not self._works or self._agenda.next() is None

    def waits_for(self, file_ids: Iterable[int]) -> bool:
        """Whether one of these files has pages left that can be recognised now."""
        return self._works and self._agenda.has_any_of(file_ids)

    def try_again(self, file_ids: Iterable[int]) -> None:
        """Let the pages of these files that could not be recognised be tried once more."""
        wanted = list(file_ids)
        self._store.forget_failed_pages(wanted)
        self.stir(wanted)

    @contextmanager
    def counted(self, tally: Tally) -> Iterator[None]:
        """Within, what is read again with its recognised pages counts in ``tally``."""
        with self._changed:
            self._tallies.append(tally)
        try:
            yield
        finally:
            with self._changed:
                self._tallies.remove(tally)

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Wait until ``idle``; False if the time is over first."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self.idle:
            if deadline is not None and time.monotonic() >= deadline:
                return False
            with self._changed:
                self._changed.wait_for(lambda: self._closed, _LOOK_SECONDS)
        return True

    def stop(self) -> None:
        """Begin to end, in the middle of a page; ``close`` waits for it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._cancel.cancel()
        if self._recogniser is not None:
            self._recogniser.close()

    def close(self, timeout: float) -> bool:
        """Stop in the middle of a page; False if that takes longer than ``timeout``.

        While files are read its thread waits for the pipeline, whose end lets it go.
        """
        self.stop()
        if self._thread is not None:
            self._thread.join(timeout)
        return self._thread is None or not self._thread.is_alive()

    def _on_gate(self) -> None:
        if not self._gate.open:
            self._cancel.cancel()
        with self._changed:
            self._stirred = True
            self._changed.notify_all()

    def _run(self) -> None:
        while self._wait():
            try:
                self._recognise_all()
            except Cancelled:
                continue
            except KnownError as error:
                self._gate.stall(error)
            except Exception:
                if self._closed:  # what it works with is being closed
                    return
                _log.exception("recognising pages failed")
                self._broken = True
                return
            finally:
                self._current = None

    def _wait(self) -> bool:
        """Wait until there may be something to do and nothing else is; False at the end."""
        with self._changed:
            while not self._closed and not (self._stirred and self._gate.open):
                self._changed.wait(self._gate.seconds_to_retry)
                if self._gate.seconds_to_retry == 0.0:
                    self._gate.end_stall()
            self._stirred = False
        while not (self._closed or self._pipeline.wait_idle(_REST_SECONDS)) and self._gate.open:
            if self._recogniser is not None:
                self._recogniser.rest()
        return not self._closed

    def _recognise_all(self) -> None:
        self._cancel = CancelToken()
        while self._may_go_on():
            file = self._agenda.next()
            if file is None:
                if self._recogniser is not None:
                    self._recogniser.rest()
                return
            if file.left:
                self._recognise(file)
                self._current = None
            else:
                self._read_again(file)
        self.stir()

    def _may_go_on(self) -> bool:
        self._cancel.check()
        return self._works and self._gate.open and self._pipeline.idle

    def _recognise(self, file: ScannedFile) -> None:
        """Recognise a file's pages for as long as nothing goes first."""
        assert self._recogniser is not None  # no thread without one
        record = self._store.file(file.file_id)
        done = file.pages - len(file.left)
        for number, page in enumerate(file.left, start=done + 1):
            if not self._may_go_on():
                return
            if record is None or not _is_unchanged(record):
                self._agenda.lose(file.file_id)  # a look at the disk will find what became of it
                return
            self._current = PageUnderWay(file.file_id, file.path, number, file.pages)
            self._on_page((file.file_id,))
            try:
                result = self._recogniser.recognise(Path(file.path), page, self._cancel)
            except OSError:
                self._agenda.lose(file.file_id)
                return
            if not self._store.put_recognised_page(file.content_hash, result):
                return
            if number in _PARTS and number < file.pages:
                self._read_again(file)
                return

    def _read_again(self, file: ScannedFile) -> None:
        """Have a file read together with its recognised pages."""
        self._agenda.is_read_again(file)
        record = self._store.file(file.file_id)
        size = 0 if record is None or record.stat is None else record.stat.size
        with self._changed:
            job = Job(file.file_id, size, "recognised", tallies=list(self._tallies))
        for tally in job.tallies:
            tally.opened()
        self._pipeline.submit([job], urgent=False)

    @property
    def _works(self) -> bool:
        return self.state is OcrState.ON and not (self._closed or self._broken)


def _is_unchanged(record: FileRecord) -> bool:
    return record.stat is not None and stat_like(record.path, record.stat) == record.stat


def _not_read(path: str, state: OcrState) -> Problem:
    return problem_of(scanned(Path(path).name, "Its pages are pictures of text.", state))
