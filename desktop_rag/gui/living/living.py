"""Puts the window on the desktop: tray, shortcut, start at login, notices."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rag.foundation.living_settings import (
    ASK_SHORTCUT,
    CLOSE_TO_TRAY,
    NOTIFY,
    START_AT_LOGIN,
)
from desktop_rag.foundation.paths import default_data_dir
from desktop_rag.gui.living.autostart import own_command, set_autostart
from desktop_rag.gui.living.hotkey import Hotkey
from desktop_rag.gui.living.notices import Notice, Notices
from desktop_rag.gui.living.tray import Tray
from desktop_rag.gui.operations import Operation
from desktop_rag.gui.strings import tr

if TYPE_CHECKING:
    from desktop_rag.gui.window import MainWindow
    from desktop_rag.ingestion.progress import Progress

_log = logging.getLogger(__name__)

_TOLD_KEY = "living/told_of_tray"


class Living(QObject):
    """Follows the settings; ends with ``close``.

    Args:
        window: the main window.
        data_dir: for the command that starts the program at login.
        quit_program: ends the event loop.
    """

    def __init__(
        self, window: MainWindow, data_dir: Path, quit_program: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._data_dir = data_dir
        self._quit = quit_program
        self._notices = Notices()
        self._login: bool | None = None
        self.hotkey = Hotkey(self)
        self.tray: Tray | None = Tray(window) if Tray.is_available() else None
        self._connect()
        self.follow_settings()

    def _connect(self) -> None:
        window = self._window
        window.preferences.changed.connect(self.follow_settings)
        window.feed.progress_changed.connect(self._on_progress)
        window.feed.reset.connect(self._on_files)
        window.feed.updated.connect(lambda _: self._on_files())
        window.hides_on_close = self._hides_on_close
        self.hotkey.pressed.connect(self.ask)
        if self.tray is not None:
            self.tray.open_wanted.connect(window.come_forward)
            self.tray.ask_wanted.connect(self.ask)
            self.tray.pause_wanted.connect(window.verbs.pause)
            self.tray.quit_wanted.connect(self.end)
            self.tray.notice_clicked.connect(self._on_notice)
            self.tray.icon.show()

    @property
    def can_hide(self) -> bool:
        """Whether there is a place from which a hidden window comes back."""
        return self.tray is not None

    def follow_settings(self) -> None:
        """Do as the settings say."""
        settings = self._window.preferences.settings
        if not self.hotkey.set_keys(settings.get(ASK_SHORTCUT)):
            _log.info("there is no shortcut from anywhere on this system, or not this one")
        login = settings.get(START_AT_LOGIN)
        if self._login is not None and login != self._login:
            self._set_login(login)
        self._login = login

    def _set_login(self, on: bool) -> None:
        command = own_command(self._data_dir, self._data_dir == default_data_dir())

        def work(_operation: Operation) -> None:
            set_autostart(on, command)

        self._window.operations.run(self, work, lambda _: None)

    def ask(self) -> None:
        """Bring the window up with the question ready to be typed."""
        self._window.come_forward()
        self._window.chat.composer.field.setFocus()

    def end(self) -> None:
        """End the program, also where closing the window does not."""
        self.let_close()
        self._window.close()
        self._quit()

    def let_close(self, *_session: object) -> None:
        """Let the window be closed for good: the session ends, or the program does."""
        self._window.hides_on_close = lambda: False

    def close(self) -> None:
        """Let go of the tray and of the keys."""
        self.hotkey.close()
        self.let_close()
        if self.tray is not None:
            self.tray.icon.hide()

    def _hides_on_close(self) -> bool:
        hides = self.can_hide and bool(self._window.preferences.settings.get(CLOSE_TO_TRAY))
        memory = self._window.memory
        if hides and not memory.number(_TOLD_KEY, 0) and self.tray is not None:
            memory.put(_TOLD_KEY, 1)
            self.tray.notify("Desktop RAG", tr("tray.stays"))
        return hides

    def _on_progress(self, progress: Progress) -> None:
        if self.tray is not None:
            self.tray.show_progress(progress)
        self._tell(self._notices.of_problem(progress))

    def _on_files(self) -> None:
        if self._window.feed.loaded:
            self._tell(self._notices.of_files(self._window.feed.records.values()))

    def _tell(self, notice: Notice | None) -> None:
        wanted = self._window.preferences.settings.get(NOTIFY)
        if notice is None or self.tray is None or not wanted or self._window.isActiveWindow():
            return
        self.tray.notify(notice.title, notice.message)

    def _on_notice(self) -> None:
        self._window.come_forward()
        if self._window.library.foot.problems.isVisible():
            self._window.verbs.problems()
