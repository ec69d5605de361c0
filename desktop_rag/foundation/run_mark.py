"""Whether the program came to its end the last time: a file that stands while it runs."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from desktop_rag.foundation.logs import LOG_FOLDER, NATIVE_CRASH_FILE

MARK_FILE: Final = "running"
PREVIOUS_CRASH_FILE: Final = "native-crash.previous.log"


class RunMark:
    """Stands in the log's folder from ``begin`` to ``end``; one process at a time has it.

    Args:
        data_dir: the data folder, which this process owns.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / LOG_FOLDER
        self._mark = self._folder / MARK_FILE

    def begin(self) -> bool:
        """Make the mark; return whether there was one, so that the last run broke off.

        What a crash in native code has left is moved aside, to be told apart from later
        ones. It must be called before the log is opened.

        Raises:
            OSError: the folder cannot be written.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        broke_off = self._mark.exists()
        previous = self._folder / PREVIOUS_CRASH_FILE
        previous.unlink(missing_ok=True)
        native = self._folder / NATIVE_CRASH_FILE
        if native.exists() and native.stat().st_size:
            native.replace(previous)
        self._mark.write_text(f"{os.getpid()}\n", encoding="utf-8")
        return broke_off

    def end(self) -> None:
        """Take the mark away: this run came to its end."""
        with contextlib.suppress(OSError):  # a disk that is gone is told of elsewhere
            self._mark.unlink(missing_ok=True)
