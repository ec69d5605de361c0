"""Pictures, and pages of PDFs that are pictures, with and without what OCR has read."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.document import BlockKind, UnreadableUnit
from desktop_rag.domain.ocr import OcrState, RecognisedLine, RecognisedPage, Recognition
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import picture_open
from desktop_rag.ingestion.parsers.formats import Format, format_of
from desktop_rag.ingestion.parsers.recognition import GARBLED, SCANNED, TextlessDocument
from desktop_rag.ingestion.parsers.registry import parse_bytes, parse_file
from tests.helpers.scans import bomb, picture, png, scanned_pdf, tiff

WAITS = Recognition(OcrState.ON)
PROSE = "The tenant pays the rent by the third working day of each month. " * 3


def page(number: int, *texts: str, reason: str | None = None) -> RecognisedPage:
    lines = tuple(
        RecognisedLine(text, 30, 30 + 20 * place, 30 + 7 * len(text), 45 + 20 * place, 0.9)
        for place, text in enumerate(texts)
    )
    return RecognisedPage(number, lines, reason)


def known(*pages: RecognisedPage, state: OcrState = OcrState.ON) -> Recognition:
    return Recognition(state, {page.page: page for page in pages})


@pytest.fixture
def write(tmp_path: Path):
    def write(content: bytes, name: str = "file") -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n", Format.IMAGE),
        (b"\xff\xd8\xff\xe0", Format.IMAGE),
        (b"GIF89a", Format.IMAGE),
        (b"II*\0", Format.IMAGE),
        (b"MM\0*", Format.IMAGE),
        (b"RIFF\0\0\0\0WEBPVP8 ", Format.IMAGE),
        (b"BM" + bytes(12) + b"\x28\0\0\0", Format.IMAGE),
        (b"BM as two letters begin this text", Format.TEXT),
        (b"RIFF\0\0\0\0WAVE", Format.TEXT),
    ],
)
def test_pictures_are_told_by_their_content(head: bytes, expected: Format) -> None:
    assert format_of(head, "x.txt") is expected


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "bmp", "tiff", "webp"])
def test_every_kind_of_picture_is_a_document_of_its_frames(write, kind: str) -> None:
    if kind == "tiff":
        content = tiff([bytes(64 * 32), bytes(64 * 32)], 64, 32)
    elif kind in ("png", "jpeg"):
        content = picture("words", dpi=72).tobytes(kind)
    else:
        content = as_kind(picture("words", dpi=72).tobytes("png"), kind)
    with pytest.raises(TextlessDocument) as caught:
        parse_file(write(content, "no name"), WAITS)
    frames = 2 if kind == "tiff" else 1
    assert (caught.value.kind, caught.value.pages) == ("image", frames)
    assert caught.value.coverage.recognisable == tuple(range(1, frames + 1))


def as_kind(content: bytes, kind: str) -> bytes:
    from io import BytesIO

    image = pytest.importorskip("PIL.Image")
    written = BytesIO()
    image.open(BytesIO(content)).save(written, kind)
    return written.getvalue()


@pytest.mark.parametrize(
    ("state", "words"), [(OcrState.MISSING, "not installed"), (OcrState.OFF, "switched off")]
)
def test_without_ocr_the_reason_says_what_would_read_it(write, state: OcrState, words: str) -> None:
    for content in (png("words"), scanned_pdf([["words"]])):
        with pytest.raises(KnownError) as caught:
            parse_file(write(content), Recognition(state))
        assert caught.value.title == "No text: scanned"
        assert "OCR would read it" in caught.value.message
        assert words in caught.value.message


def test_a_recognised_picture_has_its_lines_with_their_places(write) -> None:
    lease = page(1, "Lease of a flat", "between Ada and Bo")
    parsed = parse_file(write(png("x")), known(lease))
    assert parsed.document.text == "Lease of a flat between Ada and Bo"
    (block,) = parsed.blocks
    assert block.page == 1
    assert [(box.x0, box.y0) for box in block.lines] == [(30, 30), (30, 50)]
    assert (parsed.coverage.read, parsed.coverage.ocr) == (0, 1)
    assert (parsed.kind, parsed.pages) == ("image", 1)


def test_what_is_known_is_used_where_ocr_is_missing_now(write) -> None:
    lease = known(page(1, "Lease"), state=OcrState.MISSING)
    assert parse_file(write(png("x")), lease).document.text == "Lease"


def test_one_page_of_text_and_nine_pictures(write) -> None:
    path = write(scanned_pdf([PROSE, *[[f"picture {n}"] for n in range(9)]]))
    first = parse_file(path, WAITS)
    assert first.document.text.startswith("The tenant pays")
    assert first.coverage.read == 1
    assert first.coverage.unreadable == tuple(
        UnreadableUnit(number, SCANNED, True) for number in range(2, 11)
    )
    read = [page(number, f"Picture of page {number}") for number in range(2, 9)]
    tired = page(9, reason="recognising this page took too long")
    blank = page(10)
    parsed = parse_file(path, known(*read, tired, blank))
    assert [block.page for block in parsed.blocks] == list(range(1, 9))
    assert parsed.document.text.endswith("Picture of page 8")
    coverage = parsed.coverage
    assert (coverage.read, coverage.ocr, coverage.empty) == (1, 7, 1)
    assert coverage.unreadable == (UnreadableUnit(9, "recognising this page took too long"),)


def test_a_garbled_page_without_a_result_stays_garbled() -> None:
    from desktop_rag.ingestion.parsers.pdf import PagesRead
    from desktop_rag.ingestion.parsers.pdf_lines import Line, PageLines

    def garbled() -> PageLines:
        line = Line("G7#q", 1, 2, 3, 4, 10, bold=False, mono=False)
        return PageLines([line], [], 400, 200, 4, 9)

    pages = PagesRead()
    for reason in (GARBLED, GARBLED, GARBLED):
        pages.add(garbled(), reason, known(page(2), page(3, "Legible")))
    assert pages.coverage.unreadable == (
        UnreadableUnit(1, GARBLED, True),
        UnreadableUnit(2, GARBLED),
    )
    assert [[line.text for line in each.lines] for each in pages.pages] == [[], [], ["Legible"]]
    assert (pages.coverage.read, pages.coverage.ocr) == (0, 1)


def test_a_picture_of_no_text_is_kept_for_its_name(write) -> None:
    for recognised in (known(page(1)), known(page(1), state=OcrState.MISSING)):
        with pytest.raises(TextlessDocument) as caught:
            parse_file(write(png("x")), recognised)
        assert caught.value.coverage.empty == 1
        assert caught.value.coverage.complete


def test_headings_of_scans_are_told_by_their_height(write) -> None:
    high = RecognisedLine("Tenancy Agreement", 30, 20, 300, 50, 0.9)
    rows = [
        RecognisedLine(f"line {n} of the agreement goes on", 30, 80 + 16 * n, 380, 94.4 + 16 * n, 1)
        for n in range(5)
    ]
    uneven = [
        RecognisedLine(row.text, row.x0, row.y0 - n % 2, row.x1, row.y1 + n % 2, 1)
        for n, row in enumerate(rows)
    ]
    parsed = parse_file(write(png("x")), known(RecognisedPage(1, (high, *uneven))))
    assert [block.kind for block in parsed.blocks] == [BlockKind.HEADING, BlockKind.PARAGRAPH]
    assert parsed.title == "Tenancy Agreement"


def test_lines_that_run_upwards_come_last(write) -> None:
    stamp = RecognisedLine("RECEIVED", 370, 20, 385, 150, 0.9)
    words = RecognisedPage(1, (stamp, *page(1, "Dear Sir,").lines))
    text = parse_file(write(png("x")), known(words)).document.text
    assert text == "Dear Sir,\n\nRECEIVED"


def test_a_bomb_is_not_unpacked(write) -> None:
    content = bomb(40_000, 4_000)
    assert len(content) < 300_000
    for recognised in (None, WAITS):
        with pytest.raises(KnownError) as caught:
            parse_file(write(content), recognised)
        assert caught.value.title == "Too many pixels"


def test_a_bomb_in_webp_is_not_unpacked(write, monkeypatch: pytest.MonkeyPatch) -> None:
    content = as_kind(png("words"), "webp")
    monkeypatch.setattr(picture_open, "MOST_PIXELS", 1000)
    with pytest.raises(KnownError) as caught:
        parse_file(write(content), WAITS)
    assert caught.value.title == "Too many pixels"


def test_tiny_pictures_are_not_recognised(write) -> None:
    content = tiff([bytes(8 * 8)], 8, 8)
    with pytest.raises(TextlessDocument) as caught:
        parse_file(write(content), WAITS)
    assert caught.value.coverage.empty == 1
    with pytest.raises(KnownError, match="too small"):
        parse_bytes(content, "icon.tif")


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "bmp", "webp", "tiff"])
def test_a_damaged_picture_says_so(write, kind: str) -> None:
    heads = {
        "png": b"\x89PNG\r\n\x1a\nIHDR",
        "jpeg": b"\xff\xd8\xff\xe0....",
        "gif": b"GIF89a",
        "bmp": b"BM" + bytes(12) + b"\x28\0\0\0",
        "webp": b"RIFF\0\0\0\0WEBPVP8 ....",
        "tiff": b"II*\0\xff\xff\xff\xff",
    }
    with pytest.raises(KnownError) as caught:
        parse_file(write(heads[kind], "scan.bin"), WAITS)
    assert caught.value.title == "Damaged"
