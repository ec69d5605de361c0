"""Mobipocket's stronger compression: Huffman codes of phrases, which are packed as well.

The format is nowhere laid down; it is known from the programs that read it. A record "HUFF"
has the codes: how long one is that begins with a given byte, and for longer ones the bounds of
each length. Records "CDIC" have the phrases that codes stand for.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from desktop_rag.ingestion.parsers.limits import limits_in_force
from desktop_rag.ingestion.parsers.problems import unpacks_to_too_much

_LONGEST_CODE = 32
_WHOLE = 0xFFFFFFFF
_UNPACKED = 0x8000
_DEEPEST = 32
"""How deep phrases may lie inside phrases."""


class HuffmanText:
    """Unpacks the text records of one book.

    Args:
        codes: the record "HUFF".
        phrases: the records "CDIC" that follow it.
        name: the file's name, for messages.

    Raises:
        struct.error: the records are not what they should be.
    """

    def __init__(self, codes: bytes, phrases: Sequence[bytes], name: str) -> None:
        if not codes.startswith(b"HUFF"):
            raise struct.error("no codes")
        first, bounds = struct.unpack_from(">II", codes, 8)
        self._first = struct.unpack_from(">256I", codes, first)
        pairs = struct.unpack_from(">64I", codes, bounds)
        self._lowest = [0, *(low << _shift(n) for n, low in enumerate(pairs[::2], 1))]
        self._highest = [0, *(_filled(high, n) for n, high in enumerate(pairs[1::2], 1))]
        self._phrases: list[tuple[bytes, bool]] = []
        for record in phrases:
            self._add_phrases(record)
        self._name = name
        self._left = limits_in_force().unpacked

    def unpack(self, record: bytes) -> bytes:
        """Return the text of a record.

        Raises:
            KnownError: it is more than a file may unpack to.
            struct.error: a phrase holds itself.
            IndexError: a code stands for nothing.
        """
        return self._unpack(record, 0)

    def _add_phrases(self, record: bytes) -> None:
        if not record.startswith(b"CDIC"):
            raise struct.error("no phrases")
        total, bits = struct.unpack_from(">II", record, 8)
        count = min(1 << min(bits, 16), total - len(self._phrases))
        for offset in struct.unpack_from(f">{max(0, count)}H", record, 16):
            (size,) = struct.unpack_from(">H", record, 16 + offset)
            start = 18 + offset
            phrase = record[start : start + (size & ~_UNPACKED)]
            self._phrases.append((phrase, bool(size & _UNPACKED)))

    def _unpack(self, packed: bytes, depth: int) -> bytes:
        if depth > _DEEPEST:
            raise struct.error("a phrase holds itself")
        pieces: list[bytes] = []
        padded = packed + bytes(8)
        place, end = 0, 8 * len(packed)
        while place < end:
            window = int.from_bytes(padded[place >> 3 : (place >> 3) + 5], "big")
            code = window >> (8 - (place & 7)) & _WHOLE
            length, number = self._code(code)
            place += length
            if place > end:
                break
            pieces.append(self._phrase(number, depth))
        return b"".join(pieces)

    def _code(self, code: int) -> tuple[int, int]:
        """Return a code's length in bits, and the number of its phrase."""
        entry = self._first[code >> 24]
        length = entry & 0x1F
        if length == 0:
            raise struct.error("a code without bits")
        if entry & 0x80:
            return length, _filled(entry >> 8, length) - code >> _shift(length)
        while length < _LONGEST_CODE and code < self._lowest[length]:
            length += 1
        return length, self._highest[length] - code >> _shift(length)

    def _phrase(self, number: int, depth: int) -> bytes:
        if number < 0:
            raise struct.error("a code out of bounds")
        phrase, unpacked = self._phrases[number]
        if not unpacked:
            phrase = self._unpack(phrase, depth + 1)
            self._phrases[number] = phrase, True
        self._left -= len(phrase)
        if self._left < 0:
            raise unpacks_to_too_much(self._name)
        return phrase


def _shift(length: int) -> int:
    return _LONGEST_CODE - length


def _filled(bound: int, length: int) -> int:
    """Return the highest 32 bits that begin with a code."""
    return (bound + 1 << _shift(length)) - 1
