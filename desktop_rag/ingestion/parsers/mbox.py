"""Mailboxes: many mails in one file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.eml import read_message
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.mail_message import header_text
from desktop_rag.ingestion.parsers.parts import add_part, listing, skip_part
from desktop_rag.ingestion.parsers.problems import empty_file, mail_too_large

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""How large one mail of a mailbox may be."""

_SEPARATOR = re.compile(rb"From \S.*\d{4}")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_LONGEST_LINE = 1024 * 1024


class MboxParser:
    """Hands on the mails of a mailbox, in the file's order."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a mailbox; see ``Parser``."""
        subjects: list[str] = []
        with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
            for number, content in enumerate(_messages(stream), 1):
                subjects.append(_add_message(content, name, number))
        if not subjects:
            raise empty_file(name)
        return listing(Format.MBOX.value, subjects)


def _add_message(content: bytes | None, name: str, number: int) -> str:
    """Hand on one mail, None for one that is too large; return what it is called."""
    called = f"Message {number}"
    if content is None:
        skip_part(f"{called}.eml", mail_too_large(called, MAX_MESSAGE_BYTES >> 20))
        return called
    try:
        subject = header_text(read_message(content, name), "Subject")
    except KnownError as problem:
        skip_part(f"{called}.eml", problem)
        return called
    called = subject or called
    add_part(f"{called.replace('/', '_')}.eml", content)
    return called


def _messages(stream: IO[bytes]) -> Iterator[bytes | None]:
    """Yield each mail, None for one that is too large."""
    lines: list[bytes] = []
    size = 0
    after_blank = True
    while line := stream.readline(_LONGEST_LINE):
        if after_blank and _SEPARATOR.match(line):
            if size:
                yield _joined(lines, size)
            lines, size = [], 0
        else:
            size += len(line)
            if size <= MAX_MESSAGE_BYTES:
                lines.append(line)
            else:
                lines.clear()
        after_blank = not line.strip()
    if size:
        yield _joined(lines, size)


def _joined(lines: list[bytes], size: int) -> bytes | None:
    if size > MAX_MESSAGE_BYTES:
        return None
    return _ESCAPED.sub(rb"\1", b"".join(lines))
