"""Opening PDF files with MuPDF; its errors become ours. Only for the child processes."""

from __future__ import annotations

from pathlib import Path

import pymupdf

from desktop_rag.ingestion.parsers.problems import damaged, needs_password

TEXT_FLAGS: int = (
    pymupdf.TEXT_PRESERVE_LIGATURES
    | pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_MEDIABOX_CLIP
    | pymupdf.TEXT_COLLECT_VECTORS
)
"""How text is taken out of pages, with what is drawn: rules tell where tables are, and cost
3 % more time. A glyph without a character stays one (U+FFFD), instead of
the number that the font has for it, which would look like text."""

_OUT_OF_MEMORY = ("malloc", "calloc", "realloc", "out of memory")


def open_pdf(source: Path | bytes, name: str) -> pymupdf.Document:
    """Open a PDF that needs no password; one that restricts copying alone is read.

    Raises:
        KnownError: it is damaged, has no pages or needs a password.
        MemoryError: MuPDF was refused memory.
        OSError: the file is gone.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    document = _opened(source, name)
    if not document.is_pdf:  # MuPDF looks at the content, and reads web pages too
        document.close()
        raise damaged(name)
    if document.needs_pass:
        document.close()
        raise needs_password(name)
    if document.page_count == 0:
        document.close()
        raise damaged(name)
    return document


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error of MuPDF says that it was refused memory."""
    words = str(error).lower()
    return isinstance(error, MemoryError) or any(word in words for word in _OUT_OF_MEMORY)


def _opened(source: Path | bytes, name: str) -> pymupdf.Document:
    try:
        if isinstance(source, bytes):
            return pymupdf.open(stream=source, filetype="pdf")
        source.stat()
        return pymupdf.open(source, filetype="pdf")
    except (RuntimeError, ValueError) as error:  # MuPDF's own errors are of the first kind
        if is_out_of_memory(error):
            raise MemoryError from error
        raise damaged(name) from error
