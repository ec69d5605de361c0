"""PDF: text in reading order with its places on the pages, and what could not be read."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag.domain.document import Coverage, Document, ParsedDocument, UnreadableUnit
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.ocr import OcrState, Recognition
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.limits import TOO_MANY_PAGES, limits_in_force
from desktop_rag.ingestion.parsers.pdf_columns import reading_order
from desktop_rag.ingestion.parsers.pdf_furniture import without_furniture
from desktop_rag.ingestion.parsers.pdf_grids import with_tables
from desktop_rag.ingestion.parsers.pdf_lines import Line, PageLines, page_lines
from desktop_rag.ingestion.parsers.pdf_metadata import metadata_of, title_of
from desktop_rag.ingestion.parsers.pdf_paragraphs import (
    Paragraph,
    body_size,
    paragraphs_of,
    set_levels,
    turned_paragraphs,
)
from desktop_rag.ingestion.parsers.pdf_text import PdfText
from desktop_rag.ingestion.parsers.problems import no_text
from desktop_rag.ingestion.parsers.recognition import (
    DRAWN,
    GARBLED,
    RECOGNISABLE,
    SCANNED,
    RecognisingParser,
    TextlessDocument,
    recognised_lines,
    scanned,
)

if TYPE_CHECKING:
    import pymupdf

_log = logging.getLogger(__name__)

DAMAGED = "the page is damaged"

_GARBLED_SHARE = 0.25
"""A page with this share of characters that are none is not to be trusted at all: what
looks like words in it is often a wrong mapping too. The odd symbol font stays below."""

_FEW_LETTERS = 20
_LETTERS = re.compile(r"[^\W\d_]")
_COVERED = 0.5
"""A picture over this share of a page that has hardly any text is a scan."""


@dataclass(slots=True)
class PagesRead:
    """The pages as they came, and what is to be said about those without usable text.

    ``ocr`` counts those whose text was recognised, ``empty`` those that have none;
    ``left_out`` stands for those beyond the limit.
    """

    pages: list[PageLines] = field(default_factory=list)
    unreadable: list[UnreadableUnit] = field(default_factory=list)
    empty: int = 0
    ocr: int = 0
    left_out: tuple[UnreadableUnit, ...] = ()

    def add(self, lines: PageLines, reason: str | None, recognition: Recognition) -> None:
        """Take the next page: its lines, and why they are not what one sees, if so."""
        number = len(self.pages) + 1
        read = recognition.pages.get(number) if reason in RECOGNISABLE else None
        if reason == GARBLED:
            lines.lines.clear()
            lines.turned.clear()
        if read is not None and read.lines:
            lines, reason = recognised_lines(read, lines.width, lines.height), None
            self.ocr += 1
        elif read is not None:
            reason = read.reason or (GARBLED if reason == GARBLED else None)
        if reason is not None:
            waits = reason in RECOGNISABLE and read is None
            self.unreadable.append(UnreadableUnit(number, reason, waits))
        elif not lines.lines and not lines.turned:
            self.empty += 1
        self.pages.append(lines)

    @property
    def coverage(self) -> Coverage:
        """How much was read."""
        missing = self.empty + self.ocr + len(self.unreadable)
        unreadable = (*self.unreadable, *self.left_out)
        return Coverage(len(self.pages) - missing, self.ocr, self.empty, unreadable)


class PdfParser(RecognisingParser):
    """Reads PDF with MuPDF, which is loaded at the first file."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a PDF; see ``Parser``.

        Raises:
            MemoryError: MuPDF was refused memory.
            TextlessDocument: it has no word, but OCR will read it, or has found none.
        """
        from desktop_rag.ingestion.parsers.pdf_open import open_pdf  # loads MuPDF

        with closing(open_pdf(source, name)) as document:
            count = document.page_count
            pages = _read_pages(document, self._recognition)
            info = document.metadata or {}
        paragraphs = paragraphs_on(pages.pages)
        if not paragraphs:
            raise self._without_text(name, pages, info)
        text, blocks = PdfText(paragraphs).write()
        return ParsedDocument(
            document=Document(text, Metadata(metadata_of(info))),
            blocks=blocks,
            coverage=pages.coverage,
            kind=Format.PDF.value,
            title=title_of(info, text, blocks),
            pages=count,
        )

    def _without_text(
        self, name: str, pages: PagesRead, info: dict[str, Any]
    ) -> KnownError | TextlessDocument:
        coverage = pages.coverage
        state = self._recognition.state
        if coverage.recognisable and state is not OcrState.ON:
            return scanned(name, _why(pages), state)
        if coverage.recognisable or self._recognition.pages:
            title = title_of(info, "", ())
            metadata = Metadata(metadata_of(info))
            kind, count = Format.PDF.value, len(pages.pages)
            return TextlessDocument(kind, count, coverage, title, metadata)
        return no_text(name, _why(pages))


def _read_pages(document: pymupdf.Document, recognition: Recognition) -> PagesRead:
    from desktop_rag.ingestion.parsers.pdf_open import TEXT_FLAGS, is_out_of_memory

    result, most = PagesRead(), limits_in_force().pages
    if document.page_count > most:
        result.left_out = (UnreadableUnit(most + 1, TOO_MANY_PAGES),)
    for number in range(min(document.page_count, most)):
        reason: str | None
        try:
            page = document[number]
            lines = page_lines(page.get_text("dict", flags=TEXT_FLAGS, sort=False))
            reason = _fault(page, lines)
        except Exception as error:  # MuPDF raises many types for a damaged page
            if is_out_of_memory(error):
                raise MemoryError from error
            _log.debug("page %d raised %s", number + 1, type(error).__name__)
            lines, reason = PageLines([], [], 0, 0, 0, 0), DAMAGED
        result.add(lines, reason, recognition)
    return result


def _fault(page: pymupdf.Page, lines: PageLines) -> str | None:
    """Return why a page's text is not what one sees on it, None when it is."""
    if lines.bad > _GARBLED_SHARE * max(1, lines.characters + lines.bad):
        return GARBLED
    if lines.characters > 10 * _FEW_LETTERS:
        return None
    letters = sum(len(_LETTERS.findall(line.text)) for line in lines.lines)
    if letters >= _FEW_LETTERS:
        return None
    covered = sum(_area(image["bbox"]) for image in page.get_image_info())
    if covered > _COVERED * _area(page.rect) or (covered and not letters):
        return SCANNED
    if letters or covered:
        return None
    drawn = len(page.get_cdrawings())
    if drawn > _FEW_LETTERS:
        return DRAWN
    # of a file that broke off, MuPDF gives the pages whose content is lost as blank ones
    return DAMAGED if page.parent.is_repaired and not drawn else None


