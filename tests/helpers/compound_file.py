"""Compound files (MS-CFB) made for tests: streams in storages, all of them padded with NUL."""

from __future__ import annotations

import struct
from dataclasses import dataclass

_SECTOR = 512
_SMALLEST = 4096
_END, _FREE, _OF_FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_STORAGE, _STREAM, _ROOT = 1, 2, 5

Tree = dict[str, "bytes | Tree"]


@dataclass
class _Entry:
    name: str
    kind: int
    content: bytes = b""
    right: int = _FREE
    child: int = _FREE
    start: int = _END


def compound_file(tree: Tree) -> bytes:
    """Return a compound file with the storages (mappings) and streams (bytes) of ``tree``.

    Every stream is padded to the size from which on it lies in sectors of its own.
    """
    entries = [_Entry("Root Entry", _ROOT)]
    _collect(entries, 0, tree)
    directory = -(-len(entries) * 128 // _SECTOR)
    streams = [entry for entry in entries if entry.kind == _STREAM]
    sectors = sum(len(entry.content) // _SECTOR for entry in streams)
    tables = 1
    while tables * 128 < tables + directory + sectors:
        tables += 1
    fat = [_OF_FAT] * tables + _chain(tables, directory)
    for entry in streams:
        entry.start = len(fat)
        fat += _chain(entry.start, len(entry.content) // _SECTOR)
    fat += [_FREE] * (tables * 128 - len(fat))
    body = struct.pack(f"<{len(fat)}I", *fat)
    body += b"".join(map(_packed, entries)).ljust(directory * _SECTOR, b"\0")
    return _header(tables) + body + b"".join(entry.content for entry in streams)


def _collect(entries: list[_Entry], parent: int, tree: Tree) -> None:
    last = None
    for name, value in tree.items():
        number = len(entries)
        if isinstance(value, bytes):
            size = max(_SMALLEST, -(-len(value) // _SECTOR) * _SECTOR)
            entries.append(_Entry(name, _STREAM, value.ljust(size, b"\0")))
        else:
            entries.append(_Entry(name, _STORAGE))
            _collect(entries, number, value)
        if last is None:
            entries[parent].child = number
        else:
            entries[last].right = number
        last = number


def _chain(start: int, length: int) -> list[int]:
    return [*range(start + 1, start + length), _END] if length else []


def _packed(entry: _Entry) -> bytes:
    name = entry.name.encode("utf-16-le") + b"\0\0"
    links = struct.pack("<III", _FREE, entry.right, entry.child)
    tail = struct.pack("<IIQ", 0, entry.start, len(entry.content))
    return (
        name.ljust(64, b"\0")
        + struct.pack("<HBB", len(name), entry.kind, 1)
        + links
        + bytes(16)
        + tail[:4].ljust(20, b"\0")
        + tail[4:]
    )


def _header(tables: int) -> bytes:
    fields = struct.pack(
        "<8s16sHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        bytes(16),
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, tables, tables, 0, _SMALLEST, _END, 0, _END, 0),
    )
    places = [*range(tables), *[_FREE] * (109 - tables)]
    return fields + struct.pack("<109I", *places)
