"""Settings: declared once as data, which the file, the command line and the dialog follow."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from desktop_rag.foundation.atomic import write_atomically
from desktop_rag.foundation.language import CHINESE

_log = logging.getLogger(__name__)

SETTINGS_FILE: Final = "settings.json"

Value = TypeVar("Value", str, int, float, bool)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values a setting may have, with its words in both languages."""

    value: str
    label_en: str
    label_zh: str

    def label(self, language: str) -> str:
        """Return the words for "en" or "zh"."""
        return self.label_zh if language == CHINESE else self.label_en


@dataclass(frozen=True, slots=True)
class Setting(Generic[Value]):
    """One setting: its type is that of ``default``; numbers have a closed range."""

    key: str
    default: Value
    label_en: str
    label_zh: str
    help_en: str
    help_zh: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Choice, ...] = ()

    @property
    def type(self) -> type[Value]:
        """The type of its values: str, int, float or bool."""
        return type(self.default)

    def label(self, language: str) -> str:
        """Return the setting's name for "en" or "zh"."""
        return self.label_zh if language == CHINESE else self.label_en

    def help(self, language: str) -> str:
        """Return a sentence about the setting for "en" or "zh"."""
        return self.help_zh if language == CHINESE else self.help_en

    def check(self, value: object) -> Value:
        """Return ``value`` in the setting's type.

        Raises:
            ValueError: it has another type, or is not among the values allowed.
        """
        if self.type is float and type(value) is int:
            value = float(value)
        if type(value) is not self.type:
            raise ValueError(f"{self.key} must be {self.type.__name__}, not {value!r}")
        if self.choices and value not in {choice.value for choice in self.choices}:
            raise ValueError(f"{self.key} cannot be {value!r}")
        if isinstance(value, (int, float)) and not self._in_range(value):
            raise ValueError(f"{self.key} must be {self.minimum} to {self.maximum}, not {value!r}")
        return value

    def _in_range(self, value: float) -> bool:
        above = self.minimum is None or value >= self.minimum
        below = self.maximum is None or value <= self.maximum
        return above and below


LANGUAGE: Final = Setting(
    key="language",
    default="system",
    label_en="Language",
    label_zh="语言",
    help_en="The language of the window.",
    help_zh="窗口使用的语言。",
    choices=(
        Choice("system", "As the system", "跟随系统"),
        Choice("en", "English", "English"),
        Choice("zh", "中文", "中文"),
    ),
)
THEME: Final = Setting(
    key="theme",
    default="system",
    label_en="Appearance",
    label_zh="外观",
    help_en="Light, dark, or with high contrast.",
    help_zh="浅色、深色或高对比度。",
    choices=(
        Choice("system", "As the system", "跟随系统"),
        Choice("light", "Light", "浅色"),
        Choice("dark", "Dark", "深色"),
        Choice("contrast", "High contrast", "高对比度"),
    ),
)
TEXT_SIZE: Final = Setting(
    key="text_size",
    default=100,
    label_en="Size of text (%)",
    label_zh="文字大小（%）",
    help_en="On top of what the system's own scaling does.",
    help_zh="在系统缩放的基础上再调整。",
    minimum=80,
    maximum=200,
)
FULL_SPEED: Final = "full"
SPEED: Final = Setting(
    key="speed",
    default=FULL_SPEED,
    label_en="Reading speed",
    label_zh="读取速度",
    help_en="In the background leaves most of the computer to your other programs.",
    help_zh="后台读取会把大部分算力留给其他程序。",
    choices=(
        Choice("background", "In the background", "后台"),
        Choice(FULL_SPEED, "Full speed", "全速"),
    ),
)
READ_SECONDS_LIMIT: Final = Setting(
    key="read_seconds_limit",
    default=120,
    label_en="Longest time for one file (seconds)",
    label_zh="单个文件的最长读取时间（秒）",
    help_en="A file that takes longer is listed as not read, and the next one follows.",
    help_zh="超过这个时间的文件会列为未读取，然后继续读下一个。",
    minimum=5,
    maximum=3600,
)
READ_MEMORY_MB: Final = Setting(
    key="read_memory_mb",
    default=1500,
    label_en="Most memory for reading one file (MB)",
    label_zh="读取单个文件的最大内存（MB）",
    help_en="A file that needs more is listed as not read.",
    help_zh="需要更多内存的文件会列为未读取。",
    minimum=256,
    maximum=16_384,
)
MAX_FILE_MB: Final = Setting(
    key="max_file_mb",
    default=500,
    label_en="Largest file (MB)",
    label_zh="最大文件（MB）",
    help_en="Larger files are listed as too large and are not read.",
    help_zh="更大的文件会列为过大，不会读取。",
    minimum=1,
    maximum=100_000,
)

SETTINGS: Final[tuple[Setting[Any], ...]] = (
    LANGUAGE,
    THEME,
    TEXT_SIZE,
    SPEED,
    READ_SECONDS_LIMIT,
    READ_MEMORY_MB,
    MAX_FILE_MB,
)


class Settings:
    """The values in force, kept in ``settings.json`` of the data folder. Thread-safe.

    Only what was changed is in the file. Keys that this version does not know stay in
    it, so that an older version does not undo a newer one's settings; a value that is
    not allowed counts as its default, with a warning in the log.

    Args:
        data_dir: the data folder; it is not written before the first ``set``.
    """

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / SETTINGS_FILE
        self._lock = threading.Lock()
        self._stored = _read(self._path)
        self._values = {setting.key: self._valid(setting) for setting in SETTINGS}
        self._listeners: list[Callable[[Setting[Any]], None]] = []

    def get(self, setting: Setting[Value]) -> Value:
        """Return the setting's value."""
        with self._lock:
            return self._values[setting.key]  # type: ignore[no-any-return]  # checked on its way in

    def set(self, setting: Setting[Value], value: Value) -> None:
        """Change a setting, save it, and tell the listeners if it was another value.

        Raises:
            ValueError: the value is not allowed.
            OSError: the file cannot be written; the setting is as before.
        """
        checked = setting.check(value)
        with self._lock:
            if self._values[setting.key] == checked:
                return
            stored = {**self._stored, setting.key: checked}
            _write(self._path, stored)
            self._stored = stored
            self._values[setting.key] = checked
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener(setting)

    def listen(self, callback: Callable[[Setting[Any]], None]) -> Callable[[], None]:
        """Call ``callback`` with each setting that changes; return what ends that.

        It is called in the thread that changed the setting.
        """
        with self._lock:
            self._listeners.append(callback)

        def stop() -> None:
            with self._lock:
                if callback in self._listeners:
                    self._listeners.remove(callback)

        return stop

    def _valid(self, setting: Setting[Any]) -> Any:  # noqa: ANN401  - any of the four types
        if setting.key not in self._stored:
            return setting.default
        try:
            return setting.check(self._stored[setting.key])
        except ValueError as error:
            _log.warning("Setting not allowed, its default counts: %s", error)
            return setting.default


def _read(path: Path) -> dict[str, Any]:
    try:
        stored = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.warning("%s cannot be read, the defaults count: %s", path, type(error).__name__)
        return {}
    if not isinstance(stored, dict):
        _log.warning("%s does not hold settings, the defaults count", path)
        return {}
    return stored


def _write(path: Path, stored: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(stored, ensure_ascii=False, indent=2, sort_keys=True)
    write_atomically(path, text.encode() + b"\n")
