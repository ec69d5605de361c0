"""No command: the window."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop_rag.cli.program import RunWindow
from desktop_rag.cli.words import absolute
from desktop_rag.foundation.errors import KnownError

_PLUGINS = Path("Qt", "plugins", "platforms")


def open_window(
    data_dir: Path, paths: Sequence[str], run_window: RunWindow, hidden: bool = False
) -> int:
    """Open the window, or bring the one that is open to the front, and return the exit code.

    Raises:
        KnownError: there is no screen, or the system lacks a library that Qt needs.
    """
    check_screen()
    try:
        return run_window(data_dir, tuple(absolute(paths)), hidden)
    except ImportError as error:
        if error.name is not None and not error.name.startswith("PySide6"):
            raise
        raise _missing(str(error)) from error


def check_screen() -> None:
    """Look whether Qt will find a screen: it would end the process without a word to catch.

    Raises:
        KnownError: it will not; the error names the missing library.
    """
    if not sys.platform.startswith("linux"):
        return
    platforms = _platforms()
    if not platforms:
        raise KnownError(
            "There is no screen",
            "The window needs a desktop. On this one, use the commands: desktop-rag --help.",
        )
    problems = [problem for name in platforms if (problem := _plugin_problem(name))]
    if len(problems) == len(platforms):
        raise _missing(problems[0])


def _platforms() -> list[str]:
    """Return the names of Qt's plugins that may open the window, as Qt would choose."""
    chosen = os.environ.get("QT_QPA_PLATFORM")
    if chosen:
        return [name.split(":")[0] for name in chosen.split(";")]
    wayland = ["wayland"] if os.environ.get("WAYLAND_DISPLAY") else []
    return wayland + (["xcb"] if os.environ.get("DISPLAY") else [])


def _plugin_problem(name: str) -> str:
    """Return what the system's loader says about a plugin of Qt; nothing when it loads."""
    package = importlib.util.find_spec("PySide6")
    if package is None or package.origin is None:
        return "PySide6 is not installed"
    plugin = Path(package.origin).parent / _PLUGINS / f"libq{name}.so"
    if not plugin.exists():
        return ""
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error)
    return ""


def _missing(reason: str) -> KnownError:
    return KnownError(
        "The window cannot open",
        f"A library of the system is missing: {reason}. Install the package that has it "
        "(on Debian and Ubuntu, make run names all that are needed), or use the commands: "
        "desktop-rag --help.",
    )
