"""Having pages recognised in a child process of its own, at the lowest priority."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from desktop_rag.domain.ocr import RecognisedPage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.child import Child, ChildEnded
from desktop_rag.foundation.warm_child import WarmChild
from desktop_rag.ingestion.ocr_wire import RECOGNISED, PagesBuilder
from desktop_rag.ingestion.reading import ReadLimits

_log = logging.getLogger(__name__)

TOOK_TOO_LONG = "recognising this page took too long"
NEEDED_TOO_MUCH_MEMORY = "recognising this page needed too much memory"
NOT_RECOGNISED = "this page could not be recognised"

_CHECK_SECONDS = 0.05
_PATIENCE = 4.0
"""Times the limit that a page may take by the clock. The limit itself is of the processor's
time: at the lowest priority a page waits for whatever else this computer does."""


class PageRecogniser(Protocol):
    """Recognises one page at a time."""

    def recognise(self, path: Path, page: int, cancel: CancelToken) -> RecognisedPage:
        """Return what a page (1-based) says, or why that cannot be told.

        Raises:
            Cancelled: ``cancel`` was set.
            OSError: the file is gone.
            RuntimeError: it is closed, or its child process does not start.
        """
        ...

    def rest(self) -> None:
        """Give memory back: nothing has to be recognised for the time being."""
        ...

    def close(self) -> None:
        """Free what it holds; a page in another thread ends."""
        ...


PAGE_LIMITS = ReadLimits(seconds=60.0, memory_mb=2000)
"""What one page may take: seconds of a processor, not of the clock, and memory."""


class WorkerRecogniser:
    """Recognises pages in one warm child process; thread-safe, one page at a time.

    A page that takes too long or makes the process crash costs itself alone.

    Args:
        limits: of one page; may be replaced at any time, for the pages to come.
        command: the program to run as child; None for this program's own worker.
    """

    def __init__(
        self, limits: ReadLimits = PAGE_LIMITS, command: Sequence[str] | None = None
    ) -> None:
        self.limits = limits
        self._working = threading.Lock()
        self._warm = WarmChild("ocr", self._arguments, command)

    def recognise(self, path: Path, page: int, cancel: CancelToken) -> RecognisedPage:
        """Recognise a page; see ``PageRecogniser``."""
        with self._working:
            cancel.check()
            request = {"path": os.fsencode(path), "page": page}
            child = self._warm.send([("recognise", request)])
            healthy = False
            try:
                result = self._receive(child, path, page, cancel)
                healthy = result.reason is None
                return result
            finally:
                if not healthy:
                    self._warm.drop(child)

    def rest(self) -> None:
        """End the child; the next page starts another one."""
        with self._working:
            self._warm.drop()

    def close(self) -> None:
        """End the child at once; a page in another thread raises."""
        self._warm.close()

    def _receive(self, child: Child, path: Path, page: int, cancel: CancelToken) -> RecognisedPage:
        limits, clock = self.limits, _Clock(child)
        builder = PagesBuilder()
        while True:
            cancel.check()
            try:
                frame = child.receive(_CHECK_SECONDS)
            except ChildEnded as ended:
                return self._crashed(child, page, ended)
            if frame is None:
                if clock.is_over(limits.seconds):
                    return RecognisedPage(page, reason=TOOK_TOO_LONG)
                if sys.platform != "linux" and child.memory() > limits.memory_mb << 20:
                    return RecognisedPage(page, reason=NEEDED_TOO_MUCH_MEMORY)
            elif frame[0] == RECOGNISED:
                builder.add(frame[1])
            elif frame[0] == "done":
                return builder.take().get(page, RecognisedPage(page))
            else:
                return _answered(frame[0], frame[1], path, page)

    def _crashed(self, child: Child, page: int, ended: ChildEnded) -> RecognisedPage:
        if self._warm.closed:
            raise RuntimeError("the recogniser is closed") from ended
        words = child.last_words()
        if not ended.started:
            raise RuntimeError(f"the recognising process does not start: {words}") from ended
        _log.error("the recognising process ended with %s\n%s", ended.returncode, words)
        return RecognisedPage(page, reason=NOT_RECOGNISED)

    def _arguments(self) -> list[str]:
        limits = self.limits
        return ["--memory-mb", str(limits.memory_mb), "--seconds", str(limits.seconds)]


class _Clock:
    """How long a child has worked since it was made, by the processor and by the clock."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._began = time.monotonic()
        self._processor = child.processor_seconds()

    def is_over(self, seconds: float) -> bool:
        passed = time.monotonic() - self._began
        if passed < seconds:
            return False
        worked = self._child.processor_seconds() - self._processor
        return worked >= seconds or passed >= _PATIENCE * seconds


def _answered(kind: str, payload: Any, path: Path, page: int) -> RecognisedPage:  # noqa: ANN401
    """Return what the child's own word on a failure comes to.

    Raises:
        OSError: the file is gone.
    """
    if kind == "oserror":
        raise OSError(payload["errno"], payload["message"], str(path))
    if kind == "memory":
        return RecognisedPage(page, reason=NEEDED_TOO_MUCH_MEMORY)
    if kind == "failed":
        _log.error("recognising a page failed: %s", payload["trace"])
    return RecognisedPage(page, reason=NOT_RECOGNISED)
