"""Builds the services in a thread of its own, while the window is already there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from desktop_rag.services.server import RequestServer
    from desktop_rag.services.services import Services

BUILD_SECONDS = 3.0
_GUEST_SECONDS = 0.5
"""On closing: for services still being built, for other processes' requests."""


class Backstage(QObject):
    """Emits ``built`` with the services, or ``failed`` with the reason.

    After that ``start`` may be called again. ``show_wanted`` comes from another process that
    was to open a window.
    """

    built = Signal(object)
    failed = Signal(object)
    show_wanted = Signal(tuple)

    def __init__(self, data_dir: Path, open_services: Callable[[Path], Services]) -> None:
        super().__init__()
        self._data_dir = data_dir
        self._open_services = open_services
        self._services: Services | None = None
        self._server: RequestServer | None = None
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to build, unless that is done or under way."""
        under_way = self._thread is not None and self._thread.is_alive()
        if self._services is None and not under_way and not self._closing.is_set():
            self._thread = threading.Thread(target=self._build, name="build-services", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the services, also if they are still being built."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(BUILD_SECONDS)
        if self._server is not None:
            self._server.close(grace=_GUEST_SECONDS)
        if self._services is not None:
            self._services.close()

    def _build(self) -> None:
        try:
            from desktop_rag.services.server import RequestServer

            services = self._open_services(self._data_dir)
            self._services = services
            if self._closing.is_set():
                return
            server = RequestServer(services, self._data_dir, self._on_show)
            server.start()
            self._server = server
            services.library.start(watch=True)
        except Exception as error:
            self.failed.emit(error)
        else:
            self.built.emit(services)

    def _on_show(self, paths: tuple[str, ...]) -> bool:
        if self._closing.is_set():
            return False
        self.show_wanted.emit(paths)
        return True
