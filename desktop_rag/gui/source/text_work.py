"""How a document of text is set, asked for in the pool while its plain words may be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rag.domain.structure import Structure, text_digest
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.operations import Operation, Operations

if TYPE_CHECKING:
    from desktop_rag.services.library import Library
    from desktop_rag.store.records import StoredDocument

_PLAIN_AFTER_MS = 700


class TextWork(QObject):
    """Emits ``ready`` with a ``Structure``, or with None where the plain words must do.

    That may be for good, since the file is another one now or can't be read any more, or
    because it takes a while: then a structure follows.
    """

    ready = Signal(object)

    def __init__(self, operations: Operations, parent: QObject) -> None:
        super().__init__(parent)
        self._operations = operations
        self._asking: Operation | None = None
        self._plain = QTimer(self, singleShot=True, interval=_PLAIN_AFTER_MS)
        self._plain.timeout.connect(lambda: self.ready.emit(None))

    def begin(self, library: Library, path: str, document: StoredDocument) -> None:
        """Ask how a document is set."""
        self.stop()
        self._plain.start()

        def work(_operation: Operation) -> Structure | None:
            structure = library.viewer.structure(path)
            return structure if structure.digest == text_digest(document.text) else None

        self._asking = self._operations.run(self, work, self._take, self._fail)

    def stop(self) -> None:
        """Let go of the document; nothing of it arrives any more."""
        self._plain.stop()
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _take(self, structure: Structure | None) -> None:
        waiting = self._plain.isActive()
        self.stop()
        if structure is not None or waiting:
            self.ready.emit(structure)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, (KnownError, OSError)):
            self._operations.report(error)
        self._take(None)
