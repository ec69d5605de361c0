"""What can be asked of a library, without changing anything."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_rag.domain.answer import LibraryCoverage
from desktop_rag.domain.files import FileRecord, FileStatus, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.document_viewer import DocumentViewer
from desktop_rag.services.library_engine import LibraryEngine
from desktop_rag.services.library_reports import counts_of, library_status, problems_of
from desktop_rag.services.reports import LibraryStatus, Progress
from desktop_rag.services.surveying import OnCount, Survey

if TYPE_CHECKING:
    from desktop_rag.ingestion.reading import PageRenderer
    from desktop_rag.store.knowledge_store import KnowledgeStore
    from desktop_rag.store.records import StoredDocument

StrPath = str | os.PathLike[str]


class LibraryViews:
    """The half of the ``Library`` that only looks."""

    _store: KnowledgeStore
    _renderer: PageRenderer
    _engine: LibraryEngine

    def sources(self) -> list[Source]:
        """Return all sources in the order they were added."""
        return self._store.sources()

    def files(self, problems_only: bool = False, source_id: int | None = None) -> list[FileRecord]:
        """Return all files, or those of one source, or those that have a problem."""
        records = self._engine.shown(self._store.files(source_id))
        return [record for record in records if problems_of(record) or not problems_only]

    def file(self, file_id: int) -> FileRecord | None:
        """Return a file, None when there is none with this id."""
        record = self._store.file(file_id)
        return None if record is None else self._engine.shown([record])[0]

    def coverage(self) -> LibraryCoverage:
        """Return how much of the library an answer can see."""
        counts = counts_of(self._store)
        files = sum(counts.values()) - counts.get(FileStatus.IGNORED, 0)
        return LibraryCoverage(
            counts.get(FileStatus.READY, 0), files, counts.get(FileStatus.FAILED, 0)
        )

    def status(self) -> LibraryStatus:
        """Return the library in numbers."""
        return library_status(self._store, self._engine.notes, self._engine.recognition.state)

    def progress(self) -> Progress:
        """Return how far the reading is."""
        return self._engine.progress()

    @property
    def paused(self) -> bool:
        """Whether the user has paused the reading."""
        return self._engine.pipeline.gate.paused

    def survey(
        self,
        paths: Sequence[StrPath],
        cancel: CancelToken | None = None,
        on_progress: OnCount | None = None,
    ) -> Survey:
        """Count what adding ``paths`` would read, and estimate what that takes.

        Args:
            paths: files and folders; what is not there counts nothing.
            cancel: ends it early.
            on_progress: told how many files there are so far, in this thread.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        return self._engine.survey([absolute(path) for path in paths], cancel, on_progress)

    def document(self, file_id: int) -> StoredDocument | None:
        """Return what was read of a file, None if nothing was."""
        record = self._store.file(file_id)
        if record is None or record.document_id is None:
            return None
        return self._store.document(record.document_id)

    def document_by_id(self, document_id: int) -> StoredDocument | None:
        """Return a stored document, None when it is not stored any more."""
        return self._store.document(document_id)

    @property
    def viewer(self) -> DocumentViewer:
        """What draws the pages of files, and tells what stands on them."""
        return DocumentViewer(self._store, self._renderer)


def absolute(path: StrPath) -> str:
    """Return a path as the library keeps it."""
    return os.path.abspath(os.fsdecode(path))
