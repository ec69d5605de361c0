"""The thread that lets the derived indexes follow, a moment after each commit."""

from __future__ import annotations

import logging
import threading
import time

from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.derived import DerivedIndexes

log = logging.getLogger(__name__)

_BATCH_SECONDS = 0.3
_LONGEST_BATCH_SECONDS = 3.0
_SHARE = 50
"""Commits within a time are applied together: 0.3 s at first, so that an edit is found at
once, and while they keep coming fifty times as long as applying took, at most 3 s. A commit
of both keyword indexes costs about 60 ms of processor time, however little is in it, which
the model would do without while a folder is read."""

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
        pause = _BATCH_SECONDS
        while not self._closed.is_set():
            if not self._wake.is_set():
                pause = _BATCH_SECONDS
            self._wake.wait()
            self._closed.wait(pause)
            # Cleared before closing is looked at: a close after that sets it again.
            self._wake.clear()
            begun = time.monotonic()
            if not self._closed.is_set() and not self._apply():
                self._closed.wait(_RETRY_SECONDS)
                self._wake.set()
            lasted = time.monotonic() - begun
            pause = min(_LONGEST_BATCH_SECONDS, max(_BATCH_SECONDS, _SHARE * lasted))

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
