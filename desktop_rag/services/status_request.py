"""``status``: the library in numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.json_results import status_json

if TYPE_CHECKING:
    from desktop_rag.services.library import Library


def tell_status(library: Library) -> dict[str, object]:
    """Return the library in numbers; that a changed model is damaged is one of its notes."""
    status = library.status()
    try:
        change = library.model_change()
    except KnownError as error:
        damage = f"{error.title}: {error.message}"
        return status_json(replace(status, notes=(*status.notes, damage)), None)
    return status_json(status, change)
