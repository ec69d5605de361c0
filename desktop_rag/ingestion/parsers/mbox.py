"""Mailboxes: many mails in one file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.eml import read_message
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.mail_message import add_message, header_text
from desktop_rag.ingestion.parsers.parts import Parts
from desktop_rag.ingestion.parsers.problems import damaged, empty_file

MAX_MESSAGES = 20_000
MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""How many mails of a mailbox are read, and how large one may be."""

_SEPARATOR = re.compile(rb"From \S.*\d{4}")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_LONGEST_LINE = 1024 * 1024


class MboxParser:
    """Reads a mailbox: each mail under a heading of its subject, in the file's order."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a mailbox; see ``Parser``."""
        assembly = Assembly()
        parts = Parts(assembly, level=2)
        with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
            count = _add_messages(stream, name, assembly, parts)
        if not len(assembly):
            raise damaged(name) if count else empty_file(name)
        return assembly.finish(Format.MBOX.value, coverage=parts.coverage(count))


def _add_messages(stream: IO[bytes], name: str, assembly: Assembly, parts: Parts) -> int:
    count = 0
    for content in _messages(stream):
        if count == MAX_MESSAGES:
            parts.skip("the rest", f"only the first {MAX_MESSAGES:,} messages are read")
            break
        if content is None:
            parts.skip(f"message {count + 1}", "too large")
            continue
        try:
            message = read_message(content, name)
        except KnownError as problem:
            parts.skip(f"message {count + 1}", problem.title)
            continue
        count += 1
        if not header_text(message, "Subject"):
            assembly.add(BlockKind.HEADING, f"Message {count}", level=1)
        add_message(assembly, message, parts, level=1)
    return count


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
