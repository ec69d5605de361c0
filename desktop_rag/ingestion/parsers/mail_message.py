"""One mail: its headers and its body once; what is attached to it is handed on."""

from __future__ import annotations

import email.header
import email.utils
import re
from collections.abc import Iterator
from email.message import Message

from desktop_rag.domain.document import BlockKind
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.declared import decode_declared
from desktop_rag.ingestion.parsers.html import parse_html
from desktop_rag.ingestion.parsers.parts import add_part, skip_part
from desktop_rag.ingestion.parsers.problems import encrypted
from desktop_rag.ingestion.parsers.text import parse_text

_SHOWN = (("From", "from"), ("To", "to"), ("Cc", "cc"), ("Date", "date"))
_SIGNATURES = frozenset(
    {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}
)
_ENCRYPTED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_BLANKS = re.compile(r"\s+")
_QUOTE_MARKS = re.compile(r"^(?:>[ \t]?)+", re.MULTILINE)
_SUFFIX_OF_TYPE = {"text/calendar": ".txt", "text/html": ".html", "text/markdown": ".md"}


def headers_of(message: Message) -> dict[str, str]:
    """Return a mail's subject, people and date (ISO 8601) by metadata key."""
    values = {key: header_text(message, name) for name, key in _SHOWN}
    values["subject"] = header_text(message, "Subject")
    values["author"] = values["from"]
    try:
        moment = email.utils.parsedate_to_datetime(values["date"])
        values["date"] = moment.isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        pass
    return {key: value for key, value in values.items() if value}


def header_text(message: Message, name: str) -> str:
    """Return a header decoded, on one line, "" when it is absent."""
    raw = message.get(name)
    return "" if raw is None else decoded_header(str(raw))


def decoded_header(raw: str) -> str:
    """Return the words of an encoded header (RFC 2047), also of a flawed one."""
    try:
        pairs = email.header.decode_header(raw)
    except (ValueError, email.errors.HeaderParseError):
        return _BLANKS.sub(" ", raw).strip()
    pieces = []
    for piece, charset in pairs:
        if isinstance(piece, bytes):
            declared = None if charset == "unknown-8bit" else charset
            pieces.append(decode_declared(piece, declared).text)
        else:
            pieces.append(piece)
    return _BLANKS.sub(" ", "".join(pieces)).strip()


def add_message(assembly: Assembly, message: Message) -> None:
    """Append a mail under a heading of its subject, and hand on what is attached to it."""
    values = headers_of(message)
    bodies, attached = _sorted_leaves(message)
    assembly.add(BlockKind.HEADING, values.get("subject", ""), level=1)
    names = [name_of(part, number) for number, part in enumerate(attached, 1)]
    lines = [f"{name}: {header_text(message, name)}" for name, key in _SHOWN if key in values]
    if names:
        lines.append(f"Attachments: {', '.join(names)}")
    assembly.add(BlockKind.NOTE, "\n".join(lines))
    for part in bodies:
        _add_body(assembly, part)
    for name, part in zip(names, attached, strict=True):
        _add_attachment(part, name)


def name_of(part: Message, number: int) -> str:
    """Return an attachment's file name, or one made of what it is."""
    name = part.get_filename()
    if name:
        return decoded_header(name).replace("/", "_") or f"attachment {number}"
    kind = part.get_content_type()
    if kind == "message/rfc822":
        inner = _enclosed(part)
        subject = header_text(inner, "Subject") if inner is not None else ""
        return f"{subject.replace('/', '_') or f'message {number}'}.eml"
    return f"attachment {number}{_SUFFIX_OF_TYPE.get(kind, '')}"


def payload_of(part: Message) -> bytes:
    """Return what a part holds, decoded from base64 or quoted-printable."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _sorted_leaves(message: Message) -> tuple[list[Message], list[Message]]:
    bodies: list[Message] = []
    attached: list[Message] = []
    for part in _leaves(message):
        kind = part.get_content_type()
        if _is_attached(part, kind):
            attached.append(part)
        elif kind in ("text/plain", "text/html", "text/enriched"):
            bodies.append(part)
        elif kind not in _SIGNATURES and not _is_decoration(part):
            attached.append(part)
    return bodies, attached


def _leaves(message: Message) -> Iterator[Message]:
    """Yield the parts that are shown, of alternatives the richest that has words."""
    if message.get_content_type() == "message/rfc822" or not message.is_multipart():
        yield message
        return
    children = [part for part in message.get_payload() if isinstance(part, Message)]
    if message.get_content_type() == "multipart/alternative":
        worded = [part for part in children if _has_words(part)]
        # a calendar entry repeats what the mail says, for programs
        readable = [part for part in worded if part.get_content_type() != "text/calendar"]
        children = (readable or worded)[-1:]
    for part in children:
        yield from _leaves(part)


def _has_words(part: Message) -> bool:
    if part.is_multipart():
        return any(_has_words(leaf) for leaf in part.get_payload() if isinstance(leaf, Message))
    if part.get_content_maintype() != "text":
        return False
    content = payload_of(part)
    if part.get_content_type() != "text/html":
        return bool(content.strip())
    try:
        return bool(parse_html(content, "", part.get_content_charset()).blocks)
    except KnownError:
        return False


def _is_attached(part: Message, kind: str) -> bool:
    if kind == "message/rfc822" or part.get_content_disposition() == "attachment":
        return kind not in _SIGNATURES
    return bool(part.get_filename()) and not _is_decoration(part) and kind not in _SIGNATURES


def _is_decoration(part: Message) -> bool:
    """Whether a part is a picture within the text, such as a logo."""
    return part.get_content_maintype() == "image" and (
        "Content-ID" in part or part.get_content_disposition() == "inline"
    )


def _add_body(assembly: Assembly, part: Message) -> None:
    content = payload_of(part)
    charset = part.get_content_charset()
    try:
        if part.get_content_type() == "text/html":
            parsed = parse_html(content, "", charset)
        else:
            text = decode_declared(content, charset).text.replace("\0", "")
            parsed = parse_text(_QUOTE_MARKS.sub("", text).strip())
    except (KnownError, IndexError):
        return
    assembly.embed(parsed, 1, titled=False)


def _add_attachment(part: Message, name: str) -> None:
    if part.get_content_type() in _ENCRYPTED:
        skip_part(name, encrypted(name))
    elif part.get_content_type() == "message/rfc822":
        inner = _enclosed(part)
        add_part(name, inner.as_bytes() if inner is not None else payload_of(part))
    else:
        add_part(name, payload_of(part))


def _enclosed(part: Message) -> Message | None:
    payload = part.get_payload()
    first = payload[0] if isinstance(payload, list) and payload else None
    return first if isinstance(first, Message) else None
