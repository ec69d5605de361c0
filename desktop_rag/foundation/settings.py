"""Settings: declared once as data, which the file, the command line and the dialog follow."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from desktop_rag.foundation.atomic import write_atomically
from desktop_rag.foundation.living_settings import LIVING
from desktop_rag.foundation.model_settings import MODEL_SETTINGS
from desktop_rag.foundation.setting import Choice, Setting, Value
from desktop_rag.foundation.step_settings import RERANK_FOLDER, STEP_SETTINGS

_log = logging.getLogger(__name__)

__all__ = ["RERANK_FOLDER", "Choice", "Setting", "Settings"]

SETTINGS_FILE: Final = "settings.json"

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
READ_PAGES: Final = Setting(
    key="read_pages",
    default=20_000,
    label_en="Most pages of one file",
    label_zh="单个文件的最多页数",
    help_en="Of a longer file the first pages are read, and it says so.",
    help_zh="更长的文件只读取前面的页，并会注明。",
    minimum=100,
    maximum=1_000_000,
)
READ_TEXT_MB: Final = Setting(
    key="read_text_mb",
    default=48,
    label_en="Most text of one file (MB)",
    label_zh="单个文件的最大文字量（MB）",
    help_en="Of a longer file the first part is read, and it says so. More needs more memory.",
    help_zh="更长的文件只读取前面的部分，并会注明。数值越大，需要的内存越多。",
    minimum=1,
    maximum=1000,
)
READ_UNPACKED_MB: Final = Setting(
    key="read_unpacked_mb",
    default=1024,
    label_en="Most that one file may unpack to (MB)",
    label_zh="单个文件解压后的最大大小（MB）",
    help_en="Archives and documents that unpack to more are listed as not read.",
    help_zh="解压后超过此大小的压缩包和文档会列为未读取。",
    minimum=64,
    maximum=16_384,
)
READ_DEPTH: Final = Setting(
    key="read_depth",
    default=3,
    label_en="Files inside each other, at most",
    label_zh="文件最多嵌套层数",
    help_en="Such as a document in an archive that is attached to a mail. Deeper ones are left.",
    help_zh="例如邮件附件中压缩包里的文档。更深的文件不会读取。",
    minimum=1,
    maximum=20,
)
WHEN_NOT_FOUND: Final = Setting(
    key="when_not_found",
    default="not_found",
    label_en="When your documents have no answer",
    label_zh="文档中没有答案时",
    help_en="General knowledge needs a language model; what comes from it is marked.",
    help_zh="一般知识需要语言模型；由它给出的内容会注明。",
    choices=(
        Choice("not_found", "Say that nothing was found", "说明没有找到"),
        Choice("own_text", "Say the text below", "显示下面的文字"),
        Choice("general", "Answer from general knowledge", "用一般知识回答"),
    ),
)
NOT_FOUND_TEXT: Final = Setting(
    key="not_found_text",
    default="",
    label_en="Text for that",
    label_zh="此时显示的文字",
    help_en="For example whom to ask instead.",
    help_zh="例如可以向谁询问。",
)
OCR: Final = Setting(
    key="ocr",
    default=True,
    label_en="Recognise text on scanned pages and pictures",
    label_zh="识别扫描页和图片中的文字",
    help_en="Page by page, when there is nothing else to do. It takes a few seconds a page.",
    help_zh="空闲时逐页识别，每页需要几秒钟。",
)
OCR_PAGE_SECONDS: Final = Setting(
    key="ocr_page_seconds",
    default=60,
    label_en="Longest time for recognising one page (seconds)",
    label_zh="识别一页的最长时间（秒）",
    help_en="A page that takes longer is listed as not read, and the next one follows.",
    help_zh="超过这个时间的页面会列为未读取，然后继续识别下一页。",
    minimum=5,
    maximum=3600,
)
SETTINGS: Final[tuple[Setting[Any], ...]] = (
    LANGUAGE,
    THEME,
    TEXT_SIZE,
    SPEED,
    *LIVING,
    READ_SECONDS_LIMIT,
    READ_MEMORY_MB,
    MAX_FILE_MB,
    READ_PAGES,
    READ_TEXT_MB,
    READ_UNPACKED_MB,
    READ_DEPTH,
    WHEN_NOT_FOUND,
    NOT_FOUND_TEXT,
    OCR,
    OCR_PAGE_SECONDS,
    RERANK_FOLDER,
    *MODEL_SETTINGS,
    *STEP_SETTINGS,
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
