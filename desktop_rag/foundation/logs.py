"""The log: rotating files in the data folder, without a word of the documents."""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import sqlite3
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

from desktop_rag.foundation.errors import Cancelled, KnownError

LOG_FOLDER: Final = "logs"
LOG_FILE: Final = "desktop-rag.log"
NATIVE_CRASH_FILE: Final = "native-crash.log"

_MAX_BYTES = 2_000_000
_BACKUPS = 4
_LINE = "%(asctime)s %(levelname)s %(process)d %(threadName)s %(name)s: %(message)s"

_SAFE_MESSAGES = (
    AttributeError,
    ImportError,
    KnownError,
    MemoryError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
    sqlite3.Error,
)
"""Errors whose messages name files, types and attributes. Others (ValueError, KeyError,
UnicodeError ...) often quote the value they choke on, which may be a user's text."""

_log = logging.getLogger(__name__)

ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class PrivateFormatter(logging.Formatter):
    """Writes tracebacks with their frames, and messages only of errors that quote no text."""

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802  - logging's own name
        """Return the traceback of ``ei`` and of its causes, oldest first."""
        lines: list[str] = []
        error, seen = ei[1], set[int]()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            frames = "".join(traceback.format_tb(error.__traceback__))
            lines.insert(0, f"{frames}{_describe(error)}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nwhich led to:\n".join(lines)


class Logs:
    """The log of this process, open until ``close``.

    Records of the ``desktop_rag`` loggers go to ``logs/desktop-rag.log`` (2 MB, four
    older files kept, readable by their owner alone); a crash in native code leaves the
    stacks of all threads in ``logs/native-crash.log``.

    Args:
        data_dir: the data folder.
        level: the least important level that is written.

    Raises:
        OSError: the folder cannot be written.
    """

    def __init__(self, data_dir: Path, level: int = logging.INFO) -> None:
        folder = data_dir / LOG_FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = folder / LOG_FILE
        self._native = (folder / NATIVE_CRASH_FILE).open("a", encoding="utf-8")
        self._handler = logging.handlers.RotatingFileHandler(
            self.path,
            maxBytes=_MAX_BYTES,
            backupCount=_BACKUPS,
            encoding="utf-8",
            errors="backslashreplace",
        )
        self._handler.setFormatter(PrivateFormatter(_LINE))
        self._logger = logging.getLogger("desktop_rag")
        self._logger.setLevel(level)
        self._logger.addHandler(self._handler)
        self._watches_native = not faulthandler.is_enabled()
        if self._watches_native:
            faulthandler.enable(self._native)

    def close(self) -> None:
        """Write what is left and let go of the files; a second call does nothing."""
        if self._watches_native:
            faulthandler.disable()
            self._watches_native = False
        self._logger.removeHandler(self._handler)
        self._handler.close()
        self._native.close()

    def __enter__(self) -> Logs:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def install_crash_hook(show: Callable[[BaseException], None] | None = None) -> Callable[[], None]:
    """Log every error that nobody caught, in any thread, then hand it to ``show``.

    Args:
        show: called in the thread of the error (a window hands it to its own thread);
            without it the interpreter's usual output on stderr follows.

    Returns:
        What puts the former hooks back.
    """
    former, former_in_threads = sys.excepthook, threading.excepthook

    def on_error(
        kind: type[BaseException], error: BaseException, frames: TracebackType | None
    ) -> None:
        if isinstance(error, (KeyboardInterrupt, Cancelled)):
            former(kind, error, frames)
            return
        _log.critical("Unexpected error", exc_info=(kind, error, frames))
        if show is None:
            former(kind, error, frames)
        else:
            show(error)

    def on_thread_error(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and arguments.exc_type is not SystemExit:
            on_error(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    def restore() -> None:
        sys.excepthook, threading.excepthook = former, former_in_threads

    sys.excepthook, threading.excepthook = on_error, on_thread_error
    return restore


def _describe(error: BaseException) -> str:
    name = type(error).__qualname__
    return f"{name}: {error}" if isinstance(error, _SAFE_MESSAGES) else name
