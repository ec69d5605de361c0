"""Starts the window, builds the services behind it, and ends both."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, QTimer, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.logs import Logs, install_crash_hook
from desktop_rag.foundation.paths import resources_dir
from desktop_rag.foundation.settings import Settings
from desktop_rag.foundation.version import VERSION
from desktop_rag.gui import messages
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.signals import quit_on_signals
from desktop_rag.gui.window import MainWindow
from desktop_rag.services.dispatch import claim_for_window

if TYPE_CHECKING:
    from desktop_rag.services.server import RequestServer
    from desktop_rag.services.services import Services

logger = logging.getLogger(__name__)

_POOL_SECONDS = 1.0
_BUILD_SECONDS = 3.0
_GUEST_SECONDS = 0.5
"""On closing: for operations, for services still being built, for other processes'
requests. What the library does is bounded by its own ``close``; all in under 5 s."""


class Backstage(QObject):
    """Builds the services in a thread of its own, while the window is already there."""

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
        self._thread = threading.Thread(target=self._build, name="build-services", daemon=True)

    def start(self) -> None:
        """Begin to build; ``built`` or ``failed`` follows."""
        self._thread.start()

    def close(self) -> None:
        """End the services, also if they are still being built."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join(_BUILD_SECONDS)
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


class ErrorDesk(QObject):
    """Shows errors of any thread in the GUI thread: known ones in words, bugs once each."""

    happened = Signal(object)

    def __init__(self, window: MainWindow, logs: Logs) -> None:
        super().__init__(window)
        self._window = window
        self._log = logs.path
        self._shown: set[type[BaseException]] = set()
        self.happened.connect(self.show)

    def show(self, error: BaseException) -> None:
        """Show one error."""
        if isinstance(error, KnownError):
            messages.show_known_error(error, self._window)
        elif type(error) not in self._shown:
            self._shown.add(type(error))
            messages.show_crash(error, self._log, self._window)


def run(data_dir: Path, paths: Sequence[str], open_services: Callable[[Path], Services]) -> int:
    """Open the window and return its exit code once it is closed.

    If a window is open for this data folder already, it is brought to the front with
    ``paths`` to add, and 0 is returned.

    Raises:
        KnownError: the data folder cannot be used.
    """
    lock = claim_for_window(data_dir, tuple(paths))
    if lock is None:
        return 0
    try:
        with Logs(data_dir) as logs:
            return _run_window(data_dir, paths, open_services, logs)
    finally:
        lock.release()


def make_application() -> QApplication:
    """Return the application, dressed alike on every system."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("desktop-rag")
    app.setApplicationDisplayName("Desktop RAG")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("desktop-rag")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resources_dir() / "icons" / "app.svg")))
    return app


def _run_window(
    data_dir: Path,
    paths: Sequence[str],
    open_services: Callable[[Path], Services],
    logs: Logs,
) -> int:
    app = make_application()
    qInstallMessageHandler(_log_qt)
    preferences = Preferences(app, Settings(data_dir))
    operations = Operations()
    window = MainWindow(operations, preferences, Memory(data_dir))
    backstage = Backstage(data_dir, open_services)
    errors = ErrorDesk(window, logs)
    operations.unknown_error.connect(errors.show)
    operations.known_error.connect(errors.show)
    restore_hooks = install_crash_hook(errors.happened.emit)
    restore_signals = quit_on_signals(app)
    backstage.built.connect(window.open_services)
    backstage.failed.connect(operations.report)
    backstage.show_wanted.connect(window.come_forward)
    window.verbs.add(list(paths))
    window.show()
    QTimer.singleShot(0, backstage.start)
    code = app.exec()
    _close(window, operations, backstage)
    restore_signals()
    restore_hooks()
    qInstallMessageHandler(None)
    return code


def _close(window: MainWindow, operations: Operations, backstage: Backstage) -> None:
    """End everything within five seconds; the window is hidden already."""
    started = time.monotonic()
    window.close()
    window.close_services()
    operations.cancel_all()
    operations.wait(_POOL_SECONDS)
    backstage.close()
    if not operations.wait(_POOL_SECONDS):
        logger.warning("operations were still running when the window closed")
    shiboken6.delete(window)
    logger.info("closed in %.2f s", time.monotonic() - started)


def _log_qt(kind: QtMsgType, _context: object, message: str) -> None:
    level = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }.get(kind, logging.ERROR)
    logger.log(level, "Qt: %s", message)
