"""Details of a file, and the rules of a source, shown and changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_rag.domain.files import FileRecord
from desktop_rag.gui.library.details import DetailsDialog
from desktop_rag.gui.library.rules_dialog import RulesDialog
from desktop_rag.gui.library.tree import Group
from desktop_rag.gui.library.view import DETAILS, REMOVE, RULES, TAKE_BACK, verbs_of
from desktop_rag.services.rules import change_rules

if TYPE_CHECKING:
    from desktop_rag.gui.window import MainWindow
    from desktop_rag.services.services import Services
    from desktop_rag.store.records import StoredDocument


class AboutRows:
    """Opens the dialogs of the library's rows.

    Args:
        window: that they belong to.
        on_row: does the other verbs.
    """

    def __init__(self, window: MainWindow, on_row: Callable[[str, FileRecord], None]) -> None:
        self._window = window
        self._on_row = on_row
        self._services: Services | None = None

    def open(self, services: Services) -> None:
        """Begin."""
        self._services = services

    def close(self) -> None:
        """Do nothing any more."""
        self._services = None

    def do(self, verb: str, row: FileRecord | Group) -> None:
        """Show a file's details or a source's rules."""
        if verb == DETAILS and isinstance(row, FileRecord):
            self._details(row)
        elif verb == RULES and isinstance(row, Group):
            dialog = RulesDialog(row.source, self._window)
            dialog.changed.connect(self._change)
            dialog.open()

    def _details(self, record: FileRecord) -> None:
        if self._services is None:
            return
        library = self._services.library

        def show(document: StoredDocument | None) -> None:
            verbs = [verb for verb in verbs_of(record) if verb != DETAILS]
            ignore = [REMOVE] if TAKE_BACK not in verbs else []
            dialog = DetailsDialog(record, document, [*verbs, *ignore], self._window)
            dialog.wanted.connect(self._on_row)
            dialog.open()

        self._run(lambda: library.document(record.id), show)

    def _change(self, path: str, added: Sequence[str], dropped: Sequence[str]) -> None:
        services, window = self._services, self._window
        if services is not None:
            window.operations.run(
                window,
                lambda running: change_rules(
                    services, path, added, dropped, lambda _: None, running.token
                ),
                lambda _: None,
            )

    def _run(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        owner: QWidget = self._window
        self._window.operations.run(owner, lambda _: work(), done)
