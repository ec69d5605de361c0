"""Adding files and folders: counted first, and asked about when it is a great number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressDialog, QWidget

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.library.choosing import ChoosingDialog
from desktop_rag.gui.messages import ask
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import duration, size

if TYPE_CHECKING:
    from desktop_rag.services.services import Services
    from desktop_rag.services.surveying import Survey

_SHOW_AFTER_MS = 1_000
"""Counting a usual folder is done before; no dialog flashes up for it."""

_KINDS_NAMED = 5


class Adding:
    """Counts what is dropped, in the pool, and adds it unless the user says no.

    Args:
        services: of the open library.
        operations: runs what must not block.
        parent: the window.
    """

    def __init__(self, services: Services, operations: Operations, parent: QWidget) -> None:
        self._services = services
        self._operations = operations
        self._window = parent

    def begin(self, paths: Sequence[str]) -> None:
        """Count, ask where it is much, and add."""
        dialog = QProgressDialog(tr("add.counting", n=0), tr("dialog.cancel"), 0, 0, self._window)
        dialog.setWindowTitle(tr("library.add"))
        dialog.setMinimumDuration(2**31 - 1)  # shown by the timer below, not by its own guess
        dialog.reset()
        shown = QTimer(dialog, singleShot=True, interval=_SHOW_AFTER_MS)
        shown.timeout.connect(dialog.show)
        shown.start()
        operation = self._operations.run(
            dialog,
            lambda running: self._counted(paths, running),
            lambda counted: self._decide(paths, counted, dialog),
            lambda error: self._give_up(error, dialog),
            lambda number: dialog.setLabelText(tr("add.counting", n=number)),
        )
        dialog.canceled.connect(operation.cancel)
        dialog.canceled.connect(dialog.deleteLater)

    def _counted(self, paths: Sequence[str], operation: Operation) -> Survey:
        return self._services.library.survey(paths, operation.token, operation.tell)

    def _decide(self, paths: Sequence[str], counted: Survey, dialog: QProgressDialog) -> None:
        dialog.deleteLater()
        try:
            counted.check_room(self._services.data_dir)
        except KnownError as error:
            self._operations.report(error)
            return
        if not counted.big:
            self._add(paths)
            return
        choose = [tr("add.choose")] if counted.parts else []
        answers = [tr("add.yes"), *choose, tr("dialog.cancel")]
        question = tr("add.question", n=counted.files, size=size(counted.bytes))
        answer = ask(self._window, question, about(counted), *answers)
        if answer == 0:
            self._add(paths)
        elif answer < len(answers) - 1:
            choosing = ChoosingDialog(counted.parts, self._window)
            choosing.accepted.connect(lambda: self.begin(choosing.paths))
            choosing.open()

    def _add(self, paths: Sequence[str]) -> None:
        library = self._services.library
        self._operations.run(self._window, lambda _: library.add(list(paths)), lambda _: None)

    def _give_up(self, error: Exception, dialog: QProgressDialog) -> None:
        dialog.deleteLater()
        self._operations.report(error)


def about(counted: Survey) -> str:
    """Return what adding costs, what it is, and what is better left alone."""
    most = [kind for kind in counted.kinds if kind.name][:_KINDS_NAMED]
    kinds = " · ".join(f"{kind.name.upper()} {kind.files:,}" for kind in most)
    return "\n".join(
        [
            tr("add.info", time=duration(counted.seconds), size=size(counted.library_bytes)),
            *([tr("add.kinds", kinds=kinds)] if kinds else []),
            *([tr("add.known", n=counted.known)] if counted.known else []),
            *([tr("add.everything")] if counted.everything else []),
        ]
    )
