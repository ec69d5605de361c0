"""The metadata that every passage of a file has, and where its values come from.

One table serves both sides: what a found passage says of itself, and what a condition
on metadata is compared with in the database.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.domain.metadata import MetadataValue
from desktop_rag.store.codec import TextColumn, unpack_strings, unpack_text

HEADING_SEPARATOR = " › "

Derive = Callable[[object], MetadataValue | None]


def _same(raw: object) -> MetadataValue | None:
    return raw if isinstance(raw, (int, str)) and raw != "" else None


def _path(raw: object) -> MetadataValue | None:
    return unpack_text(raw) if isinstance(raw, (str, bytes)) else None


def _file_name(raw: object) -> MetadataValue | None:
    return os.path.basename(unpack_text(raw)) if isinstance(raw, (str, bytes)) else None


def _folder(raw: object) -> MetadataValue | None:
    return os.path.dirname(unpack_text(raw)) if isinstance(raw, (str, bytes)) else None


def _modified(raw: object) -> MetadataValue | None:
    if not isinstance(raw, int):
        return None
    try:
        return datetime.datetime.fromtimestamp(raw / 1e9).astimezone().date().isoformat()
    except (OverflowError, ValueError, OSError):
        # A file system may carry a time that no calendar has; then there is no date.
        return None


def _heading(raw: object) -> MetadataValue | None:
    path = unpack_strings(raw) if isinstance(raw, str) else ()
    return HEADING_SEPARATOR.join(path) or None


@dataclass(frozen=True, slots=True)
class Column:
    """A metadata key's column, over ``documents d``, ``files f`` and ``segments s``.

    ``derive`` turns what SQLite gives into the value, None where the key is missing.
    """

    sql: str
    derive: Derive = _same
    of_segment: bool = False


COLUMNS: dict[str, Column] = {
    "document_id": Column("d.id"),
    "type": Column("d.kind"),
    "title": Column("d.title"),
    "language": Column("d.language"),
    "path": Column("f.path", _path),
    "file_name": Column("f.path", _file_name),
    "folder": Column("f.path", _folder),
    "source_id": Column("f.source_id"),
    "modified": Column("f.mtime_ns", _modified),
    "segment_id": Column("s.id", of_segment=True),
    "parent_id": Column("s.parent_id", of_segment=True),
    "page": Column("s.page", of_segment=True),
    "heading": Column("s.heading_path", _heading, of_segment=True),
}
"""``folder`` is the absolute path of the folder that the file is in, ``modified`` the
local date of its last change (ISO 8601). These keys win over a document's own."""


def holder_values(
    document: tuple[int, str, str, str], file: tuple[TextColumn, int, int | None] | None
) -> dict[str, MetadataValue]:
    """Return what a document (id, kind, title, language) and a file that holds it give.

    ``file`` is (path, source id, mtime in ns).
    """
    raw: dict[str, object] = dict(
        zip(("document_id", "type", "title", "language"), document, strict=True)
    )
    if file is not None:
        path, source_id, mtime_ns = file
        raw |= {"path": path, "file_name": path, "folder": path}
        raw |= {"source_id": source_id, "modified": mtime_ns}
    return derived(raw)


def derived(raw: dict[str, object]) -> dict[str, MetadataValue]:
    """Return the values of those columns that have one."""
    values = ((key, COLUMNS[key].derive(value)) for key, value in raw.items())
    return {key: value for key, value in values if value is not None}
