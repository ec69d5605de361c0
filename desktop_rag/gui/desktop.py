"""Handing files over to the desktop: open one, show one in its folder."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import file_at
from desktop_rag.gui.handlers import page_command
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import file_name


def check(path: str) -> None:
    """Look whether a path is there; on a sleeping drive that takes a while, so not in the GUI.

    Raises:
        KnownError: it is gone.
    """
    if not file_at(path).exists():
        raise gone(path)


def gone(path: str) -> KnownError:
    """Return what to say about a file that is not there any more."""
    return KnownError(tr("desktop.gone"), tr("desktop.gone_message", name=file_name(path)), path)


def open_outside(path: str, page: int = 0) -> None:
    """Open a file or folder in its own application; for a file inside another, that one.

    ``page`` (from 1; 0 for none) is where it opens, if that application can be told.

    Raises:
        KnownError: nothing on this computer opens it.
    """
    command = page_command(path, page) if page > 1 and sys.platform.startswith("linux") else None
    if command is not None and QProcess.startDetached(command[0], command[1:])[0]:
        return
    if not QDesktopServices.openUrl(QUrl(file_at(path).as_uri())):
        raise KnownError(
            tr("desktop.no_program"), tr("desktop.no_program_message", name=file_name(path)), path
        )


def show_in_folder(path: str) -> None:
    """Open the folder of a file, with the file selected where the desktop can do that.

    Raises:
        KnownError: nothing on this computer opens folders.
    """
    path = str(file_at(path))
    if sys.platform == "win32":
        QProcess.startDetached("explorer", ["/select,", os.path.normpath(path)])
    elif sys.platform == "darwin":
        QProcess.startDetached("open", ["-R", path])
    else:
        open_outside(os.path.dirname(path))
