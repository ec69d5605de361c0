"""Where the program's own files and its data are, in all three of its lives.

In the source tree ``models`` and ``resources`` stand beside the package; in a wheel
they are package data inside it; in a frozen bundle they are under ``sys._MEIPASS``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

from desktop_rag.foundation.errors import KnownError, explain_os_error

APP_NAME = "desktop-rag"
DATA_DIR_VARIABLE = "DESKTOP_RAG_DATA_DIR"


def package_dir() -> Path:
    """Return the folder of the ``desktop_rag`` package."""
    return Path(__file__).resolve().parent.parent


def models_dir() -> Path:
    """Return the folder with ``manifest.json`` and one folder a model."""
    return _bundled("models")


def resources_dir() -> Path:
    """Return the folder with prompts, icons, styles, translations and the guide."""
    return _bundled("resources")


def _bundled(name: str) -> Path:
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen is not None:
        return Path(frozen) / name
    inside = package_dir() / f"_{name}"
    return inside if inside.is_dir() else package_dir().parent / name


def default_data_dir() -> Path:
    """Return the data folder.

    That is ``DESKTOP_RAG_DATA_DIR``, or the one that the user chose in the window because
    the platform's own place could not be used, or that place.
    """
    chosen = os.environ.get(DATA_DIR_VARIABLE) or _remembered_data_dir()
    if chosen:
        return Path(chosen).expanduser().absolute()
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def remember_data_dir(folder: Path) -> None:
    """Take this data folder from now on, where none is named.

    Raises:
        OSError: the folder for configurations cannot be written.
    """
    file = _data_dir_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(os.fsencode(folder))


def _data_dir_file() -> Path:
    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False)) / "data-folder"


def _remembered_data_dir() -> str:
    try:
        return os.fsdecode(_data_dir_file().read_bytes()).strip()
    except OSError:
        return ""


def prepare_data_dir(data_dir: Path) -> Path:
    """Make the data folder, readable by its owner alone, and return its absolute path.

    Raises:
        KnownError: it is a file, cannot be made, or cannot be written.
    """
    folder = data_dir.expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        message = "There is a file where the data folder should be. Choose another folder."
        raise KnownError("Not a folder", message, str(folder)) from error
    except OSError as error:
        known = explain_os_error(error)
        if known is None:
            raise
        raise known from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        if _is_read_only(folder):
            message = (
                f"“{folder}” is on a disk that can only be read, and the library must be "
                "written. Choose another folder with --data-dir."
            )
            raise KnownError("Read only", message, str(folder))
        message = "The data folder cannot be written. Choose another one with --data-dir."
        raise KnownError("Not allowed", message, str(folder))
    return folder


def _is_read_only(folder: Path) -> bool:
    """Whether the disk itself takes no writes, whatever the permissions (not on Windows)."""
    if sys.platform == "win32":
        return False
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def file_at(path: str | Path) -> Path:
    """Return the file on the disk that a path leads to.

    That is the path itself, or the container for a place inside one ("mail.eml/Offer.pdf").
    Where nothing is there, the path comes back as it is.
    """
    place = Path(path)
    for above in (place, *place.parents):
        if above.is_file():
            return above
        if above.is_dir():
            break
    return place
