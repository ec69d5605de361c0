"""Which trouble there is: looked for in what the library tells, the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rag.domain.files import FileRecord, FileStatus, Source, SourceState
from desktop_rag.gui.library.feed import LibraryFeed
from desktop_rag.gui.strings import language_changed, tr
from desktop_rag.gui.trouble.bar import Trouble
from desktop_rag.gui.trouble.remedies import Remedy, remedies_of
from desktop_rag.gui.words import file_name, readable, translated_problem

if TYPE_CHECKING:
    from desktop_rag.ingestion.progress import Progress

_NAMED = 3
LIBREOFFICE = "Needs LibreOffice"


class TroubleWatch(QObject):
    """Tells the worst trouble that was not put aside; ``changed`` brings it, or None."""

    changed = Signal(object)

    def __init__(self, feed: LibraryFeed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._aside: set[str] = set()
        self._extra: list[Trouble] = []
        feed.reset.connect(self.look)
        feed.updated.connect(lambda _: self.look())
        feed.progress_changed.connect(lambda _: self.look())
        language_changed.connect(self.look)

    def add(self, trouble: Trouble) -> None:
        """Take in a trouble that the library does not know of."""
        self._extra.append(trouble)
        self.look()

    def put_aside(self, trouble: Trouble) -> None:
        """Say nothing more of a trouble until it is another one."""
        self._aside.add(trouble.key)
        self._extra = [other for other in self._extra if other.key != trouble.key]
        self.look()

    def look(self) -> None:
        """Look at what there is now."""
        found = list(self._all())
        self._aside &= {trouble.key for trouble in found}
        self.changed.emit(next((t for t in found if t.key not in self._aside), None))

    def _all(self) -> Iterator[Trouble]:
        progress = self._feed.progress
        if progress is not None:
            yield from of_progress(progress)
        yield from self._extra
        yield from of_sources(self._feed.sources)
        if progress is not None and progress.new_model:
            words = tr("trouble.new_model"), tr("trouble.new_model_message")
            yield Trouble("model", *words, (Remedy.READ_WITH_MODEL,))
        yield from of_files(self._feed.records.values())


def of_progress(progress: Progress) -> Iterator[Trouble]:
    """Yield why the work paused by itself."""
    problem = progress.problem
    if problem is not None:
        title = translated_problem(problem.title, "title", "") or problem.title
        message = translated_problem(problem.title, "message", "") or readable(problem.message)
        yield Trouble(problem.title, title, message, remedies_of(problem.title))


def of_sources(sources: Sequence[Source]) -> Iterator[Trouble]:
    """Yield the sources that cannot be reached, all in one."""
    gone = [source for source in sources if source.state is SourceState.UNAVAILABLE]
    if gone:
        names = ", ".join(f"“{file_name(source.path)}”" for source in gone[:_NAMED])
        title = tr("trouble.gone", n=len(gone), names=names)
        key = "gone " + " ".join(source.path for source in gone)
        yield Trouble(key, title, tr("trouble.gone_message"), remedies_of("Not connected"))


def of_files(records: Iterable[FileRecord]) -> Iterator[Trouble]:
    """Yield what a whole group of files lacks: LibreOffice."""
    lacking = [
        record.id
        for record in records
        if record.status is FileStatus.FAILED
        and record.problem is not None
        and record.problem.title == LIBREOFFICE
    ]
    if lacking:
        title = tr("trouble.libreoffice", n=len(lacking))
        message = tr("trouble.libreoffice_message")
        yield Trouble(f"{LIBREOFFICE} {len(lacking)}", title, message, remedies_of(LIBREOFFICE))
