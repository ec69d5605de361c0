"""How a document is set: its blocks, and the words of it that stand out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.domain.structure import Span, text_digest
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame
from desktop_rag.ingestion.parsers.emphasis import (
    aligned,
    docx_paragraphs,
    html_paragraphs,
    markdown_spans,
)
from desktop_rag.ingestion.parsers.parts import source_of
from desktop_rag.ingestion.parsers.registry import parse_bytes, parse_file

_BATCH = 2_000
"""Blocks or spans a frame: about 60 KB."""


def structure_frames(path: Path) -> Iterator[Frame]:
    """Yield the blocks and spans of the file at ``path``, or of one that lies in it.

    Raises:
        KnownError: it cannot be read any more.
        OSError: it is gone.
    """
    source = source_of(path)
    parsed = parse_bytes(source, path.name) if isinstance(source, bytes) else parse_file(source)
    blocks = iter(parsed.blocks)
    while batch := list(islice(blocks, _BATCH)):
        rows = [(b.kind.value, b.start, b.end, b.level, b.page, b.header) for b in batch]
        yield "blocks", rows
    spans = _spans(source, path.name, parsed)
    while found := list(islice(spans, _BATCH)):
        yield "spans", [(span.start, span.end, span.look.value) for span in found]
    yield "done", {"digest": text_digest(parsed.document.text)}


def _spans(source: Path | bytes, name: str, parsed: ParsedDocument) -> Iterator[Span]:
    text = parsed.document.text
    try:
        if parsed.kind == "markdown":
            yield from markdown_spans(text, parsed.blocks)
        elif parsed.kind == "docx":
            yield from aligned(text, docx_paragraphs(source, name))
        elif parsed.kind == "html":
            yield from aligned(text, html_paragraphs(source))
    except KnownError:
        return
