"""``export`` and ``import``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rag.services.services import Services

PREPARED_NOTE = "prepared by version"
"""Name of the note that says which way of preparing the stored documents went through."""


def export_library(services: Services, target: Path) -> dict[str, object]:
    """Write the library into one new file and return what is in it.

    Raises:
        KnownError: there is such a file, or it cannot be written.
    """
    counts = services.store.export_to(target)
    return {"path": str(target), "bytes": target.stat().st_size, **counts}


def import_library(services: Services, source: Path, moves: Mapping[str, str]) -> dict[str, object]:
    """Take in an exported library and look at its folders; return what came.

    Raises:
        KnownError: it cannot be trusted, or does not fit; then nothing is changed.
    """
    report = services.store.import_from(source, moves, (PREPARED_NOTE,))
    services.store.flush()
    services.library.refresh()
    return {**asdict(report), "missing": list(report.missing)}
