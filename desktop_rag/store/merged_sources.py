"""The sources of an exported library, at their places on this computer."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable

from desktop_rag.foundation.errors import KnownError
from desktop_rag.store.codec import pack_text, unpack_text
from desktop_rag.store.moved_paths import MovedPaths, check_place
from desktop_rag.store.sql import next_id


def merge_sources(connection: sqlite3.Connection, paths: MovedPaths) -> list[str]:
    """Add the sources that are not here, and note which is which; return their places.

    Raises:
        KnownError: one overlaps one that is here, or cannot be on this computer.
    """
    here = {
        unpack_text(path): number
        for number, path in connection.execute("SELECT id, path FROM main.sources")
    }
    places: list[str] = []
    for number, path, is_folder, visibility, rules in connection.execute(
        "SELECT id, path, is_folder, visibility, ignore_rules FROM other.sources ORDER BY id"
    ).fetchall():
        original = unpack_text(path)
        place = paths.place(original)
        check_place(place, original)
        fresh = place not in here
        if fresh:
            _check_apart(place, here)
            new = next_id(connection, "sources")
            connection.execute(
                "INSERT INTO main.sources (id, path, is_folder, visibility, ignore_rules) "
                "VALUES (?, ?, ?, ?, ?)",
                (new, pack_text(place), is_folder, visibility, rules),
            )
            here[place] = new
        places.append(place)
        connection.execute(
            "INSERT INTO temp.map_sources VALUES (?, ?, ?)", (number, here[place], fresh)
        )
    return places


def _check_apart(place: str, here: Iterable[str]) -> None:
    """No file may be in two sources."""
    for other in here:
        above = os.path.commonpath([place, other]) if _same_drive(place, other) else ""
        if above in (place, other):
            raise KnownError(
                "Folders overlap",
                f"“{place}” and “{other}” lie one in the other, and “{other}” is in this "
                "library. Remove it first, or say with --map where the other one is; nothing "
                "was changed.",
                place,
            )


def _same_drive(one: str, other: str) -> bool:
    return os.path.splitdrive(one)[0].lower() == os.path.splitdrive(other)[0].lower()
