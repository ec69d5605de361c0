"""Small pieces of text that several commands print."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

_UNITS = ("B", "kB", "MB", "GB", "TB")


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Return "1 file" or "3,210 files"."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def size(number: float) -> str:
    """Return a size in bytes as "12.3 MB", in powers of 1,000."""
    for unit in _UNITS:
        if number < 1000 or unit == _UNITS[-1]:
            return f"{number:.0f} B" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    raise AssertionError("the last unit takes every number")


def place(found: Mapping[str, Any]) -> str:
    """Return where a passage stands: its file and, if it has pages, the page."""
    page = found.get("page")
    return f"{found['path']}, page {page}" if page is not None else str(found["path"])


def quoted(text: str, indent: str = "    ", width: int = 92) -> str:
    """Return a passage on lines of at most ``width`` characters, white space collapsed."""
    flat = " ".join(text.split())
    return textwrap.fill(flat, width, initial_indent=indent, subsequent_indent=indent)


def page_numbers(pages: Sequence[int]) -> str:
    """Return "page 3" or "pages 2–5, 9"; ``pages`` is not empty."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    shown = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    return f"{'page' if len(set(pages)) == 1 else 'pages'} {shown}"


def problem(title: str, message: str) -> str:
    """Return a problem on one line."""
    return " ".join(f"{title}: {message}".split())


def absolute(paths: Sequence[str]) -> list[str]:
    """Return paths as the owner, which has another working folder, can use them."""
    return [os.path.abspath(os.path.expanduser(path)) for path in paths]


def time_left(seconds: float | None) -> str:
    """Return a rough time: "about 4 min"; "" when it is not known."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"about {max(1, round(seconds))} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"
