"""Hears from the system where something may have changed; it decides nothing."""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.utils import BaseThread

from desktop_rag.domain.files import Source
from desktop_rag.foundation.mounts import is_on_network, mount_of

_log = logging.getLogger(__name__)

_EVENTS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
"""Opening and closing without a write are not asked for: reading a file must not look
like a change to it. Folders are "modified" by what happens in them, which is told anyway."""

_OF_THE_HOST = ("9p", "virtiofs", "vboxsf")
"""File systems that a virtual machine shares with its host: as deaf as network drives."""

_LIMITS = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)

OnChange = Callable[[Source, str, bool], None]
"""Called with a source, an absolute path in it and whether that is a folder."""


@dataclass(slots=True)
class _Watched:
    source: Source
    watch: ObservedWatch
    handler: _Handler


class Watcher:
    """Watches sources with the system's own means; not thread-safe but for the callbacks.

    Args:
        on_change: called from the watching thread; must be quick.
    """

    def __init__(self, on_change: OnChange) -> None:
        self._on_change = on_change
        self._observer: BaseObserver | None = None
        self._threads: list[BaseThread] = []
        self._watched: dict[int, _Watched] = {}

    def watch(self, source: Source) -> bool:
        """Begin to watch; False if this source has to be looked at from time to time.

        That is so on network shares, which tell nothing of what others change, and
        where the system's limits for watching are reached.
        """
        self.unwatch(source.id)
        root = os.path.realpath(source.path)
        folder = root if source.is_folder else os.path.dirname(root)
        if is_remote(folder):
            return False
        handler = _Handler(source, root, self._on_change)
        try:
            watch = self._started().schedule(
                handler, folder, recursive=source.is_folder, event_filter=_EVENTS
            )
        except OSError as error:
            reason = "a limit of the system" if error.errno in _LIMITS else str(error.strerror)
            _log.warning("source %d cannot be watched: %s", source.id, reason)
            return False
        self._watched[source.id] = _Watched(source, watch, handler)
        self._forgive(watch)
        return True

    def unwatch(self, source_id: int) -> None:
        """Watch a source no longer."""
        watched = self._watched.pop(source_id, None)
        if watched is None or self._observer is None:
            return
        shared = any(other.watch == watched.watch for other in self._watched.values())
        try:
            if shared:
                self._observer.remove_handler_for_watch(watched.handler, watched.watch)
            else:
                self._observer.unschedule(watched.watch)
        except KeyError:
            _log.debug("source %d was watched no longer", source_id)

    def deaf(self) -> list[Source]:
        """Return the sources whose watch has ended by itself: they are to be watched anew."""
        if self._observer is None:
            return []
        if not all(thread.is_alive() for thread in self._threads):
            _log.error("watching has failed and begins anew")
            sources = [each.source for each in self._watched.values()]
            self.close()
            return sources
        alive = {emitter.watch for emitter in self._observer.emitters if emitter.is_alive()}
        return [each.source for each in self._watched.values() if each.watch not in alive]

    def close(self) -> None:
        """End all watching."""
        self._watched.clear()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None

    def _forgive(self, watch: ObservedWatch) -> None:
        """Have watchdog's books on inotify take a folder that is in them twice.

        When a folder takes the name of one that was moved away, both stand there under one
        path for a moment (7.1.0). Taking out the second then raises KeyError, which ends the
        thread that reads the events, or the end of watching itself.
        """
        for emitter in self._observer.emitters if self._observer is not None else ():
            group = getattr(emitter, "_inotify", None)
            if emitter.watch == watch and group is not None:
                with group._lock:
                    books = getattr(group, "_active_callbacks_by_path", {})
                    group._active_callbacks_by_path = _Forgiving(books)

    def _started(self) -> BaseObserver:
        if self._observer is None:
            # A folder that is moved out and back in is still known to watchdog, which says
            # so and goes on.
            warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)
            before = set(threading.enumerate())
            observer = Observer()
            observer.start()
            self._observer = observer
            self._threads = [
                thread
                for thread in threading.enumerate()
                if isinstance(thread, BaseThread) and thread not in before
            ]
        return self._observer


class _Forgiving(dict[bytes, object]):
    """A dictionary from which may be taken what is not in it."""

    def pop(self, key: bytes, default: object = None) -> object:
        """Take out a value; ``default`` where there is none."""
        return super().pop(key, default)


class _Handler(FileSystemEventHandler):
    """Passes on where something happened, in terms of the source's own path."""

    def __init__(self, source: Source, root: str, on_change: OnChange) -> None:
        self._source = source
        self._root = root
        self._on_change = on_change

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Tell the paths of one event."""
        for path in (event.src_path, event.dest_path):
            if path:
                self._tell(os.fsdecode(path), event.is_directory)

    def _tell(self, path: str, is_folder: bool) -> None:
        if path == self._root:
            self._on_change(self._source, self._source.path, is_folder)
        elif self._source.is_folder and path.startswith(self._root + os.sep):
            inside = path[len(self._root) :]
            self._on_change(self._source, self._source.path + inside, is_folder)


def is_remote(folder: str) -> bool:
    """Whether a folder lies on another machine, which tells of no changes made there."""
    return is_on_network(folder) or mount_of(folder)[0].startswith(_OF_THE_HOST)


def watches_exhausted(folder: str) -> bool:
    """Whether the system has no watch left to give (Linux; elsewhere always False).

    watchdog leaves out folders inside a source that it could not watch, and says
    nothing; so a further watch is asked for, and given back.
    """
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0:
        return False  # too many watchers on the system says nothing about their watches
    try:
        in_delete_self = 0x400
        added = libc.inotify_add_watch(descriptor, os.fsencode(folder), in_delete_self)
        return added < 0 and ctypes.get_errno() in _LIMITS
    finally:
        os.close(descriptor)
