"""Telling pictures by their first bytes."""

from __future__ import annotations

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
)
_BITMAP_HEADERS = (12, 40, 52, 56, 64, 108, 124)
"""Sizes of the headers that a BMP file may have behind its first 14 bytes."""


def picture_kind(head: bytes) -> str | None:
    """Return the kind of picture that begins with ``head``, None for what is none."""
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BITMAP_HEADERS:
        return "bmp"
    return next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)
