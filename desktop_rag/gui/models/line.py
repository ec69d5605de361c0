"""The line at the window's foot that says who writes the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.foundation.model_settings import MODEL_SETTINGS
from desktop_rag.foundation.setting import Setting
from desktop_rag.gui.labels import named, unmarked
from desktop_rag.gui.strings import language_changed, name_for_readers, tr
from desktop_rag.services.services import Services


class ModelLine(QPushButton):
    """Says "quotes only" or the model's name; a click opens what there is to choose."""

    _settings_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "link")
        self.setFlat(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._services: Services | None = None
        self._stop_listening: Callable[[], None] | None = None
        self._settings_changed.connect(self._show, Qt.ConnectionType.QueuedConnection)
        language_changed.connect(self._show)
        name_for_readers(self, "models.line_name")
        self._show()

    def follow(self, services: Services) -> None:
        """Say what the services' settings say, now and whenever they change."""
        self.unfollow()
        self._services = services
        self._stop_listening = services.settings.listen(self._hear)
        self._show()

    def unfollow(self) -> None:
        """Ask the services no more."""
        if self._stop_listening is not None:
            self._stop_listening()
        self._services, self._stop_listening = None, None

    def _hear(self, setting: Setting[Any]) -> None:
        """Pass a change on to the window's thread: it may come from any."""
        if setting in MODEL_SETTINGS:
            self._settings_changed.emit()

    def _show(self) -> None:
        model = self._services.models.current() if self._services is not None else None
        words = tr("models.line_none") if model is None else tr("models.line", name=model.name)
        self.setText(unmarked(words))
