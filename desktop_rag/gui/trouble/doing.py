"""Does what a remedy says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop_rag.foundation.paths import models_dir
from desktop_rag.gui.trouble.bar import Trouble
from desktop_rag.gui.trouble.remedies import Remedy
from desktop_rag.gui.trouble.report import crash_report
from desktop_rag.gui.trouble.watch import LIBREOFFICE

if TYPE_CHECKING:
    from desktop_rag.gui.window import MainWindow

LIBREOFFICE_PAGE = "https://www.libreoffice.org/download/"
"""Opened by the user's own browser, at the user's own wish; the program fetches nothing."""


class Doer:
    """Knows the way for every remedy.

    Args:
        window: whose verbs are used.
        data_dir: the data folder.
        log: the log's file.
        open_again: builds the services anew after they could not be built.
    """

    def __init__(
        self, window: MainWindow, data_dir: Path, log: Path, open_again: Callable[[], object]
    ) -> None:
        self._window = window
        self._log = log
        self._ways: Mapping[Remedy, Callable[[], object]] = {
            Remedy.TRY_AGAIN: self._try_again,
            Remedy.LOOK_AGAIN: window.verbs.refresh,
            Remedy.OPEN_AGAIN: open_again,
            Remedy.SHOW_DATA_FOLDER: lambda: _show(data_dir),
            Remedy.SHOW_PROGRAM_FOLDER: lambda: _show(models_dir()),
            Remedy.GET_LIBREOFFICE: lambda: QDesktopServices.openUrl(QUrl(LIBREOFFICE_PAGE)),
            Remedy.READ_WITH_MODEL: window.verbs.new_model,
            Remedy.SHOW_PROBLEMS: window.verbs.problems,
            Remedy.SHOW_LOG: lambda: _show(log.parent),
            Remedy.COPY_REPORT: lambda: self.copy_report(None),
        }

    def can(self, remedy: Remedy) -> bool:
        """Whether there is a way in a window that is open."""
        return remedy in self._ways

    def do(self, remedy: Remedy, trouble: Trouble | None = None) -> None:
        """Do it; for files that lack a program, these alone are tried again."""
        if remedy is Remedy.TRY_AGAIN and trouble is not None and LIBREOFFICE in trouble.key:
            records = self._window.feed.records.values()
            lacking = [r for r in records if r.problem and r.problem.title == LIBREOFFICE]
            self._window.verbs.retry(lacking)
            return
        self._ways[remedy]()

    def copy_report(self, error: BaseException | None) -> None:
        """Put the report on a mistake of the program on the clipboard."""
        QGuiApplication.clipboard().setText(crash_report(error, self._log))

    def _try_again(self) -> None:
        self._window.verbs.pause(False)


def _show(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