def _area(box: Any) -> float:  # noqa: ANN401  - a Rect, or its four numbers
    x0, y0, x1, y1 = box
    return max(0.0, float(x1) - float(x0)) * max(0.0, float(y1) - float(y0))


def paragraphs_on(pages: Sequence[PageLines]) -> list[Paragraph]:
    """Return the paragraphs of all pages in reading order, without headers and footers."""
    size = body_size(page.lines for page in pages)
    kept = without_furniture(pages, size)
    paragraphs = [
        paragraph
        for number, (lines, page) in enumerate(zip(kept, pages, strict=True), start=1)
        for paragraph in [
            *paragraphs_of(reading_order(_tabulated(lines, page)), number, size),
            *turned_paragraphs(page.turned, number),
        ]
    ]
    set_levels(paragraphs, size)
    return paragraphs


def _tabulated(lines: list[Line], page: PageLines) -> list[Line]:
    return with_tables(lines, page.level, page.upright) if page.upright else lines


def _why(pages: PagesRead) -> str:
    if not pages.unreadable:
        return "All its pages are empty." if len(pages.pages) > 1 else "Its page is empty."
    reasons = dict.fromkeys(unit.reason for unit in pages.unreadable)
    what = {
        SCANNED: "Its pages are pictures of text, as a scanner makes them.",
        DRAWN: "Its letters are drawn as lines, not written as text.",
        GARBLED: "Its fonts do not say which letters they show, so what comes out is garbled.",
        DAMAGED: "Its pages are damaged.",
    }
    return " ".join(what[reason] for reason in reasons if reason in what)
