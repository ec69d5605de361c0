"""Mobipocket and Kindle books: pages of HTML in the records of a Palm database."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.declared import decode_declared
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.html import add_page, html_tree
from desktop_rag.ingestion.parsers.mobi_huffman import HuffmanText
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged, needs_password, no_text, not_read_yet

_MARKS = (b"BOOKMOBI", b"TEXtREAd")
_STORED, _PALM_DOC, _HUFFMAN = 1, 2, 17480
_UTF8 = 65001
_KINDLE_8 = 8
_HAS_EXTRA = 0x40
_AUTHOR, _DATE, _TITLE = 100, 106, 503
"""Record types of the EXTH header."""


class MobiParser:
    """Reads a book without copy protection; headings are those of its pages."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a book; see ``Parser``."""
        try:
            book = _Book(content_of(source), name)
            text = b"".join(book.text())
        except (struct.error, IndexError) as error:
            raise damaged(name) from error
        assembly = Assembly()
        add_page(assembly, html_tree(decode_declared(text, book.charset).text))
        if not len(assembly):
            raise no_text(name, "The book has pictures alone.")
        values = dict(book.metadata())
        title = values.pop("title", "")
        return assembly.finish(Format.MOBI.value, title=title, metadata=values)


class _Book:
    """The records of a book: the first describes it, those after it are its text."""

    def __init__(self, content: bytes, name: str) -> None:
        if content[60:68] not in _MARKS:
            raise struct.error("not a book")
        count = struct.unpack_from(">H", content, 76)[0]
        starts = [struct.unpack_from(">I", content, 78 + 8 * n)[0] for n in range(count)]
        ends = [*starts[1:], len(content)]
        self._records = [content[a:b] for a, b in zip(starts, ends, strict=False)]
        self._head = self._records[0]
        compression, self._length, self._count = struct.unpack_from(">H2xIH", self._head, 0)
        if struct.unpack_from(">H", self._head, 12)[0]:
            raise needs_password(name, "the program that you bought it with")
        self._is_mobi = self._head[16:20] == b"MOBI"
        self._unpack = self._unpacker(compression, name)
        self._size = self._number(20)
        is_utf8 = self._number(28) == _UTF8
        self.charset = "utf-8" if is_utf8 else "cp1252" if self._is_mobi else None

    def text(self) -> Iterator[bytes]:
        """Yield the text of each record, without what comes after the book's own pages."""
        flags = 0
        if self._is_mobi and self._size >= 228:
            flags = struct.unpack_from(">H", self._head, 242)[0]
        left = self._pages_end()
        for record in self._records[1 : self._count + 1]:
            piece = _without_trailer(record, flags)
            piece = self._unpack(piece)
            yield piece[:left]
            left -= min(left, len(piece))

    def _unpacker(self, compression: int, name: str) -> Callable[[bytes], bytes]:
        if compression == _STORED:
            return bytes
        if compression == _PALM_DOC:
            return _unpacked
        if compression != _HUFFMAN:
            raise not_read_yet(name, "an electronic book of a kind that few programs write")
        first, count = self._number(112), self._number(116)
        records = self._records[first : first + count]
        return HuffmanText(records[0], records[1:], name).unpack

    def metadata(self) -> Iterator[tuple[str, str]]:
        """Yield title, author and date as the book states them."""
        charset = self.charset or "utf-8"
        if not self._is_mobi:
            return
        offset, size = self._number(84), self._number(88)
        yield "title", self._head[offset : offset + size].decode(charset, "replace")
        place = 16 + self._size
        if not self._number(128) & _HAS_EXTRA or self._head[place : place + 4] != b"EXTH":
            return
        count = struct.unpack_from(">I", self._head, place + 8)[0]
        place += 12
        for _ in range(count):
            if place + 8 > len(self._head):
                return
            kind, size = struct.unpack_from(">II", self._head, place)
            key = {_AUTHOR: "author", _DATE: "date", _TITLE: "title"}.get(kind)
            if key is not None:
                yield key, self._head[place + 8 : place + size].decode(charset, "replace")
            place += max(8, size)

    def _pages_end(self) -> int:
        """Return where styles and drawings begin, which the newer format keeps after the text."""
        if self._is_mobi and self._number(36) == _KINDLE_8:
            number = self._number(192)
            flows = self._records[number] if number < len(self._records) else b""
            if flows.startswith(b"FDST"):
                return int(struct.unpack_from(">I", flows, 16)[0])
        return int(self._length)

    def _number(self, place: int) -> int:
        return int(struct.unpack_from(">I", self._head, place)[0]) if self._is_mobi else 0


def _without_trailer(record: bytes, flags: int) -> bytes:
    """Take off what indexes append to a record; bits of ``flags`` say what there is."""
    for _ in range((flags >> 1).bit_count()):
        size = 0
        for byte in record[-4:]:
            size = 0 if byte & 0x80 else size
            size = size << 7 | byte & 0x7F
        record = record[: len(record) - size]
    if flags & 1 and record:
        record = record[: len(record) - (record[-1] & 3) - 1]
    return record


def _unpacked(record: bytes) -> bytes:
    """Undo PalmDOC's compression: literals, runs, copies, and letters after a space."""
    out = bytearray()
    place = 0
    while place < len(record):
        byte = record[place]
        place += 1
        if 1 <= byte <= 8:
            out += record[place : place + byte]
            place += byte
        elif byte < 0x80:
            out.append(byte)
        elif byte >= 0xC0:
            out += bytes((0x20, byte ^ 0x80))
        elif place < len(record):
            pair = byte << 8 | record[place]
            place += 1
            _copy(out, pair >> 3 & 0x7FF, (pair & 7) + 3)
    return bytes(out)


def _copy(out: bytearray, distance: int, length: int) -> None:
    if not 0 < distance <= len(out):
        return
    for _ in range(length):
        out.append(out[-distance])
