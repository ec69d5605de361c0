"""Office files made to do harm: two megabytes that unpack to two gigabytes."""

from __future__ import annotations

import struct
import zlib

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.archive import Archive, ArchiveLimits, BrokenPart
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.office_files import WORD

MB = 1 << 20
GB = 1 << 30
_PART = b"word/document.xml"
_TYPES = b"[Content_Types].xml"


def packed_blanks(before: bytes, megabytes: int) -> bytes:
    """Return a raw deflate stream of ``before`` and many blanks, packing one megabyte once."""
    first = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = first.compress(before) + first.flush(zlib.Z_FULL_FLUSH)
    again = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = again.compress(b" " * MB) + again.flush(zlib.Z_FULL_FLUSH)
    return stream + block * megabytes + zlib.compressobj(9, zlib.DEFLATED, -15).flush()


def entry(name: bytes, packed: bytes, declared: int, offset: int) -> tuple[bytes, bytes]:
    """Return an entry and its place in the directory (APPNOTE.TXT 4.3.7 and 4.3.12)."""
    middle = struct.pack("<HHHHIIIHH", 0, 8, 0, 0, 0, len(packed), declared, len(name), 0)
    local = b"PK\x03\x04\x14\x00" + middle + name + packed
    places = struct.pack("<HHHII", 0, 0, 0, 0, offset)
    return local, b"PK\x01\x02\x14\x00\x14\x00" + middle + places + name


def bomb(declared: int) -> bytes:
    """Return a Word document of 2 MB that unpacks to 2 GiB and declares another size."""
    head = f"<w:document {WORD}><w:body><w:p><w:r><w:t>words".encode()
    types, type_place = entry(_TYPES, packed_blanks(b"<Types/>", 0), 8, 0)
    part, part_place = entry(_PART, packed_blanks(head, 2048), declared, len(types))
    directory = type_place + part_place
    start = len(types) + len(part)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 2, 2, len(directory), start, 0)
    return types + part + directory + end


@pytest.mark.parametrize(
    ("declared", "title"),
    [
        (2 * GB, "Unpacks to too much"),
        (0xFFFFFFFE, "Unpacks to too much"),
        (1000, "Damaged"),
        (0, "Damaged"),
        (20 * MB, "Damaged"),
    ],
)
def test_b16_two_gigabytes_in_two_megabytes_are_refused(declared: int, title: str) -> None:
    content = bomb(declared)
    assert 1.5 * MB < len(content) < 2.5 * MB

    with pytest.raises(KnownError) as caught:
        parse_bytes(content, "a.docx")

    assert caught.value.title == title


@pytest.mark.parametrize("declared", [1000, 20 * MB, 100 * MB])
def test_b16_what_comes_out_is_bounded_whatever_is_declared(declared: int) -> None:
    came = 0
    with (
        Archive(bomb(declared), "a.docx", ArchiveLimits(total=16 * MB)) as archive,
        archive.open(_PART.decode()) as part,
    ):
        try:
            while piece := part.read(MB):
                came += len(piece)
        except (KnownError, BrokenPart):
            pass
    assert came <= 16 * MB
