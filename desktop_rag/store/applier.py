"""The thread that lets the derived indexes follow, a moment after each commit."""

from __future__ import annotations

import logging
import threading

from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.derived import DerivedIndexes

log = logging.getLogger(__name__)

_BATCH_SECONDS = 0.3
"""Commits within this time are applied together, so that all are within 500 ms."""

_RETRY_SECONDS = 5.0


class Applier:
    """Applies in the background what was committed."""

    def __init__(self, derived: DerivedIndexes) -> None:
        self._derived = derived
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-applier")
        self._thread.start()

    def notify(self) -> None:
        """Tell of a committed change."""
        self._wake.set()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wake.wait()
            self._closed.wait(_BATCH_SECONDS)
            # Cleared before closing is looked at: a close after that sets it again.
            self._wake.clear()
            if not self._closed.is_set() and not self._apply():
                self._closed.wait(_RETRY_SECONDS)
                self._wake.set()

    def _apply(self) -> bool:
        try:
            self._derived.apply_pending()
            self._derived.maintain()
        except KnownError as error:
            log.warning("the indexes wait: %s", error.title)
            return False
        except BaseException:  # a panic of tantivy's is no Exception, and must not end the thread
            log.exception("the indexes could not follow")
            return False
        return True
