"""How values become columns and columns become values again."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from uuid import UUID

import numpy as np

from desktop_rag.domain.document import Coverage, LineBox, UnreadableUnit
from desktop_rag.domain.metadata import Metadata, MetadataValue
from desktop_rag.embedding.model import Matrix, Vector

TextColumn = str | bytes
"""A text as stored: a BLOB when it is not valid Unicode (file names may be any bytes)."""

_LINE = struct.Struct("<iii4d")
_INT64_LIMIT = 1 << 63


def pack_text(text: str) -> TextColumn:
    """Return ``text``, or its bytes where it holds surrogate escapes (SQLite refuses them)."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")
    return text


def unpack_text(value: TextColumn) -> str:
    """Return what ``pack_text`` was given."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")


def pack_inode(inode: int) -> int:
    """Return an unsigned 64-bit inode as the signed integer that SQLite has."""
    return inode - 2 * _INT64_LIMIT if inode >= _INT64_LIMIT else inode


def unpack_inode(value: int) -> int:
    """Return what ``pack_inode`` was given."""
    return value + 2 * _INT64_LIMIT if value < 0 else value


def pack_strings(strings: Sequence[str]) -> str:
    """Return a JSON list; ASCII, so that surrogate escapes survive."""
    return json.dumps(list(strings)) if strings else "[]"


def unpack_strings(column: str) -> tuple[str, ...]:
    """Return what ``pack_strings`` was given."""
    return () if column == "[]" else tuple(json.loads(column))


def pack_metadata(metadata: Metadata) -> str:
    """Return a JSON object; a UUID becomes ``{"uuid": text}``, the other types are JSON's."""
    return json.dumps(
        {
            key: {"uuid": str(value)} if isinstance(value, UUID) else value
            for key, value in metadata.items()
        }
    )


def unpack_metadata(column: str) -> Metadata:
    """Return what ``pack_metadata`` was given."""
    return Metadata(unpack_values(column))


def unpack_values(column: str) -> dict[str, MetadataValue]:
    """Return the mapping that ``pack_metadata`` was given, as a new dict."""
    if column == "{}":
        return {}
    return {
        key: UUID(value["uuid"]) if isinstance(value, dict) else value
        for key, value in json.loads(column).items()
    }


def pack_lines(lines: Iterable[LineBox]) -> bytes:
    """Return line boxes packed, 44 bytes each."""
    return b"".join(
        _LINE.pack(box.start, box.end, box.page, box.x0, box.y0, box.x1, box.y1) for box in lines
    )


def unpack_lines(column: bytes) -> tuple[LineBox, ...]:
    """Return what ``pack_lines`` was given."""
    return tuple(LineBox(*fields) for fields in _LINE.iter_unpack(column))


def pack_coverage(coverage: Coverage) -> str:
    """Return a JSON list of the four fields."""
    unreadable = [[unit.page, unit.reason, unit.recognisable] for unit in coverage.unreadable]
    return json.dumps([coverage.read, coverage.ocr, coverage.empty, unreadable])


def unpack_coverage(column: str) -> Coverage:
    """Return what ``pack_coverage`` was given."""
    read, ocr, empty, unreadable = json.loads(column)
    return Coverage(read, ocr, empty, tuple(UnreadableUnit(*unit) for unit in unreadable))


def pack_vector(vector: Vector) -> bytes:
    """Return the little-endian float32 bytes of a vector."""
    return vector.astype("<f4", copy=False).tobytes()


def unpack_matrix(columns: Sequence[bytes], dimension: int) -> Matrix:
    """Return the rows of packed vectors, shape (len(columns), dimension)."""
    flat = np.frombuffer(b"".join(columns), dtype="<f4").astype(np.float32, copy=False)
    return flat.reshape(len(columns), dimension)


def pack_ids(ids: Iterable[int]) -> str:
    """Return ids as a sorted JSON list, for a column or for ``json_each``."""
    return json.dumps(sorted(ids), separators=(",", ":"))


def unpack_ids(column: str) -> list[int]:
    """Return what ``pack_ids`` was given."""
    ids: list[int] = json.loads(column)
    return ids


def encodable(text: str) -> str:
    """Return ``text`` with what is not Unicode replaced; a file's name may hold any bytes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
