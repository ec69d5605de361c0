"""Links to web pages kept as files: the address; the file's name is the title.

Nothing is fetched.
"""

from __future__ import annotations

import plistlib
import re
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged
from desktop_rag.ingestion.parsers.text import read_text

_ADDRESS = re.compile(r"^\s*(?:BASE)?URL\s*=\s*(\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_DECLARATIONS = re.compile(rb"<!ENTITY", re.IGNORECASE)


class LinkParser:
    """Reads .url (Windows) and .webloc (macOS) files."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a link; see ``Parser``."""
        content = content_of(source)
        if content.startswith((b"bplist00", b"<?xml", b"<plist")):
            address = _of_property_list(content)
        else:
            found = _ADDRESS.findall(read_text(content, name)[0])
            address = found[-1] if found else ""
        if not address:
            raise damaged(name)
        assembly = Assembly()
        assembly.add(BlockKind.PARAGRAPH, address)
        return assembly.finish(Format.LINK.value, metadata={"address": address})


def _of_property_list(content: bytes) -> str:
    if _DECLARATIONS.search(content):
        return ""
    try:
        values = plistlib.loads(content)
    except Exception:
        return ""
    address = values.get("URL") if isinstance(values, dict) else None
    return address if isinstance(address, str) else ""
