"""Starting with the user's session: what is written where, on each system."""

from __future__ import annotations

import os
import plistlib
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.foundation.atomic import write_atomically
from desktop_rag.foundation.errors import explain_os_error

HIDDEN = "--hidden"
"""The option that starts the program without showing its window."""

RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
RUN_NAME = "Desktop RAG"
_LABEL = "org.desktop-rag.desktop-rag"


@dataclass(frozen=True, slots=True)
class StartFile:
    """A file whose presence has the system start the program."""

    path: Path
    content: bytes


def own_command(data_dir: Path, is_default: bool) -> list[str]:
    """Return the command that starts this program as it was started, hidden.

    ``is_default``: the data folder is the one that it takes by itself.
    """
    if getattr(sys, "frozen", False):
        program = [sys.executable]
    else:
        program = [sys.executable, "-m", "desktop_rag"]
    place = [] if is_default else ["--data-dir", str(data_dir)]
    return [*program, *place, HIDDEN]


def start_file(
    command: Sequence[str], platform: str, environment: Mapping[str, str], home: Path
) -> StartFile | None:
    """Return the file for Linux and macOS; None for Windows, which has a registry key."""
    if platform == "win32":
        return None
    if platform == "darwin":
        content = plistlib.dumps(
            {"Label": _LABEL, "ProgramArguments": list(command), "RunAtLoad": True}
        )
        return StartFile(home / "Library" / "LaunchAgents" / f"{_LABEL}.plist", content)
    folder = Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "autostart"
    return StartFile(folder / "desktop-rag.desktop", desktop_entry(command).encode())


def desktop_entry(command: Sequence[str]) -> str:
    """Return a desktop entry for a command (freedesktop.org: Desktop Entry Specification)."""
    return (
        "[Desktop Entry]\n"
        "Type=Application\n"
        "Version=1.5\n"
        "Name=Desktop RAG\n"
        "Comment=Ask your own files\n"
        "Comment[zh_CN]=向您自己的文件提问\n"
        f"Exec={' '.join(map(_quoted, command))}\n"
        "Icon=desktop-rag\n"
        "Terminal=false\n"
        "X-GNOME-Autostart-enabled=true\n"
    )


def windows_command(command: Sequence[str]) -> str:
    """Return a command as the registry's Run key holds it."""
    return subprocess.list2cmdline(list(command))


def set_autostart(on: bool, command: Sequence[str]) -> None:
    """Have the system start a command at login, or no longer.

    Raises:
        KnownError: the place cannot be written.
    """
    try:
        file = start_file(command, sys.platform, os.environ, Path.home())
        if file is None:
            _set_registry(on, command)
        elif on:
            file.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file.path, file.content)
        else:
            file.path.unlink(missing_ok=True)
    except OSError as error:
        known = explain_os_error(error)
        raise known if known is not None else error from error


def _set_registry(on: bool, command: Sequence[str]) -> None:
    if sys.platform == "win32":
        import winreg

        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, RUN_KEY) as key:
            if on:
                winreg.SetValueEx(key, RUN_NAME, 0, winreg.REG_SZ, windows_command(command))
            else:
                try:
                    winreg.DeleteValue(key, RUN_NAME)
                except FileNotFoundError:
                    return


def _quoted(word: str) -> str:
    """Quote a word of an Exec line: a percent sign would begin a field code."""
    plain = shlex.quote(word) == word
    escaped = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    return word.replace("%", "%%") if plain else f'"{escaped}"'.replace("%", "%%")
