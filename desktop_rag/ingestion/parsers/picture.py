"""Pictures: one page a frame, whose text is what OCR has read."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.document import Document, ParsedDocument
from desktop_rag.domain.ocr import OcrState, Recognition
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.pdf import DAMAGED, PagesRead, paragraphs_on
from desktop_rag.ingestion.parsers.pdf_lines import PageLines
from desktop_rag.ingestion.parsers.pdf_metadata import title_of
from desktop_rag.ingestion.parsers.pdf_text import PdfText
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.recognition import (
    SCANNED,
    RecognisingParser,
    TextlessDocument,
    scanned,
)

if TYPE_CHECKING:
    import pymupdf

_TOO_MANY_PIXELS = "the picture has too many pixels"
_LEAST_SIDE = 16
"""Pixels: a line of text is not lower, a word not narrower."""

_MOST_FRAMES = 5000


class PictureParser(RecognisingParser):
    """Reads pictures with MuPDF (WebP with Pillow), which is loaded at the first file."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a picture; see ``Parser``.

        Raises:
            MemoryError: MuPDF was refused memory.
            TextlessDocument: it has no word, but OCR will read it, or has found none.
        """
        from desktop_rag.ingestion.parsers.picture_open import (  # loads MuPDF
            open_picture,
            too_many_pixels,
        )

        with closing(open_picture(source, name)) as document:
            pages = _read_frames(document, self._recognition)
        coverage = pages.coverage
        paragraphs = paragraphs_on(pages.pages)
        if not paragraphs:
            if {unit.reason for unit in coverage.unreadable} == {_TOO_MANY_PIXELS}:
                raise too_many_pixels(name)
            raise self._without_text(name, pages)
        text, blocks = PdfText(paragraphs).write()
        return ParsedDocument(
            document=Document(text),
            blocks=blocks,
            coverage=coverage,
            kind=Format.IMAGE.value,
            title=title_of({}, text, blocks),
            pages=len(pages.pages),
        )

    def _without_text(self, name: str, pages: PagesRead) -> KnownError | TextlessDocument:
        coverage, state = pages.coverage, self._recognition.state
        if {unit.reason for unit in coverage.unreadable} == {DAMAGED}:
            return damaged(name)
        if state is OcrState.ON or self._recognition.pages:
            return TextlessDocument(Format.IMAGE.value, len(pages.pages), coverage)
        if coverage.recognisable:
            return scanned(name, "It is a picture.", state)
        return no_text(name, "The picture is too small for any.")


def _read_frames(document: pymupdf.Document, recognition: Recognition) -> PagesRead:
    from desktop_rag.ingestion.parsers.pdf_open import is_out_of_memory
    from desktop_rag.ingestion.parsers.picture_open import MOST_PIXELS, pixels_of

    result = PagesRead()
    for number in range(min(document.page_count, _MOST_FRAMES)):
        reason: str | None = SCANNED
        lines = PageLines([], [], 0, 0, 0, 0)
        try:
            page = document[number]
            width, height = pixels_of(page)
            lines.width, lines.height = page.rect.width, page.rect.height
            if min(width, height) < _LEAST_SIDE:
                reason = None
            elif width * height > MOST_PIXELS:
                reason = _TOO_MANY_PIXELS
        except Exception as error:  # MuPDF raises many types for a damaged frame
            if is_out_of_memory(error):
                raise MemoryError from error
            reason = DAMAGED
        result.add(lines, reason, recognition)
    return result
