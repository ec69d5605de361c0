"""Language, appearance and size of text: read before anything is shown, changed at once."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from desktop_rag.foundation.errors import explain_os_error
from desktop_rag.foundation.settings import LANGUAGE, TEXT_SIZE, THEME, Setting, Settings
from desktop_rag.gui import icons, strings, theme

_OWN: tuple[Setting[Any], ...] = (LANGUAGE, THEME, TEXT_SIZE)


class Preferences(QObject):
    """Applies the settings that concern the window.

    ``restyled`` says that colours or sizes changed, ``changed`` that any setting did.
    """

    restyled = Signal()
    changed = Signal()
    failed = Signal(object)

    def __init__(self, app: QApplication, settings: Settings) -> None:
        super().__init__()
        self._app = app
        self.settings = settings
        app.styleHints().colorSchemeChanged.connect(lambda _: self._follow_system())
        self.apply()

    def adopt(self, settings: Settings) -> None:
        """Go on with the settings that the services use; what was changed since start counts."""
        for setting in _OWN:
            settings.set(setting, self.settings.get(setting))
        self.settings = settings

    def apply(self) -> None:
        """Dress the application and let it speak."""
        chosen = self.settings.get(LANGUAGE)
        strings.set_language(strings.system_language() if chosen == "system" else chosen)
        self._dress()

    def change(self, setting: Setting[Any], value: str | int) -> None:
        """Change one setting and show what follows from it; ``failed`` says why it can't be."""
        try:
            self.settings.set(setting, value)
        except OSError as error:
            self.failed.emit(explain_os_error(error) or error)
            return
        if setting in _OWN:
            self.apply()
        self.changed.emit()

    def other_language(self) -> None:
        """Switch between the two languages."""
        self.change(LANGUAGE, "en" if strings.current_language() == "zh" else "zh")

    def _follow_system(self) -> None:
        if self.settings.get(THEME) == "system":
            self._dress()

    def _dress(self) -> None:
        theme.apply(self._app, self.settings.get(THEME), self.settings.get(TEXT_SIZE))
        icons.refresh()
        self.restyled.emit()
