"""Electronic books made for tests."""

from __future__ import annotations

import struct


def kindle(records: list[bytes], compression: int, flags: int = 0, locked: int = 0) -> bytes:
    """Return a Kindle book of text records that are already packed."""
    author = "Änne".encode()
    extra = b"EXTH" + struct.pack(">II", 12 + 8 + len(author), 1)
    extra += struct.pack(">II", 100, 8 + len(author)) + author
    head = bytearray(248)
    struct.pack_into(">HxxIHHH", head, 0, compression, 10_000, len(records), 4096, locked)
    struct.pack_into(">4sIII", head, 16, b"MOBI", 232, 2, 65001)
    struct.pack_into(">I", head, 36, 6)
    struct.pack_into(">II", head, 84, 248 + len(extra), 8)
    struct.pack_into(">I", head, 128, 0x40)
    struct.pack_into(">H", head, 242, flags)
    parts = [bytes(head) + extra + b"The Book", *records]
    table = b""
    place = 78 + 8 * len(parts)
    for part in parts:
        table += struct.pack(">II", place, 0)
        place += len(part)
    return (
        bytes(60) + b"BOOKMOBI" + bytes(8) + struct.pack(">H", len(parts)) + table + b"".join(parts)
    )
