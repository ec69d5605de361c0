"""Electronic books made for tests."""

from __future__ import annotations

import struct
from collections.abc import Sequence


def kindle(
    records: list[bytes],
    compression: int,
    flags: int = 0,
    locked: int = 0,
    codes: Sequence[bytes] = (),
) -> bytes:
    """Return a Kindle book of text records that are already packed.

    ``codes`` are the records by which they were packed, see ``huffman_codes``.
    """
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
    struct.pack_into(">II", head, 112, 1 + len(records), len(codes))
    parts = [bytes(head) + extra + b"The Book", *records, *codes]
    table = b""
    place = 78 + 8 * len(parts)
    for part in parts:
        table += struct.pack(">II", place, 0)
        place += len(part)
    return (
        bytes(60) + b"BOOKMOBI" + bytes(8) + struct.pack(">H", len(parts)) + table + b"".join(parts)
    )


def huffman_codes(phrases: Sequence[bytes], packed: Sequence[int] = ()) -> list[bytes]:
    """Return the records of codes; phrase k is written 0x7fff - k, or as the byte 255 - k.

    Those of the numbers in ``packed`` are made of codes themselves.
    """
    first = [9] * 128 + [8 | 0x80 | 255 << 8] * 128
    lowest = [(1 << n) - 1 if n < 16 else 0 for n in range(1, 33)]
    pairs = [value for low in lowest for value in (low, 0x7FFF)]
    codes = b"HUFF" + struct.pack(">III", 24, 24, 24 + 1024) + bytes(8)
    codes += struct.pack(">256I", *first) + struct.pack(">64I", *pairs)
    table, body = b"", b""
    for number, phrase in enumerate(phrases):
        table += struct.pack(">H", 2 * len(phrases) + len(body))
        body += struct.pack(">H", len(phrase) | (0 if number in packed else 0x8000)) + phrase
    return [codes, b"CDIC" + struct.pack(">III", 16, len(phrases), 16) + table + body]
