"""Standard output for results alone, standard error for everything else."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Mapping
from typing import TextIO

from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.json_text import EXTRA, to_json

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_OTHER_SURROGATE = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")


class Console:
    """Prints for people or, with ``json``, for programs.

    Args:
        json: whether results are printed as JSON.
        out: where results go; standard output when None.
        err: where errors and progress go; standard error when None.
    """

    def __init__(self, json: bool, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.json = json
        self.out = out or sys.stdout
        self.err = err or sys.stderr

    def print_json(self, result: Mapping[str, object]) -> None:
        """Print one JSON object on a line of its own, without what is for people alone."""
        shown = {key: value for key, value in result.items() if key != EXTRA}
        self.out.write(to_json(shown) + "\n")
        self.out.flush()

    def print(self, text: str = "") -> None:
        """Print a line for people."""
        self.out.write(printable(text) + "\n")

    def write(self, text: str) -> None:
        """Print a piece of a line for people, at once."""
        self.out.write(printable(text))
        self.out.flush()

    def tell(self, text: str) -> None:
        """Print a line that is not part of the result."""
        self.err.write(printable(text) + "\n")
        self.err.flush()

    def agrees(self, question: str) -> bool:
        """Ask on a terminal; without one nobody can say no, so that is a yes."""
        if not self._asks():
            return True
        self.err.write(f"{question} [y/N] ")
        self.err.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes", "是")

    def _asks(self) -> bool:
        return self.err.isatty() and sys.stdin is not None and sys.stdin.isatty()

    def fail(self, error: KnownError) -> None:
        """Print a known error: a line on stderr and, for programs, the JSON that names it."""
        place = f" [{error.path}]" if error.path and error.path not in error.message else ""
        one_line = " ".join(f"{error.title}: {error.message}{place}".split())
        self.tell(f"desktop-rag: {one_line}")
        if self.json:
            fields = {"title": error.title, "message": error.message, "path": error.path}
            self.print_json({"error": fields})


def printable(text: str) -> str:
    """Return text that does nothing to a terminal but show.

    Documents may hold control characters, which could move its cursor, change its title
    or turn the direction of writing. Bytes of file names that are not UTF-8 stay as
    they are (PEP 383), so that a printed path can be pasted back.
    """
    return _OTHER_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", _CONTROL.sub(" ", text))


def use_utf8() -> None:
    """Make the standard streams write UTF-8 whatever the locale, file names byte by byte."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
