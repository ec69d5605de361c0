"""Where a library cannot be kept: on network drives and in synchronised folders.

The database needs locks that hold and writes that arrive in order. Network drives promise
neither, and a program that synchronises copies the database in the middle of a write.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.mounts import is_on_network

_MARKERS = {
    ".dropbox": "Dropbox",
    ".dropbox.cache": "Dropbox",
    ".stfolder": "Syncthing",
    ".owncloudsync.log": "ownCloud",
    ".nextcloudsync.log": "Nextcloud",
    ".tmp.drivedownload": "Google Drive",
    ".tmp.driveupload": "Google Drive",
}
"""What these programs leave in the folders that they synchronise."""

_NAMES = re.compile(
    r"""
      (?P<OneDrive> OneDrive (\ -\ .+)?)
    | (?P<Dropbox> Dropbox (\ \(.+\))?)
    | (?P<iCloud> iCloud\ ?Drive | com~apple~CloudDocs)
    | (?P<Google_Drive> Google\ ?Drive (\ \(.+\))?)
    | (?P<Nextcloud> Nextcloud)
    | (?P<pCloud> pCloud\ ?Drive)
    | (?P<MEGA> MEGAsync)
    | (?P<Box> Box\ Sync)
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""The names that their folders have unless the user has renamed them."""

_MACOS_CLOUD = ("Library", "CloudStorage")
_ONEDRIVE_VARIABLES = ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")


def check_data_place(data_dir: Path) -> None:
    """Refuse a place for the data folder that would damage the library.

    Raises:
        KnownError: it is on a network drive or in a synchronised folder.
    """
    folder = Path(os.path.realpath(data_dir.expanduser()))
    if str(folder).startswith("\\\\") or is_on_network(str(folder)):
        raise KnownError(
            "On a network drive",
            f"“{data_dir}” is on a network drive, where a library gets damaged: such drives "
            "do not lock files reliably. Choose a folder on this computer with --data-dir. "
            "The files that you add may stay on the network drive.",
            str(data_dir),
        )
    program = _synchronised_by(folder)
    if program is not None:
        raise KnownError(
            "In a synchronised folder",
            f"“{data_dir}” is synchronised by {program}, which copies the library in the "
            "middle of a write and damages it. Choose a folder outside with --data-dir. The "
            "files that you add may stay where they are.",
            str(data_dir),
        )


def _synchronised_by(folder: Path) -> str | None:
    """Return the name of the program that synchronises a folder, None if none does."""
    for variable in _ONEDRIVE_VARIABLES:
        root = os.environ.get(variable)
        if root and folder.is_relative_to(os.path.realpath(root)):
            return "OneDrive"
    for place in (folder, *folder.parents):
        named = _NAMES.fullmatch(place.name)
        if named is not None and named.lastgroup is not None:
            return str(named.lastgroup).replace("_", " ")
        if place.parts[-3:-1] == _MACOS_CLOUD:
            return place.name.split("-")[0]
        for marker, program in _MARKERS.items():
            if (place / marker).exists():
                return program
    return None
