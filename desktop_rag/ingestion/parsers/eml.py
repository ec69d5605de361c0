"""Mails saved as files."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import Message
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.mail_message import add_message, headers_of
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged, empty_file, no_text

_LENGTH_LINE = re.compile(rb"(\d{1,10})[ \t]*\r?\n(?=[\w-]+:)")
"""Apple Mail writes the mail's length before it, and notes of its own after it."""

_DEEPEST = 100
"""Parts within parts; programs write five or so."""


class EmlParser:
    """Reads a mail: its headers and its body once; hands on what is attached to it."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a mail; see ``Parser``."""
        content = content_of(source)
        if not content.strip():
            raise empty_file(name)
        message = read_message(content, name)
        values = headers_of(message)
        assembly = Assembly()
        add_message(assembly, message)
        if not len(assembly):
            raise no_text(name, "The mail has neither a subject nor a body.")
        return assembly.finish(Format.EML.value, title=values.get("subject", ""), metadata=values)


def read_message(content: bytes, name: str) -> Message:
    """Return a mail's parts; raises ``KnownError`` when they are nested beyond all measure."""
    length = _LENGTH_LINE.match(content)
    if length is not None:
        content = content[length.end() : length.end() + int(length[1])]
    try:
        message = email.message_from_bytes(content.lstrip(b"\r\n"), policy=email.policy.compat32)
    except RecursionError as error:
        raise damaged(name) from error
    if _is_too_deep(message):
        raise damaged(name)
    return message


def _is_too_deep(message: Message) -> bool:
    stack: list[tuple[Message, int]] = [(message, 0)]
    while stack:
        part, depth = stack.pop()
        if depth > _DEEPEST:
            return True
        payload = part.get_payload()
        if isinstance(payload, list):
            stack.extend((child, depth + 1) for child in payload if isinstance(child, Message))
    return False
