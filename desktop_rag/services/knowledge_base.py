"""The programming interface: open a library, add a folder, ask."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from desktop_rag.domain.answer import Answer
from desktop_rag.domain.scope import Scope
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.owner import OwnerLock
from desktop_rag.services.removing import wait_until_left_out
from desktop_rag.services.reports import IndexReport, Removal
from desktop_rag.services.search_report import SEARCH_MODES, SearchMode, SearchReport
from desktop_rag.services.services import Services


class KnowledgeBase:
    """A library that this process owns until ``close``; also a context manager.

    Every method may be called from any thread. ``desktop_rag.open_library`` makes one.

    Args:
        services: what it works with.
        lock: the data folder's lock, held; it is given back by ``close``.
    """

    def __init__(self, services: Services, lock: OwnerLock) -> None:
        self._services: Services | None = services
        self._lock = lock

    def add(self, *paths: str | Path) -> IndexReport:
        """Add files or folders, read them, and return what was done once all is searchable.

        Raises:
            ValueError: no path is given.
            KnownError: there is nothing at a path; none of them is added then.
        """
        if not paths:
            raise ValueError("add needs a path")
        return self._open.library.index(paths)

    def refresh(self) -> IndexReport:
        """Bring everything that was added up to date with the disk."""
        return self._open.library.index()

    def remove(self, *paths: str | Path) -> list[Removal]:
        """Take files or folders out of the library; on the disk they stay.

        Raises:
            ValueError: no path is given.
        """
        if not paths:
            raise ValueError("remove needs a path")
        removals = self._open.library.remove(paths)
        wait_until_left_out(self._open, removals, CancelToken())
        return removals

    def ask(
        self,
        question: str,
        *,
        filter_text: str = "",
        rerank: bool = True,
        scope: Scope | None = None,
    ) -> Answer:
        """Answer a question with quotes from the files.

        Args:
            question: what one wants to know.
            filter_text: limits the files, as in ``type:pdf folder:contracts``.
            rerank: whether the best passages are looked at more closely.
            scope: limits the question to places and labels.

        Raises:
            ValueError: the question is blank.
            KnownError: the filter cannot be understood, or a collection is not there.
        """
        if not question.strip():
            raise ValueError("a question must not be blank")
        return self._open.assistant.ask(
            question, filter_text=filter_text, rerank=rerank, scope=scope
        )

    def search(
        self,
        question: str,
        k: int = 10,
        *,
        mode: SearchMode = "hybrid",
        filter_text: str = "",
        rerank: bool = False,
        scope: Scope | None = None,
    ) -> SearchReport:
        """Return the best ``k`` passages.

        Raises:
            ValueError: ``k`` is not positive, or there is no such mode.
            KnownError: the filter cannot be understood, or a collection is not there.
        """
        if k <= 0:
            raise ValueError(f"k must be greater than 0, not {k}")
        if mode not in SEARCH_MODES:
            raise ValueError(f"mode must be one of {', '.join(SEARCH_MODES)}, not {mode!r}")
        return self._open.assistant.search(
            question, k=k, mode=mode, filter_text=filter_text, rerank=rerank, scope=scope
        )

    def close(self) -> None:
        """Save and let others have the data folder; a second call does nothing."""
        services, self._services = self._services, None
        if services is not None:
            try:
                services.close()
            finally:
                self._lock.release()

    @property
    def _open(self) -> Services:
        if self._services is None:
            raise ValueError("the library is closed")
        return self._services

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()
