"""Where errors of all threads arrive: known ones in words, bugs once each, with a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox

from desktop_rag.foundation.errors import KnownError, explain_os_error
from desktop_rag.gui.messages import error_box, shown_error
from desktop_rag.gui.strings import tr
from desktop_rag.gui.trouble.bar import Trouble
from desktop_rag.gui.trouble.doing import Doer
from desktop_rag.gui.trouble.remedies import Remedy, remedies_of

if TYPE_CHECKING:
    from desktop_rag.gui.window import MainWindow


class ErrorDesk(QObject):
    """Shows errors of any thread in the GUI thread.

    ``happened`` takes them; the chat and what is typed are saved before a bug is shown.
    """

    happened = Signal(object)

    def __init__(self, window: MainWindow, log: Path, doer: Doer) -> None:
        super().__init__(window)
        self._window = window
        self._log = log
        self._doer = doer
        self._shown: set[tuple[type[BaseException], int]] = set()
        self.happened.connect(self.show)

    def show(self, error: BaseException) -> None:
        """Show one error."""
        if isinstance(error, OSError):
            error = explain_os_error(error) or error
        if isinstance(error, KnownError):
            self._show_known(error)
            return
        self._window.memory.save()
        kind = (type(error), _line_of(error))
        if kind not in self._shown:
            self._shown.add(kind)
            self._show_crash(error)

    def show_ended(self) -> None:
        """Say that the program was ended in the middle of something the last time."""
        remedies = (Remedy.SHOW_LOG, Remedy.COPY_REPORT)
        message = tr("trouble.ended_message", log=str(self._log))
        self._window.troubles.add(Trouble("ended", tr("trouble.ended"), message, remedies))

    def _show_known(self, error: KnownError) -> None:
        title, message = shown_error(error)
        box = error_box(QMessageBox.Icon.Warning, title, message, self._window)
        for remedy in remedies_of(error.title):
            if self._doer.can(remedy):
                self._add(box, remedy)
        box.open()

    def _show_crash(self, error: BaseException) -> None:
        message = tr("crash.message", kind=type(error).__name__, log=str(self._log))
        box = error_box(QMessageBox.Icon.Critical, tr("crash.title"), message, self._window)
        self._add(box, Remedy.SHOW_LOG)
        copy = box.addButton(tr("remedy.copy_report"), QMessageBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: self._doer.copy_report(error))
        box.open()

    def _add(self, box: QMessageBox, remedy: Remedy) -> None:
        role = QMessageBox.ButtonRole.ActionRole
        button = box.addButton(tr(f"remedy.{remedy.value}"), role)
        button.clicked.connect(lambda: self._doer.do(remedy))


def _line_of(error: BaseException) -> int:
    """Return the line where an error was raised: two mistakes of a kind are two."""
    frames = error.__traceback__
    while frames is not None and frames.tb_next is not None:
        frames = frames.tb_next
    return frames.tb_lineno if frames is not None else 0
