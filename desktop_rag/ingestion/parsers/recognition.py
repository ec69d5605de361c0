"""Pages without text: what is told about them, and lines of them that OCR has read."""

from __future__ import annotations

from statistics import median
from typing import Self

from desktop_rag.domain.document import Coverage
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.ocr import OcrState, RecognisedLine, RecognisedPage, Recognition
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.pdf_lines import Line, PageLines

SCANNED = "no text: scanned"
DRAWN = "no text: drawn as lines"
GARBLED = "text is garbled"
RECOGNISABLE = frozenset({SCANNED, DRAWN, GARBLED})
"""Reasons of pages on which one sees text: OCR may read it."""

NO_TEXT_SCANNED = "No text: scanned"
"""The title of the problem of a file that is nothing but pictures of text."""

_FONT_SIZE = 0.75
"""Of a recognised line's height: its box goes from above the ascenders to below the
descenders (measured with Latin and Chinese type of 9 to 14 points: .72 to .81)."""

_SAME_SIZE = 0.25
"""Lines whose heights differ by less from a page's usual one are of the same size: the boxes
of OCR are no more exact, and headings are told by their size."""

_TURNED = 1.5
"""Times as high as wide: the line runs upwards or downwards."""


class RecognisingParser:
    """What the parsers of formats with pages that may be pictures have in common.

    Args:
        recognition: what OCR has read of its pages, and whether it will read the others.
    """

    def __init__(self, recognition: Recognition | None = None) -> None:
        self._recognition = recognition or Recognition()

    def recognising(self, recognition: Recognition) -> Self:
        """Return such a parser that takes in what was recognised."""
        return type(self)(recognition)


class TextlessDocument(Exception):  # noqa: N818  - an outcome, not an error
    """There is no word in a document, and that is no problem.

    Its pages are still to be recognised, or are pictures without any text. It is kept all
    the same, since files are looked for by name.
    """

    def __init__(
        self,
        kind: str,
        pages: int,
        coverage: Coverage,
        title: str = "",
        metadata: Metadata | None = None,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.pages = pages
        self.coverage = coverage
        self.title = title
        self.metadata = metadata or Metadata()


def scanned(name: str, what: str, state: OcrState) -> KnownError:
    """Return the error for a file that OCR would read; ``what`` is a sentence about it."""
    return KnownError(NO_TEXT_SCANNED, f"“{name}” has no text. {what} {_ADVICE[state]}")


_ADVICE = {
    OcrState.ON: "OCR will read them.",
    OcrState.OFF: "OCR would read it; recognising pages is switched off in the settings.",
    OcrState.MISSING: (
        "OCR would read it, but recognising pages is not installed. Install the program "
        "with its part “ocr”, and it will be read."
    ),
}


def recognised_lines(page: RecognisedPage, width: float, height: float) -> PageLines:
    """Return a recognised page as if its lines had been taken out of a PDF.

    Args:
        page: what was recognised.
        width: of the page, in points.
        height: of the page, in points.
    """
    result = PageLines([], [], width, height, sum(len(line.text) for line in page.lines), 0)
    upright = [line for line in page.lines if not _is_turned(line)]
    usual = median(line.y1 - line.y0 for line in upright) if upright else 0.0
    for line in page.lines:
        own = line.y1 - line.y0
        tall = usual if abs(own - usual) <= _SAME_SIZE * usual else own
        size = round(2 * _FONT_SIZE * tall) / 2 or 1.0
        read = Line(line.text, line.x0, line.y0, line.x1, line.y1, size, bold=False, mono=False)
        (result.turned if _is_turned(line) else result.lines).append(read)
    return result


def _is_turned(line: RecognisedLine) -> bool:
    return line.y1 - line.y0 > _TURNED * (line.x1 - line.x0) and len(line.text) > 1
