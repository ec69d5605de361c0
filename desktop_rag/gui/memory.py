"""What the window remembers between two starts, in a file of the data folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

FILE_NAME = "window.ini"


class Memory:
    """Geometry, splitters, the open chat and the half-typed question."""

    def __init__(self, data_dir: Path) -> None:
        self._file = QSettings(str(data_dir / FILE_NAME), QSettings.Format.IniFormat)

    def text(self, key: str, default: str = "") -> str:
        """Return a remembered text."""
        value = self._file.value(key, default)
        return value if isinstance(value, str) else default

    def number(self, key: str, default: int) -> int:
        """Return a remembered whole number."""
        try:
            return int(self.text(key, str(default)))
        except ValueError:
            return default

    def state(self, key: str) -> QByteArray:
        """Return the remembered state of a window or splitter; empty if there is none."""
        value = self._file.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def put(self, key: str, value: str | int | QByteArray) -> None:
        """Remember a value; it reaches the disk at the latest with ``save``."""
        self._file.setValue(key, str(value) if isinstance(value, int) else value)

    def save(self) -> None:
        """Write to the disk now."""
        self._file.sync()
