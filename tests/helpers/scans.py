"""Scanned pages and pictures of text, drawn for the tests."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import pymupdf

CHINESE = "china-s"
"""A font that PyMuPDF has built in."""

_WIDTH, _HEIGHT = 400, 200
"""Points of a page: small ones are recognised quickly."""


def picture(*lines: str, size: int = 16, dpi: int = 150) -> pymupdf.Pixmap:
    """Return a picture of a page with these lines on it."""
    with pymupdf.open() as document:
        page = document.new_page(width=_WIDTH, height=_HEIGHT)
        for number, line in enumerate(lines, start=1):
            font = "helv" if line.isascii() else CHINESE
            page.insert_text((30, 20 + 2 * size * number), line, fontsize=size, fontname=font)
        return page.get_pixmap(dpi=dpi)


def png(*lines: str) -> bytes:
    """Return a PNG file with these lines on it."""
    return bytes(picture(*lines).tobytes("png"))


def scanned_pdf(pages: Sequence[Sequence[str] | str]) -> bytes:
    """Return a PDF: a page of lines is a picture of them, a text is a page of text."""
    with pymupdf.open() as document:
        for content in pages:
            page = document.new_page(width=_WIDTH, height=_HEIGHT)
            if isinstance(content, str):
                page.insert_textbox((30, 30, 370, 170), content, fontsize=11)
            else:
                page.insert_image(page.rect, pixmap=picture(*content))
        return bytes(document.tobytes())


def tiff(frames: Sequence[bytes], width: int, height: int) -> bytes:
    """Return a TIFF of several frames, each eight bits of grey a pixel, not packed."""
    parts = [b"II*\0", b"\0\0\0\0"]
    places: list[int] = []
    offset = 8
    for frame in frames:
        assert len(frame) == width * height
        places.append(offset)
        parts.append(frame + b"\0" * (len(frame) % 2))
        offset += len(parts[-1])
    link = 1
    for place in places:
        parts[link] = parts[link][:-4] + struct.pack("<I", offset)
        values = (
            *((256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, place)),
            *((277, 1), (278, height), (279, width * height)),
        )
        entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in values)
        parts.append(struct.pack("<H", len(values)) + entries + b"\0\0\0\0")
        offset += len(parts[-1])
        link = len(parts) - 1
    return b"".join(parts)


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that unpacks to one byte for each of its many pixels."""
    packer = zlib.compressobj(9)
    row = b"\0" * (width + 1)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = _chunk(b"IHDR", head) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + check
