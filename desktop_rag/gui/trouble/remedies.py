"""What can be done about each kind of trouble, as data: buttons for messages and the bar."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Remedy(Enum):
    """Something the user can have done; the value is part of its word's key."""

    TRY_AGAIN = "try_again"
    LOOK_AGAIN = "look_again"
    OPEN_AGAIN = "open_again"
    SHOW_DATA_FOLDER = "show_data_folder"
    OTHER_DATA_FOLDER = "other_data_folder"
    SHOW_PROGRAM_FOLDER = "show_program_folder"
    GET_LIBREOFFICE = "get_libreoffice"
    READ_WITH_MODEL = "read_with_model"
    SHOW_PROBLEMS = "show_problems"
    SHOW_LOG = "show_log"
    COPY_REPORT = "copy_report"


_NO_ROOM = (Remedy.TRY_AGAIN, Remedy.SHOW_DATA_FOLDER)
_NO_PLACE = (Remedy.OPEN_AGAIN, Remedy.OTHER_DATA_FOLDER)
_DAMAGED = (Remedy.OPEN_AGAIN, Remedy.SHOW_PROGRAM_FOLDER)

REMEDIES: Mapping[str, tuple[Remedy, ...]] = {
    "Disk full": _NO_ROOM,
    "The disk is full": _NO_ROOM,
    "Not enough room": (Remedy.SHOW_DATA_FOLDER,),
    "The disk failed": _NO_ROOM,
    "The library cannot be written": _NO_ROOM,
    "Read only": _NO_PLACE,
    "Not allowed": _NO_PLACE,
    "Not a folder": _NO_PLACE,
    "On a network drive": _NO_PLACE,
    "In a synchronised folder": _NO_PLACE,
    "The data folder cannot be used": _NO_PLACE,
    "The data folder is in use": (Remedy.OPEN_AGAIN,),
    "The library is damaged": (Remedy.SHOW_DATA_FOLDER, Remedy.SHOW_LOG),
    "A model file is damaged": _DAMAGED,
    "A file of the program is damaged": _DAMAGED,
    "Drive not connected": (Remedy.LOOK_AGAIN,),
    "Not connected": (Remedy.LOOK_AGAIN,),
    "Needs LibreOffice": (Remedy.TRY_AGAIN, Remedy.GET_LIBREOFFICE),
    "Reading has stopped": (Remedy.TRY_AGAIN, Remedy.SHOW_LOG),
}
"""By the title of a ``KnownError`` or ``Problem``."""


def remedies_of(title: str) -> tuple[Remedy, ...]:
    """Return what can be done about a known error; nothing where its words must do."""
    return REMEDIES.get(title, ())
