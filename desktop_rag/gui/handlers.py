"""Which application of a Linux desktop opens a PDF, and how it is told a page.

Read from the files that the desktops keep (freedesktop.org: MIME applications associations),
without running anything.
"""

from __future__ import annotations

import configparser
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from desktop_rag.foundation.paths import file_at

_PDF = "application/pdf"

_Command = Callable[[str, int], list[str]]


def _with_index(program: str) -> _Command:
    return lambda path, page: [program, f"--page-index={page}", path]


def _with_fragment(program: str) -> _Command:
    return lambda path, page: [program, f"{Path(path).as_uri()}#page={page}"]


_TOLD: Mapping[str, _Command] = {
    **{name: _with_index(name) for name in ("evince", "atril", "xreader", "papers")},
    "okular": lambda path, page: ["okular", "--page", str(page), path],
    "zathura": lambda path, page: ["zathura", "-P", str(page), path],
    "qpdfview": lambda path, page: ["qpdfview", f"{path}#{page}"],
    "mupdf": lambda path, page: ["mupdf", path, str(page)],
    "xpdf": lambda path, page: ["xpdf", path, str(page)],
    **{
        name: _with_fragment(name)
        for name in ("firefox", "chromium", "google-chrome", "microsoft-edge", "brave-browser")
    },
}
"""How an application is told the page, by what its desktop entry's name contains."""


def page_command(
    path: str, page: int, environment: Mapping[str, str] = os.environ
) -> list[str] | None:
    """Return the command that opens a PDF at a page (from 1); None where that cannot be.

    A file inside another has no place that an application could open.
    """
    if not path.lower().endswith(".pdf") or file_at(path) != Path(path):
        return None
    entry = default_application(_PDF, environment)
    for name, command in _TOLD.items() if entry is not None else ():
        if name in str(entry).lower() and shutil.which(name, path=environment.get("PATH")):
            return command(path, page)
    return None


def default_application(kind: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the name of the desktop entry that opens files of a kind, None if none is set."""
    for file in _association_files(environment):
        for section in ("Default Applications", "Added Associations", "MIME Cache"):
            for entry in _entries(file, section, kind):
                if _is_installed(entry, environment):
                    return entry
    return None


def _association_files(environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files that say so, those that count more first."""
    desktops = environment.get("XDG_CURRENT_DESKTOP", "").lower().split(":")
    names = [f"{name}-mimeapps.list" for name in desktops if name] + ["mimeapps.list"]
    for folder in (*_config_folders(environment), *_application_folders(environment)):
        yield from (folder / name for name in names)
    for folder in _application_folders(environment):
        yield folder / "mimeinfo.cache"


def _config_folders(environment: Mapping[str, str]) -> list[Path]:
    own = environment.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    shared = environment.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return [Path(own), *map(Path, shared.split(":"))]


def _application_folders(environment: Mapping[str, str]) -> list[Path]:
    own = environment.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    shared = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [Path(folder) / "applications" for folder in (own, *shared.split(":"))]


def _entries(file: Path, section: str, kind: str) -> list[str]:
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",), allow_no_value=True)
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeError, OSError):
        return []
    value = parser.get(section, kind, fallback="") or ""
    return [entry.strip() for entry in value.split(";") if entry.strip()]


def _is_installed(entry: str, environment: Mapping[str, str]) -> bool:
    return any((folder / entry).is_file() for folder in _application_folders(environment))
