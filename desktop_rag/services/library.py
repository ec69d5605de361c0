"""The library: what the user added, kept equal to the disk. One of the program's two doors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.files import Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.agenda import Look
from desktop_rag.ingestion.reading_stage import LibraryLimits
from desktop_rag.ingestion.sources import Spot, by_source
from desktop_rag.ingestion.tally import Tally
from desktop_rag.services.announcer import Listener
from desktop_rag.services.library_engine import LibraryEngine
from desktop_rag.services.library_reports import index_report, records_at
from desktop_rag.services.library_views import LibraryViews, StrPath, absolute
from desktop_rag.services.reports import IndexReport, ModelChange, Progress, Removal

if TYPE_CHECKING:
    from desktop_rag.embedding.spaces import EmbeddingSpaces
    from desktop_rag.ingestion.ocr_reader import PageRecogniser
    from desktop_rag.ingestion.reading import DocumentReader, PageRenderer
    from desktop_rag.store.knowledge_store import KnowledgeStore

__all__ = ["Library", "LibraryLimits"]

OnProgress = Callable[[Progress], None]

_TELL_SECONDS = 0.2
_END_SECONDS = 5.0


class Library(LibraryViews):
    """Sources, their files, and the work that keeps up with them.

    Nothing runs until ``start``, or until something is asked for. All methods may be
    called from any thread.

    Args:
        store: the truth; closed by whoever opened it, after this.
        spaces: the models and their threads; closed likewise.
        reader: reads files; closed here.
        renderer: draws pages; closed here.
        data_dir: the program's own folder, never read.
        limits: what is too large.
        recogniser: recognises pages without text; None when that is not installed. Closed here.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        spaces: EmbeddingSpaces,
        reader: DocumentReader,
        renderer: PageRenderer,
        data_dir: Path,
        limits: LibraryLimits | None = None,
        recogniser: PageRecogniser | None = None,
    ) -> None:
        self._store = store
        self._renderer = renderer
        self._engine = LibraryEngine(store, spaces, reader, recogniser, data_dir, limits)
        self._started = False

    def start(self, watch: bool) -> None:
        """Look for changes made meanwhile and finish what was begun, in the background.

        A second call does nothing, but for beginning to watch if the first did not.

        Args:
            watch: whether to hear of changes from now on.
        """
        watching = self._engine.upkeep.watching
        if watch:
            self._engine.upkeep.watch()
        first, self._started = not self._started, True
        if first:
            self._engine.read_outdated()
            self._engine.begin_ocr()
            self._engine.relearning.begin()
        if first or (watch and not watching):
            self._engine.look(Look())

    def add(self, paths: Sequence[StrPath]) -> list[Source]:
        """Add folders or single files; they are read in the background, before all others.

        A path inside a source that is there already is looked at again.

        Raises:
            KnownError: a path does not exist, or is the library's own folder; then none
                is added.
        """
        spots = self._add(paths)
        self._engine.look(Look(by_source(spots), urgent=True))
        return list({spot.source.id: spot.source for spot in spots}.values())

    def index(
        self,
        paths: Sequence[StrPath] = (),
        on_progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
        again: bool = False,
    ) -> IndexReport:
        """Add ``paths`` (or take all sources) and wait until they are up to date.

        ``again``: files and pages in them that could not be read are tried again.

        Raises:
            KnownError: a path does not exist, or the work cannot go on (disk full).
            Cancelled: ``cancel`` was set, or the library is closing; the work goes on in
                the background, or at the next start.
        """
        began = time.monotonic()
        spots = self._add(paths) if paths else None
        self._engine.begin_ocr()
        self._engine.relearning.begin()
        tally = Tally()
        where = None if spots is None else by_source(spots)
        if again:
            self._engine.read_unread(where, tally)
        self._engine.look(Look(where, urgent=True, tally=tally))
        with self._engine.recognition.counted(tally):
            while not self._engine.is_through(tally, where, _TELL_SECONDS):
                self._check(cancel)
                if on_progress is not None:
                    on_progress(self.progress())
        self._check(cancel)
        tally.raise_error()
        self._engine.settle()
        records = self._engine.shown(records_at(self._store, where))
        return index_report(tally, time.monotonic() - began, records)

    def remove(self, paths: Sequence[StrPath]) -> list[Removal]:
        """Take sources out of the library; a path inside one is left out from now on.

        Raises:
            KnownError: a path is in no source; those before it are removed.
        """
        removals = []
        for path in map(absolute, paths):
            with self._engine.upkeep.planning:
                removals.append(self._remove(path))
        return removals

    def refresh(self) -> None:
        """Look for changes in all sources now."""
        self._engine.announcer.sources()
        self._engine.upkeep.agenda.hasten()
        self._engine.look(Look(urgent=True))

    def retry(self, file_ids: Iterable[int]) -> None:
        """Read files and pages again that could not be read, before all others."""
        file_ids = list(file_ids)
        self._engine.recognition.try_again(file_ids)
        self._engine.read_again(file_ids, urgent=True)

    def pause(self) -> None:
        """Stop reading within a second, until ``resume``; questions are answered as before."""
        self._engine.pipeline.gate.pause()

    def resume(self) -> None:
        """Go on reading, also after it stopped because the disk was full."""
        self._engine.upkeep.agenda.hasten()
        self._engine.pipeline.gate.resume()

    def model_change(self) -> ModelChange | None:
        """Return what a changed language model has to read, None when it is not changed.

        It takes a second: a little is read, to tell how long all of it will take.

        Raises:
            KnownError: the model's file is damaged.
        """
        if not self._store.outdated:
            return None
        return ModelChange(self._store.backlog().passages, self._engine.relearning.cost_seconds())

    def accept_model(self) -> None:
        """Have a changed language model read all passages, in the background."""
        self._store.accept_models()
        self._engine.announcer.begin()
        self._engine.relearning.begin()

    def set_full_speed(self, full: bool) -> None:
        """Use all processors for reading, or leave all but one to other programs."""
        self._engine.speed.want(full)

    def set_recognition(self, on: bool) -> None:
        """Recognise the text of pages that are pictures from now on, or leave them."""
        self._engine.recognise(on)

    def listen(self, callback: Listener) -> Callable[[], None]:
        """Have ``callback`` told of changes, from another thread; return what ends that."""
        return self._engine.announcer.listen(callback)

    def wait_settled(self, timeout: float | None = None) -> bool:
        """Wait until the library equals the disk and all of it can be found.

        Returns:
            False when the time is over first, or the library is closed.
        """
        return self._engine.wait_settled(timeout)

    def close(self, timeout: float = _END_SECONDS) -> None:
        """Stop in the middle of anything; what is unfinished goes on at the next start."""
        self._engine.close(timeout)
        self._renderer.close()

    def _check(self, cancel: CancelToken | None) -> None:
        self._engine.check()
        if cancel is not None:
            cancel.check()
        self._engine.pipeline.raise_problem()

    def _add(self, paths: Sequence[StrPath]) -> list[Spot]:
        wanted = [absolute(path) for path in paths]
        book = self._engine.book
        for path in wanted:
            book.check(path)
        with self._engine.upkeep.planning:
            spots = [book.add(path) for path in wanted]
        self._engine.announcer.sources()
        return spots

    def _remove(self, path: str) -> Removal:
        spot = self._engine.book.find(path)
        if spot.relpath:
            source = self._engine.book.leave_out(spot)
            self._engine.leave_out_members(path)
            self._engine.look(Look({source.id: {spot.relpath: True}}, urgent=True))
            return Removal(path, "ignored")
        files = self._store.files(spot.source.id)
        self._engine.pipeline.drop([record.id for record in files])
        self._store.remove_source(spot.source.id)
        self._engine.announcer.sources()
        return Removal(path, "source")
