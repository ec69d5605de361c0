"""Opening pictures as documents of one page a frame. Only for the child processes."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pymupdf

from desktop_rag.domain.ocr import OcrState
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.formats import HEAD_BYTES
from desktop_rag.ingestion.parsers.pdf_open import is_out_of_memory, open_pdf
from desktop_rag.ingestion.parsers.picture_kinds import picture_kind
from desktop_rag.ingestion.parsers.problems import damaged
from desktop_rag.ingestion.parsers.recognition import scanned

MOST_PIXELS = 150_000_000
"""Of a frame: 450 MB once it is unpacked. An A0 drawing scanned at 300 dots per inch has 139
million; what claims more is most likely made to fill the memory."""


def open_paged(source: Path | bytes, name: str) -> pymupdf.Document:
    """Open a PDF or a picture, by its content.

    Raises:
        KnownError: it is damaged, needs a password, or needs a library that is missing.
        MemoryError: MuPDF was refused memory.
        OSError: the file is gone.
    """
    if picture_kind(_head(source)) is None:
        return open_pdf(source, name)
    return open_picture(source, name)


def open_picture(source: Path | bytes, name: str) -> pymupdf.Document:
    """Open a picture; each of its frames is a page, in points by its resolution.

    Raises: see ``open_paged``.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    kind = picture_kind(_head(source))
    if kind == "webp":
        content = source if isinstance(source, bytes) else source.read_bytes()
        source, kind = _unpacked(content, name), "pnm"
    try:
        if isinstance(source, bytes):
            document = pymupdf.open(stream=source, filetype=kind)
        else:
            document = pymupdf.open(source, filetype=kind)
        if document.page_count:
            return document
    except (RuntimeError, ValueError) as error:  # MuPDF's own errors are of the first kind
        if is_out_of_memory(error):
            raise MemoryError from error
        raise damaged(name) from error
    raise damaged(name)


def pixels_of(page: pymupdf.Page) -> tuple[int, int]:
    """Return the width and height of a frame in its own pixels, without unpacking it."""
    images = page.get_image_info()
    if not images:
        return 0, 0
    return int(images[0]["width"]), int(images[0]["height"])


def _head(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        return source[:HEAD_BYTES]
    with source.open("rb") as file:
        return file.read(HEAD_BYTES)


def _unpacked(content: bytes, name: str) -> bytes:
    """Return a WebP picture, which MuPDF does not know, as one that it does.

    Raises:
        KnownError: Pillow is not installed, or the picture is damaged or too large.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise scanned(name, "It is a picture.", OcrState.MISSING) from error
    try:
        with Image.open(BytesIO(content), formats=("WEBP",)) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise too_many_pixels(name)
            written = BytesIO()
            picture.convert("RGB").save(written, "PPM")
    except Image.DecompressionBombError as error:
        raise too_many_pixels(name) from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise damaged(name) from error
    return written.getvalue()


def too_many_pixels(name: str) -> KnownError:
    """Return the error for a picture whose pixels would fill the memory."""
    return KnownError(
        "Too many pixels",
        f"“{name}” is a picture of more than {MOST_PIXELS // 1_000_000} million pixels, so it "
        "is not opened. Save it with fewer, and it will be read.",
    )
