"""The service that recognises the text of pages which are pictures."""

from __future__ import annotations

import faulthandler
import math
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pymupdf
from PIL import Image

from desktop_rag.domain.ocr import RecognisedLine, RecognisedPage
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame
from desktop_rag.ingestion.ocr_models import require_ocr_models
from desktop_rag.ingestion.ocr_wire import page_frames
from desktop_rag.ingestion.parsers.parts import source_of
from desktop_rag.ingestion.parsers.picture_open import MOST_PIXELS, open_paged, pixels_of
from desktop_rag.ingestion.parsers.problems import damaged
from desktop_rag.worker.ocr_engine import Engine, FoundLine

_POINTS_PER_INCH = 72
_DOTS_PER_INCH = 200
"""What the models were made for: type of 8 points is 22 pixels high. More costs time alone."""

_MOST_PIXELS = 12_000_000
"""Drawn of a page: A3 at 200 dots per inch is 8 million; larger ones are drawn at less."""

_GRACE = 60.0
"""Seconds over a page's limit after which the process ends itself, see the parse service."""

_PATIENCE = 4.0
"""Times the limit that a page may take by the clock, see ``WorkerRecogniser``."""


class OcrService:
    """Answers "recognise" with the frames of one page.

    Args:
        seconds: the owner's limit of a page.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = _PATIENCE * seconds + _GRACE
        self._engine = Engine(require_ocr_models())

    def answer(self, kind: str, payload: Any) -> Iterator[Frame]:  # noqa: ANN401
        """Recognise ``payload["page"]`` (1-based) of the file at ``payload["path"]``.

        Raises:
            KnownError: the file cannot be opened, or has no such page.
            OSError: it is gone.
            ValueError: the request is unknown.
        """
        if kind != "recognise":
            raise ValueError(f"unknown request: {kind}")
        faulthandler.dump_traceback_later(self._seconds, exit=True)
        try:
            path = Path(os.fsdecode(payload["path"]))
            with closing(open_paged(source_of(path), path.name)) as document:
                lines = self._lines(document, payload["page"], path.name)
            yield from page_frames([RecognisedPage(payload["page"], lines)])
            yield "done", None
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _lines(
        self, document: pymupdf.Document, number: int, name: str
    ) -> tuple[RecognisedLine, ...]:
        if not 1 <= number <= document.page_count:
            raise KnownError("No such page", f"“{name}” has no page {number} any more.")
        picture, scale = _drawn(document, number, name)
        return tuple(_in_points(line, scale) for line in self._engine.lines(picture))


def _drawn(document: pymupdf.Document, number: int, name: str) -> tuple[Image.Image, float]:
    """Return a page as a picture, and how many pixels a point of it has.

    Raises:
        KnownError: the page cannot be drawn.
    """
    try:
        page = document[number - 1]
        scale = _scale(page, is_picture=not document.is_pdf)
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
        if pixmap.n != 3:
            pixmap = pymupdf.Pixmap(pymupdf.csRGB, pixmap)
        size = pixmap.width, pixmap.height
        return Image.frombytes("RGB", size, pixmap.samples, "raw", "RGB", pixmap.stride), scale
    except (RuntimeError, ValueError) as error:  # MuPDF's own errors are of the first kind
        raise damaged(name) from error


def _scale(page: pymupdf.Page, *, is_picture: bool) -> float:
    """Return the pixels to draw a point with: a picture's own, else for 200 to the inch."""
    width, height = page.rect.width, page.rect.height
    scale = _DOTS_PER_INCH / _POINTS_PER_INCH
    if is_picture:
        own_width, own_height = pixels_of(page)
        if own_width * own_height > MOST_PIXELS:
            raise ValueError("too many pixels")
        scale = max(own_width, own_height) / max(1.0, width, height)
    return min(scale, math.sqrt(_MOST_PIXELS / max(1.0, width * height)))


def _in_points(line: FoundLine, scale: float) -> RecognisedLine:
    x0, y0, x1, y1 = (round(value / scale, 1) for value in line.box)
    return RecognisedLine(line.text, x0, y0, x1, y1, round(line.confidence, 3))
