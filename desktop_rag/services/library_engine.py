"""The library's moving parts, put together: upkeep, pipeline and announcer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.foundation import power
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.agenda import Look
from desktop_rag.ingestion.applying import Manner, PlanApplier
from desktop_rag.ingestion.jobs import Job
from desktop_rag.ingestion.ocr_stage import RecognitionStage
from desktop_rag.ingestion.pipeline import Pipeline
from desktop_rag.ingestion.preparation import PREPARATION_VERSION
from desktop_rag.ingestion.progress import Progress
from desktop_rag.ingestion.reading_stage import LibraryLimits
from desktop_rag.ingestion.relearning import RelearningStage
from desktop_rag.ingestion.sources import SourceBook
from desktop_rag.ingestion.speed import Speed
from desktop_rag.ingestion.survey import Surveyor
from desktop_rag.ingestion.tally import Tally
from desktop_rag.ingestion.upkeep import Upkeep
from desktop_rag.services.announcer import Activity, Announcer
from desktop_rag.services.library_reports import UnderWay, records_at, shown, with_page
from desktop_rag.services.surveying import OnCount, Survey, survey
from desktop_rag.services.transferring import PREPARED_NOTE

if TYPE_CHECKING:
    from desktop_rag.embedding.spaces import EmbeddingSpaces
    from desktop_rag.ingestion.ocr_reader import PageRecogniser
    from desktop_rag.ingestion.reading import DocumentReader
    from desktop_rag.store.knowledge_store import KnowledgeStore


ANOTHER_MODEL = (
    "The language model is another one now. Until it has read your documents, they are found "
    "by their words alone. Have them read by it when you can spare the time: nothing has to "
    "be opened again, and it can be interrupted."
)

Spots = Mapping[int, Iterable[str]]
"""Relative paths by source id."""


class LibraryEngine:
    """Builds the parts and ends them; the ``Library`` speaks to them.

    Args:
        store: the truth; closed by whoever opened it.
        spaces: the models and their threads; closed likewise.
        reader: reads files; closed here.
        recogniser: recognises pages without text; None when that is not installed. Closed here.
        data_dir: the program's own folder, never read.
        limits: what is too large.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        spaces: EmbeddingSpaces,
        reader: DocumentReader,
        recogniser: PageRecogniser | None,
        data_dir: Path,
        limits: LibraryLimits | None = None,
    ) -> None:
        limits = limits or LibraryLimits()
        self._store = store
        self._reader = reader
        self._data_dir, self._file_mb = data_dir, limits.file_mb
        self._cancel = CancelToken()
        self._settling = threading.Lock()
        self._follows_ocr = False
        self.book = SourceBook(store, data_dir)
        self.announcer = Announcer(self.activity, self.settle)
        tell_files = self._tell_files
        self.pipeline = Pipeline(store, spaces, reader, limits, tell_files, self._heard_of)
        self.speed = Speed(self.pipeline.set_full_speed, power.on_battery)
        gate = self.pipeline.gate
        self._applier = PlanApplier(store, self.pipeline, tell_files)
        tell = (self.announcer.sources, self.announcer.over)
        self.upkeep = Upkeep(store, Surveyor(store, data_dir), self._applier, gate, *tell)
        self.relearning = RelearningStage(store, spaces, gate, self.announcer.stir)
        tell_shown = self.announcer.shown
        self.recognition = RecognitionStage(store, recogniser, self.pipeline, tell_shown)
        gate.listen(self.announcer.stir)

    @property
    def closed(self) -> bool:
        """Whether the end has begun."""
        return self._cancel.cancelled

    def check(self) -> None:
        """Raise ``Cancelled`` once the end has begun."""
        self._cancel.check()

    def look(self, look: Look) -> None:
        """Have something looked at, and "settled" told after it."""
        self.announcer.begin()
        self.upkeep.request(look)

    def survey(
        self, paths: Sequence[str], cancel: CancelToken | None, on_count: OnCount | None
    ) -> Survey:
        """Count what is new at absolute paths."""
        known = self.book.known_paths(paths)
        return survey(paths, self._data_dir, self._file_mb, known, on_count, cancel)

    def read_outdated(self) -> None:
        """Read everything again that an older version of the program has prepared.

        What was prepared then answers until the new is there; what could not be read
        may be readable now.
        """
        if self._store.note(PREPARED_NOTE) == PREPARATION_VERSION:
            return
        files = self._store.files(statuses=(FileStatus.READY, FileStatus.FAILED))
        on_disk = [record.id for record in files if record.container_id is None]
        self.read_again(on_disk, urgent=False)
        self._store.set_note(PREPARED_NOTE, PREPARATION_VERSION)

    def recognise(self, on: bool) -> None:
        """Recognise pages without text, or leave them; files follow if work has begun."""
        self.recognition.switch(on)
        if self._follows_ocr:
            self._follow_ocr()

    def begin_ocr(self) -> None:
        """Bring files in line with whether pages are recognised, from now on."""
        if not self._follows_ocr:
            self._follows_ocr = True
            self._follow_ocr()

    def _follow_ocr(self) -> None:
        self.recognition.follow_state()
        unread = self.recognition.unread_ids()
        if unread:
            self.read_again(unread, urgent=False)

    def read_unread(self, spots: Spots | None, tally: Tally) -> None:
        """Try again what could not be read at or below these paths; None: anywhere.

        ``tally`` hears of what lies in other files; the next look finds the others waiting.
        """
        able = (FileStatus.FAILED, FileStatus.READY)
        with self.upkeep.planning:
            unread = [
                record
                for record in records_at(self._store, spots)
                if record.status in able and (record.problem or record.coverage.unreadable)
            ]
            members = [record.id for record in unread if record.container_id is not None]
            waiting = [record.id for record in unread if record.container_id is None]
            self.recognition.try_again([*waiting, *members])
            self._store.set_status(waiting, FileStatus.WAITING)
            self.read_again(members, urgent=True, tally=tally)

    def read_again(self, file_ids: Iterable[int], urgent: bool, tally: Tally | None = None) -> None:
        """Read files again whatever is known of them."""
        with self.upkeep.planning:
            found = [record for id_ in file_ids if (record := self._store.file(id_)) is not None]
            records = [record for record in found if record.status is not FileStatus.IGNORED]
            self._store.set_status([record.id for record in records], FileStatus.WAITING)
            jobs = [Job(record.id, record.stat.size if record.stat else 0) for record in records]
            self._applier.submit(jobs, Manner(urgent=urgent, tally=tally))
        self.announcer.files([record.id for record in records])

    def leave_out_members(self, path: str) -> None:
        """Leave out what lies inside a file: no look at the disk finds it."""
        members = self._store.members_at(path)
        self.pipeline.drop(members)
        self._store.set_status(members, FileStatus.IGNORED)
        self.announcer.files(members)

    def is_through(self, tally: Tally, spots: Spots | None, seconds: float) -> bool:
        """Whether a look has done all that came of it, waiting a little for that.

        Pages of files at or below these paths that are going to be recognised count.
        """
        if not (tally.wait(seconds) and self._are_recognised(spots)):
            self.recognition.wait_idle(seconds)
            return False
        return tally.wait(seconds) and self.relearning.wait_idle(seconds)

    def _are_recognised(self, spots: Spots | None) -> bool:
        if not self.recognition.scanned:
            return True
        ids = (record.id for record in records_at(self._store, spots))
        return not self.recognition.waits_for(ids)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user about what does not go as it should."""
        model = (ANOTHER_MODEL,) if self._store.outdated else ()
        speed = () if self.pipeline.idle else self.speed.notes
        return (*self.pipeline.notes, *speed, *self.upkeep.notes, *self.recognition.notes, *model)

    def shown(self, records: Iterable[FileRecord]) -> list[FileRecord]:
        """Return records as they are to be shown: with what is under way."""
        recognition = self.recognition
        ids = self.pipeline.reading_ids()
        under_way = UnderWay(ids, recognition.current, recognition.state)
        return [shown(record, under_way) for record in records]

    def progress(self) -> Progress:
        """How far the work is, of whatever kind."""
        progress = self.pipeline.progress()
        if progress.state == "idle" and self.upkeep.agenda.scanning:
            progress = replace(progress, state="scanning")
        relearned = self.relearning.progress
        if progress.state == "idle" and relearned is not None:
            left = self.relearning.seconds_left
            state: Literal["relearning", "paused"]
            state = "relearning" if self.pipeline.gate.open else "paused"
            progress = replace(progress, state=state, seconds_left=left)
            progress = replace(progress, page=relearned[0], pages=relearned[1])
        progress = with_page(progress, self.recognition.current)
        problem = self.pipeline.gate.problem
        progress = replace(progress, notes=self.notes, problem=problem)
        return replace(progress, new_model=bool(self._store.outdated))

    def activity(self) -> Activity:
        """What goes on now."""
        self.speed.follow()
        idle = self.pipeline.idle and self.relearning.progress is None
        if self.upkeep.agenda.scanning or (not idle and self.pipeline.gate.open):
            return Activity.WORKING
        return Activity.NONE if idle and self.upkeep.agenda.settled else Activity.HELD_UP

    def settle(self) -> None:
        """Let the store finish what follows from changes.

        Raises:
            Cancelled: the end has begun.
            KnownError: the disk is full.
        """
        with self._settling:
            self._cancel.check()
            self._store.settle(self._cancel)

    def wait_settled(self, timeout: float | None) -> bool:
        """Wait until the library equals the disk and all of it can be found."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self.closed:
            waits = (
                self.upkeep.agenda.wait_settled,
                self.pipeline.wait_idle,
                self.relearning.wait_idle,
                self.announcer.wait_quiet,
                self.recognition.wait_idle,
            )
            for wait in waits:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                if not wait(left):
                    return False
            settled = self.activity() is Activity.NONE and self.announcer.quiet
            if settled and self.recognition.idle:
                return True
        return False

    def close(self, timeout: float) -> bool:
        """Stop in the middle of anything; False if a part needs longer than ``timeout``."""
        deadline = time.monotonic() + timeout
        self._cancel.cancel()
        self.pipeline.gate.close()
        self._reader.close()
        self.recognition.stop()
        ends = (
            self.relearning.close,
            self.upkeep.close,
            self.pipeline.close,
            self.recognition.close,
            self.announcer.close,
        )
        ended = [end(max(0.1, deadline - time.monotonic())) for end in ends]
        return all(ended)

    def _tell_files(self, file_ids: Sequence[int]) -> None:
        self.announcer.files(file_ids)
        self.recognition.stir(file_ids)

    def _heard_of(self, path: str) -> None:
        # The upkeep is built after the pipeline, which it feeds.
        self.upkeep.heard_of(path)
