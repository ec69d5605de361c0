"""Tells listeners what changed, at most ten times a second, from a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from enum import Enum, auto

from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.reports import LibraryEvent

_log = logging.getLogger(__name__)

Listener = Callable[[LibraryEvent], None]

_PAUSE_SECONDS = 0.2
"""Between two rounds of events, which mostly are two: files and progress."""

_PROGRESS_SECONDS = 0.5
_MOST_IDS = 500
"""Above so many files an event names none: whoever listens looks at all of them."""


class Activity(Enum):
    """What the library does: work, wait for something (paused, files at rest), nothing."""

    WORKING = auto()
    HELD_UP = auto()
    NONE = auto()


class Announcer:
    """Coalesces what happens into events; sleeps while nothing happens.

    Args:
        activity: asked what goes on; while there is work, progress is told regularly.
        settle: called when work has ended, before "settled" is told.
    """

    def __init__(self, activity: Callable[[], Activity], settle: Callable[[], None]) -> None:
        self._activity = activity
        self._settle = settle
        self._changed = threading.Condition()
        self._listeners: list[Listener] = []
        self._files: set[int] = set()
        self._told: set[int] = set()
        self._sources = False
        self._awake = False
        self._unsettled = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have ``listener`` called with each event; return what ends that."""
        with self._changed:
            self._listeners.append(listener)

        def stop() -> None:
            with self._changed:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    def files(self, file_ids: Iterable[int]) -> None:
        """The state of files has changed."""
        with self._changed:
            self._files.update(file_ids)
        self.begin()

    def shown(self, file_ids: Iterable[int]) -> None:
        """Files are shown differently, while nothing that is stored of them has changed."""
        with self._changed:
            self._files.update(file_ids)
        self.stir()

    def sources(self) -> None:
        """Sources were added or removed, went or came back."""
        with self._changed:
            self._sources = True
        self.begin()

    def begin(self) -> None:
        """Something was asked for: "settled" is told when it is done."""
        with self._changed:
            self._unsettled = True
        self.stir()

    def stir(self) -> None:
        """Progress has changed."""
        with self._changed:
            if self._closed:
                return
            self._awake = True
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="library-events", daemon=True
                )
                self._thread.start()
            self._changed.notify_all()

    def over(self) -> None:
        """A piece of work is over; perhaps it was the last."""
        if not self.quiet:
            self.stir()

    @property
    def quiet(self) -> bool:
        """Whether all that happened is settled and told."""
        with self._changed:
            return not self._unsettled

    def wait_quiet(self, timeout: float | None = None) -> bool:
        """Wait until ``quiet``; False if the time is over first."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._unsettled, timeout)
            return not self._unsettled

    def close(self, timeout: float) -> bool:
        """End; False if a listener or the settling takes longer than ``timeout``."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is None or thread is threading.current_thread():
            return True
        thread.join(timeout)
        return not thread.is_alive()

    def _run(self) -> None:
        seconds: float | None = None
        while self._wait(seconds):
            self._announce()
            activity = self._activity()
            if activity is Activity.NONE and not self.quiet:
                self._rest()
            seconds = _PROGRESS_SECONDS if activity is Activity.WORKING else None

    def _wait(self, seconds: float | None) -> bool:
        """Wait until something happens, at most ``seconds``; False if it is the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed, _PAUSE_SECONDS)
            self._changed.wait_for(lambda: self._closed or self._awake, seconds)
            self._awake = False
            return not self._closed

    def _announce(self) -> None:
        with self._changed:
            files, self._files = self._files, set()
            sources, self._sources = self._sources, False
            self._told |= files
        if sources:
            self._tell(LibraryEvent("sources"))
        if files:
            self._tell(_files_event(files))
        self._tell(LibraryEvent("progress"))

    def _rest(self) -> None:
        """Settle, and tell what that made of the files, unless something happens meanwhile."""
        try:
            self._settle()
        except Cancelled:
            return
        except KnownError as error:
            _log.warning("the library could not be settled: %s", error.title)
        except Exception:
            _log.exception("settling the library failed")
        with self._changed:
            if self._awake or self._activity() is not Activity.NONE:
                self._awake = True
                return
            told, self._told = self._told, set()
            self._unsettled = False
        if told:
            self._tell(_files_event(told))
        self._tell(LibraryEvent("settled"))
        with self._changed:
            self._changed.notify_all()

    def _tell(self, event: LibraryEvent) -> None:
        with self._changed:
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener(event)
            except Exception:
                _log.exception("a listener of the library failed")


def _files_event(file_ids: set[int]) -> LibraryEvent:
    ids = tuple(sorted(file_ids)) if len(file_ids) <= _MOST_IDS else ()
    return LibraryEvent("files", ids)
