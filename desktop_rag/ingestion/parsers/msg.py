"""Mails saved by Outlook: properties in the streams of a compound file (MS-OXMSG)."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.declared import decode_declared
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.html import parse_html
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.parts import add_part, skip_part
from desktop_rag.ingestion.parsers.problems import damaged, no_text, not_in_the_mail
from desktop_rag.ingestion.parsers.text import parse_text

_SUBJECT, _BODY, _HTML = 0x0037, 0x1000, 0x1013
_SENDER, _SENDER_ADDRESS = 0x0C1A, 0x5D01
_TO, _CC = 0x0E04, 0x0E03
_SUBMITTED, _DELIVERED = 0x0039, 0x0E06
_CODEPAGE = 0x3FFD
_FILE_NAME, _SHORT_NAME, _DATA = 0x3707, 0x3704, 0x3701
"""Property identifiers of MS-OXPROPS."""

_UNICODE, _STRING, _BINARY, _TIME = 0x001F, 0x001E, 0x0102, 0x0040
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_HEADER_SIZES = (32, 24, 8)
"""Bytes before the fixed properties: of a message, of one enclosed, of an attachment."""

Storage = tuple[str, ...]


class MsgParser:
    """Reads an Outlook message: headers and body once; hands on what is attached to it."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a message; see ``Parser``."""
        import olefile

        try:
            with olefile.OleFileIO(io.BytesIO(content_of(source))) as file:
                return _Message(file, ()).parsed(name)
        except (OSError, struct.error, IndexError, KeyError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise damaged(name) from error


class _Message:
    """The properties of the message in one storage of the file."""

    def __init__(self, file: Any, storage: Storage) -> None:  # noqa: ANN401
        self._file = file
        self._storage = storage
        self._fixed = dict(self._fixed_properties(_HEADER_SIZES[1 if storage else 0]))
        page = self._fixed.get(_CODEPAGE, b"")[:4]
        number = int.from_bytes(page, "little")
        self._charset = "utf-8" if number == 65001 else f"cp{number}" if number else None

    def parsed(self, name: str) -> ParsedDocument:
        assembly = Assembly()
        self._add_to(assembly)
        if not len(assembly):
            raise no_text(name, "The mail has neither a subject nor a body.")
        return assembly.finish(
            Format.MSG.value,
            title=self.text(_SUBJECT),
            metadata=self._headers(),
        )

    def _add_to(self, assembly: Assembly) -> None:
        """Append the message under a heading of its subject, and hand on what is attached."""
        values = self._headers()
        assembly.add(BlockKind.HEADING, self.text(_SUBJECT), level=1)
        attached = list(self._attachments())
        names = [self._name_of(storage, n) for n, storage in enumerate(attached, 1)]
        lines = [
            f"{k.capitalize()}: {values[k]}" for k in ("from", "to", "cc", "date") if k in values
        ]
        if names:
            lines.append(f"Attachments: {', '.join(names)}")
        assembly.add(BlockKind.NOTE, "\n".join(lines))
        self._add_body(assembly)
        for storage, name in zip(attached, names, strict=True):
            self._add_attachment(storage, name)

    def text(self, identifier: int, storage: Storage | None = None) -> str:
        """Return a property that is a text, "" when it is absent."""
        raw = self._stream(identifier, _UNICODE, storage)
        if raw is not None:
            return raw.decode("utf-16-le", "replace").rstrip("\0").strip()
        raw = self._stream(identifier, _STRING, storage)
        return decode_declared(raw, self._charset).text.rstrip("\0").strip() if raw else ""

    def _headers(self) -> dict[str, str]:
        sender, address = self.text(_SENDER), self.text(_SENDER_ADDRESS)
        shown = f"{sender} <{address}>" if sender and address else sender or address
        values = {
            "subject": self.text(_SUBJECT),
            "from": shown,
            "author": shown,
            "to": self.text(_TO),
            "cc": self.text(_CC),
            "date": self._date(),
        }
        return {key: value for key, value in values.items() if value}

    def _date(self) -> str:
        raw = self._fixed.get(_SUBMITTED) or self._fixed.get(_DELIVERED)
        ticks = int.from_bytes(raw, "little") if raw else 0
        if not 0 < ticks < 1 << 62:
            return ""
        try:
            return (_EPOCH + timedelta(microseconds=ticks // 10)).isoformat(timespec="seconds")
        except OverflowError:
            return ""

    def _add_body(self, assembly: Assembly) -> None:
        html = self._stream(_HTML, _BINARY)
        plain = self.text(_BODY)
        if html:
            try:
                assembly.embed(parse_html(html, "", self._charset), 1, titled=False)
            except KnownError:
                html = None
        if not html and plain:
            assembly.embed(parse_text(plain), 1, titled=False)

    def _add_attachment(self, storage: Storage, name: str) -> None:
        content = self._stream(_DATA, _BINARY, storage)
        inner = (*storage, f"__substg1.0_{_DATA:04X}000D")
        if content is not None:
            add_part(name, content)
        elif self._file.exists("/".join(inner)):
            enclosed = _Message(self._file, inner)
            named = f"{enclosed.text(_SUBJECT).replace('/', '_') or name}.msg"
            add_part(named, enclosed.content(), lambda: enclosed.parsed(named))
        else:
            skip_part(name, not_in_the_mail(name))

    def content(self) -> bytes:
        """Return what tells an enclosed message from others: all its streams in their order."""
        depth = len(self._storage)
        paths = sorted(
            path for path in self._file.listdir() if tuple(path[:depth]) == self._storage
        )
        return b"".join(self._file.openstream(path).read() for path in paths)

    def _attachments(self) -> Iterator[Storage]:
        depth = len(self._storage) + 1
        found = {tuple(path[:depth]) for path in self._file.listdir(streams=True, storages=True)}
        for path in sorted(found):
            if path[:-1] == self._storage and path[-1].startswith("__attach"):
                yield path

    def _name_of(self, storage: Storage, number: int) -> str:
        name = self.text(_FILE_NAME, storage) or self.text(_SHORT_NAME, storage)
        return name.replace("/", "_") or f"attachment {number}"

    def _stream(self, identifier: int, kind: int, storage: Storage | None = None) -> bytes | None:
        place = self._storage if storage is None else storage
        path = "/".join((*place, f"__substg1.0_{identifier:04X}{kind:04X}"))
        if not self._file.exists(path):
            return None
        content: bytes = self._file.openstream(path).read()
        return content

    def _fixed_properties(self, skipped: int) -> Iterator[tuple[int, bytes]]:
        """Yield (identifier, eight bytes) of the properties that have no stream."""
        path = "/".join((*self._storage, "__properties_version1.0"))
        if not self._file.exists(path):
            return
        content = self._file.openstream(path).read()[skipped:]
        for place in range(0, len(content) - 15, 16):
            tag, _, value = struct.unpack_from("<II8s", content, place)
            yield tag >> 16, value
