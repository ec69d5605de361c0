"""PDF files drawn with MuPDF, for tests of what the parser makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pymupdf

Draw = Callable[[pymupdf.Page], None]

A4 = (595.0, 842.0)
LOREM = (
    "The committee met on the third of May to discuss the budget of the coming year and the "
    "repairs of the old bridge, which had been closed since the flood of the last winter. "
    "Several members asked for a report by independent engineers before any decision on the "
    "repairs is taken, and the chair agreed to invite three offers until the end of June. "
)


def drawn(pages: Sequence[Draw], **options: object) -> bytes:
    """Return a PDF with one page for each function, which draws on it.

    ``options`` are those of PyMuPDF's ``tobytes``, and ``title`` and ``author``.
    """
    document = pymupdf.open()
    info = {key: options.pop(key) for key in ("title", "author") if key in options}
    for draw in pages:
        draw(document.new_page(width=A4[0], height=A4[1]))
    if info:
        document.set_metadata(info)
    data: bytes = document.tobytes(**options)
    document.close()
    return data


def lines(
    page: pymupdf.Page,
    texts: Sequence[str],
    x: float = 72,
    y: float = 80,
    size: float = 11,
    step: float = 14,
    font: str = "helv",
) -> float:
    """Draw lines below each other; returns the height of the next one."""
    for text in texts:
        page.insert_text((x, y), text, fontsize=size, fontname=font)
        y += step
    return y


def box(page: pymupdf.Page, text: str, rect: tuple[float, float, float, float]) -> None:
    """Draw wrapped text into a rectangle."""
    page.insert_textbox(rect, text, fontsize=11, fontname="helv", align=3)


def encrypted(data: bytes, *, owner: str, user: str) -> bytes:
    """Return an encrypted copy (AES-256)."""
    document = pymupdf.open(stream=data, filetype="pdf")
    result: bytes = document.tobytes(
        encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw=owner, user_pw=user
    )
    document.close()
    return result
