"""The report on a mistake of the program, which the user may send to its makers.

It holds no word of a document and no question: what the log leaves out it leaves out too.
"""

from __future__ import annotations

import logging
import platform
import sys
from pathlib import Path

import PySide6

from desktop_rag.foundation.logs import PrivateFormatter
from desktop_rag.foundation.run_mark import PREVIOUS_CRASH_FILE
from desktop_rag.foundation.version import VERSION

_LINES = 60
_MOST_BYTES = 200_000


def crash_report(error: BaseException | None, log: Path) -> str:
    """Return what happened, on which system, and the last lines of the log.

    ``error`` is None for a program that ended without having a chance to say why.
    """
    parts = [
        f"Desktop RAG {VERSION}",
        f"Python {platform.python_version()}, PySide {PySide6.__version__}",
        f"{platform.platform()} ({sys.platform})",
    ]
    if error is not None:
        info = (type(error), error, error.__traceback__)
        parts += ["", PrivateFormatter().formatException(info)]
    native = native_crash(log)
    if native:
        parts += ["", "The program ended in native code:", native]
    return "\n".join([*parts, "", "The last lines of the log:", *last_lines(log)])


def last_lines(log: Path, count: int = _LINES) -> list[str]:
    """Return the last lines of a log, none where there is none."""
    return _tail(log).splitlines()[-count:]


def native_crash(log: Path) -> str:
    """Return the stacks that the last crash in native code left, "" where there was none."""
    return _tail(log.parent / PREVIOUS_CRASH_FILE).strip()


def _tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - _MOST_BYTES))
            return file.read().decode("utf-8", "replace")
    except OSError:
        logging.getLogger(__name__).info("%s cannot be read", path.name)
        return ""
