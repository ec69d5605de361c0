"""Rich text documents (rtf)."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.document import Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.docx import CUT_OFF
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.rtf_reader import RtfReader
from desktop_rag.ingestion.parsers.rtf_writer import RtfWriter

_FEWEST_BYTES = 7
"""Of the shortest document: "{\\rtf1}"."""


class RtfParser:
    """Reads rich text in the code page of each of its fonts."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a rich text document; see ``Parser``."""
        data = content_of(source)
        if not data.lstrip().startswith(b"{\\rtf") or len(data) < _FEWEST_BYTES:
            raise damaged(name)
        assembly = Assembly()
        writer = RtfWriter(assembly)
        reader = RtfReader(writer)
        whole = reader.read(data)
        if not len(assembly):
            raise no_text(name, "The document has no words.") if whole else damaged(name)
        said = reader.properties
        missing = () if whole else (UnreadableUnit(1, CUT_OFF),)
        return assembly.finish(
            "rtf",
            title=_named(said.get("title", "")) or writer.title,
            metadata={
                "author": said.get("author", ""),
                "created": said.get("creatim", ""),
                "subject": said.get("subject", ""),
                "keywords": said.get("keywords", ""),
            },
            coverage=Coverage(read=1, unreadable=missing),
        )


def _named(title: str) -> str:
    """Return a title that has a letter; programs of one country lose those of another."""
    return title if any(map(str.isalnum, title)) else ""
