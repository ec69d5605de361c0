"""Web pages saved in one file, as a mail with the page and its pictures in it."""

from __future__ import annotations

from email.message import Message
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.domain.metadata import Metadata
from desktop_rag.ingestion.parsers.eml import read_message
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.html import parse_html
from desktop_rag.ingestion.parsers.mail_message import header_text, payload_of
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged


class MhtmlParser:
    """Reads the page of a saved web page, with its title and address; frames are left out."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a saved page; see ``Parser``."""
        message = read_message(content_of(source), name)
        page = next((part for part in message.walk() if _is_page(part)), None)
        if page is None:
            raise damaged(name)
        parsed = parse_html(payload_of(page), name, page.get_content_charset())
        address = header_text(message, "Snapshot-Content-Location") or header_text(
            page, "Content-Location"
        )
        values = dict(parsed.document.metadata)
        if address:
            values["address"] = address
        return ParsedDocument(
            document=type(parsed.document)(parsed.document.text, Metadata(values)),
            blocks=parsed.blocks,
            coverage=parsed.coverage,
            kind=Format.MHTML.value,
            title=parsed.title or header_text(message, "Subject"),
            encoding=parsed.encoding,
        )


def _is_page(part: Message) -> bool:
    return part.get_content_type() in ("text/html", "application/xhtml+xml")
