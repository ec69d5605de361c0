"""How the reading goes: a bar with an estimate on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from desktop_rag.cli.console import Console, printable
from desktop_rag.cli.words import time_left

if TYPE_CHECKING:
    from tqdm import tqdm

_LINE_SECONDS = 5.0
"""Between two lines where there is no terminal: enough for a log, not too much."""

_USUAL_WIDTH = 80

_ROWS = 20
"""More than the one bar needs; tqdm draws none where a terminal tells no height."""

_STATES = {
    "scanning": "Looking for files",
    "reading": "Reading",
    "recognising": "Recognising",
    "relearning": "The new language model reads",
    "paused": "Paused",
    "asking": "Asking",
}
_FILES = "files"
_UNITS = {"asking": "questions"}
"""What is counted, where it is not files."""


class ReadingProgress:
    """Shows the progress messages of ``index`` on standard error until it is left."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._on_terminal = console.err.isatty()
        self._bar: tqdm[Any] | None = None
        self._next_line = time.monotonic() + _LINE_SECONDS
        self._noted: set[str] = set()

    def __enter__(self) -> ReadingProgress:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def update(self, message: Mapping[str, object]) -> None:
        """Show a message of a request; those that don't tell of reading are left out."""
        counted, reading = message.get("counted"), message.get("reading")
        if isinstance(counted, int) and self._line_is_due():
            self._console.tell(f"Counting: {counted:,} files so far")
        if not isinstance(reading, Mapping):
            return
        for note in reading.get("notes", ()):
            self._note(str(note))
        if self._on_terminal:
            self._move_bar(reading)
        elif self._line_is_due():
            self._console.tell(progress_line(reading))

    def _line_is_due(self) -> bool:
        """Whether it is time for another line; the next is due a while after it."""
        now = time.monotonic()
        due = now >= self._next_line
        if due:
            self._next_line = now + _LINE_SECONDS
        return due

    def _note(self, note: str) -> None:
        if note not in self._noted:
            self._noted.add(note)
            self._write_above(note)

    def _write_above(self, text: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        self._console.tell(text)

    def _move_bar(self, reading: Mapping[str, Any]) -> None:
        if self._bar is None:
            self._bar = _new_bar(self._console)
        self._bar.ncols = _width(self._console.err)
        self._bar.total = reading["files_total"]
        self._bar.n = reading["files_done"]
        self._bar.unit = _unit(reading)
        state = _STATES.get(str(reading["state"]), "")
        if reading["page"] is not None:
            state = f"{state} {_page(reading)} ·"
        self._bar.set_description_str(state, refresh=False)
        self._bar.set_postfix_str(time_left(reading["seconds_left"]), refresh=False)
        self._bar.refresh()


def progress_line(reading: Mapping[str, Any]) -> str:
    """Return "Reading 3,210 of 9,800 files · about 4 min"."""
    state = _STATES.get(str(reading["state"]), "Done")
    if reading["page"] is not None:
        of_file = f" of {reading['current']}" if reading["current"] else ""
        return printable(f"{state} {_page(reading)}{of_file}")
    counted = f"{reading['files_done']:,} of {reading['files_total']:,} {_unit(reading)}"
    files = f"{state} {counted}"
    left = time_left(reading["seconds_left"])
    return printable(f"{files} · {left}" if left else files)


def _unit(reading: Mapping[str, Any]) -> str:
    return _UNITS.get(str(reading["state"]), _FILES)


def _page(reading: Mapping[str, Any]) -> str:
    what = "page" if reading["current"] else "passage"
    return f"{what} {reading['page']:,} of {reading['pages']:,}"


def _new_bar(console: Console) -> tqdm[Any]:
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # no thread that redraws: progress is told often enough
    return tqdm(
        total=0,
        unit=_FILES,
        file=console.err,
        leave=False,
        ncols=_width(console.err),
        nrows=_ROWS,
        bar_format="{desc} {n_fmt}/{total_fmt} {unit} |{bar}| {elapsed}{postfix}",
    )


def _width(terminal: TextIO) -> int:
    """Return the columns of a terminal; some have none to tell, and a bar needs some."""
    try:
        return os.get_terminal_size(terminal.fileno()).columns or _USUAL_WIDTH
    except (OSError, ValueError):
        return _USUAL_WIDTH
