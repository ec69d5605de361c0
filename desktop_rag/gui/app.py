"""Starts the window, builds the services behind it, and ends both."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QEvent, QTimer, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.logs import Logs, install_crash_hook
from desktop_rag.foundation.paths import resources_dir
from desktop_rag.foundation.run_mark import RunMark
from desktop_rag.foundation.settings import Settings
from desktop_rag.foundation.version import VERSION
from desktop_rag.gui import strings
from desktop_rag.gui.backstage import Backstage
from desktop_rag.gui.living.living import Living
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.signals import quit_on_signals
from desktop_rag.gui.trouble.desk import ErrorDesk
from desktop_rag.gui.trouble.doing import Doer
from desktop_rag.gui.trouble.place import (
    OTHER,
    AskWhatNow,
    ChooseFolder,
    ask_what_now,
    choose_folder,
)
from desktop_rag.gui.window import MainWindow
from desktop_rag.services.dispatch import claim_for_window

if TYPE_CHECKING:
    from desktop_rag.services.owner import OwnerLock
    from desktop_rag.services.services import Services

logger = logging.getLogger(__name__)

_POOL_SECONDS = 1.0
"""On closing: for operations. What the library does is bounded by its own ``close``, and
what is being built by ``Backstage``; all in under 5 s."""


_SWITCH_SECONDS = 0.001
"""How long a thread may keep the interpreter while the window waits for it. With Python's
own 5 ms, and questions and reading at once, every fiftieth tick of a 20 ms timer was more
than 70 ms late on two busy cores; with this, 54 ms."""


class DesktopApplication(QApplication):
    """The application, which macOS tells of files that were dropped on its icon."""

    file_dropped = Signal(str)

    def event(self, event: QEvent) -> bool:
        """Take files that are to be opened."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_dropped.emit(event.file())
            return True
        return super().event(event)


@dataclass(frozen=True, slots=True)
class Answers:
    """Who answers when the data folder cannot be used: dialogs, but in tests."""

    what_now: AskWhatNow = ask_what_now
    folder: ChooseFolder = choose_folder


def run(
    data_dir: Path,
    paths: Sequence[str],
    open_services: Callable[[Path], Services],
    hidden: bool = False,
    answers: Answers | None = None,
) -> int:
    """Open the window and return its exit code once it is closed.

    If a window is open for this data folder already, it is brought to the front with
    ``paths`` to add, and 0 is returned. ``hidden``: the window stays in the tray at first,
    where there is one.

    Raises:
        KnownError: the data folder cannot be used, and the user chose no other.
    """
    lock = _claim(data_dir, tuple(paths), answers or Answers())
    if lock is None:
        return 0
    try:
        mark = RunMark(lock.data_dir)
        broke_off = mark.begin()
        with Logs(lock.data_dir) as logs:
            code = _Program(lock.data_dir, open_services, logs).run(paths, hidden, broke_off)
        mark.end()
        return code
    finally:
        lock.release()


def _claim(data_dir: Path, paths: tuple[str, ...], answers: Answers) -> OwnerLock | None:
    """Own the data folder, asking the user for another one where this one can't be used."""
    while True:
        try:
            return claim_for_window(data_dir, paths)
        except KnownError as error:
            make_application()
            strings.set_language(strings.system_language())
            remedy = answers.what_now(error)
            if remedy is None:
                raise
            data_dir = (answers.folder() if remedy is OTHER else None) or data_dir


def make_application() -> QApplication:
    """Return the application, dressed alike on every system."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else DesktopApplication(sys.argv[:1])
    app.setApplicationName("desktop-rag")
    app.setApplicationDisplayName("Desktop RAG")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("desktop-rag")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resources_dir() / "icons" / "app.svg")))
    return app


class _Program:
    """One run: the window and all that stands behind it."""

    def __init__(
        self, data_dir: Path, open_services: Callable[[Path], Services], logs: Logs
    ) -> None:
        self._app = make_application()
        qInstallMessageHandler(_log_qt)
        self._preferences = Preferences(self._app, Settings(data_dir))
        self._operations = Operations()
        self._window = MainWindow(self._operations, self._preferences, Memory(data_dir))
        self._backstage = Backstage(data_dir, open_services)
        doer = Doer(self._window, data_dir, logs.path, self._backstage.start)
        self._errors = ErrorDesk(self._window, logs.path, doer)
        self._living = Living(self._window, data_dir, lambda: self._app.exit(0))
        self._window.trouble_bar.wanted.connect(doer.do)

    def run(self, paths: Sequence[str], hidden: bool, broke_off: bool) -> int:
        """Show the window and return the exit code when all is closed."""
        app, window = self._app, self._window
        with ExitStack() as restored:
            restored.callback(install_crash_hook(self._errors.happened.emit))
            restored.callback(quit_on_signals(app))
            restored.callback(app.setQuitOnLastWindowClosed, True)
            restored.callback(sys.setswitchinterval, sys.getswitchinterval())
            restored.callback(qInstallMessageHandler, None)
            app.setQuitOnLastWindowClosed(False)
            sys.setswitchinterval(_SWITCH_SECONDS)
            self._connect()
            if broke_off:
                self._errors.show_ended()
            window.verbs.add(list(paths))
            if not (hidden and self._living.can_hide):
                window.show()
            QTimer.singleShot(0, self._backstage.start)
            code = app.exec()
            self._close()
        return code

    def _connect(self) -> None:
        app, window, backstage = self._app, self._window, self._backstage
        # not quit: that asks every window, and one that hides instead of closing says no
        window.ended.connect(lambda: app.exit(0))
        app.commitDataRequest.connect(self._living.let_close)
        for reported in (self._operations.unknown_error, self._operations.known_error):
            reported.connect(self._errors.show)
        backstage.built.connect(window.open_services)
        backstage.failed.connect(self._operations.report)
        backstage.show_wanted.connect(window.come_forward)
        if isinstance(app, DesktopApplication):
            app.file_dropped.connect(lambda path: window.come_forward((path,)))

    def _close(self) -> None:
        """End everything within five seconds; the window is hidden already."""
        started = time.monotonic()
        self._living.close()
        self._window.ended.disconnect()  # the loop has ended, and would not begin again
        self._window.close()
        self._window.close_services()
        self._operations.cancel_all()
        self._operations.wait(_POOL_SECONDS)
        self._backstage.close()
        if not self._operations.wait(_POOL_SECONDS):
            logger.warning("operations were still running when the window closed")
        shiboken6.delete(self._window)
        logger.info("closed in %.2f s", time.monotonic() - started)


def _log_qt(kind: QtMsgType, _context: object, message: str) -> None:
    level = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }.get(kind, logging.ERROR)
    logger.log(level, "Qt: %s", message)
