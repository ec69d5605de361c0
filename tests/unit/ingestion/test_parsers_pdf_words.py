"""Words of a PDF: joined where lines broke them, kept as they are seen."""

from __future__ import annotations

import pymupdf
import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.pdf import PdfParser
from desktop_rag.ingestion.parsers.pdf_lines import Line
from desktop_rag.ingestion.parsers.pdf_paragraphs import Paragraph
from desktop_rag.ingestion.parsers.pdf_text import PdfText
from desktop_rag.text.analysis import analyse
from tests.helpers.drawn_pdf import drawn, lines


def parse(data: bytes, name: str = "a.pdf") -> ParsedDocument:
    return PdfParser().parse(data, name)


def page_of(*texts: str, **options: float) -> bytes:
    return drawn([lambda page: lines(page, texts, **options) and None])


@pytest.mark.parametrize(
    ("upper", "lower", "joined"),
    [
        ("it depends on the cli-", "mate of the place", "the climate of"),
        ("the part number AB-", "1234 is the right one", "number AB-1234 is"),
        ("we saw that Franco-", "German talks began", "Franco-German talks"),
        ("it was called TRANS-", "ATLANTIC in capitals", "called TRANSATLANTIC in"),
        ("this is self-", "evident to everyone", "self-evident to"),
        ("a dash at the end -", "goes on here", "the end - goes"),
        ("see http://example.org/a/", "b/c for more", "http://example.org/a/b/c for"),
    ],
)
def test_words_broken_at_line_ends(upper: str, lower: str, joined: str) -> None:
    text = parse(page_of("Some line of text before it that is long enough", upper, lower))

    assert joined in text.document.text


def test_a_word_that_has_its_hyphen_elsewhere_keeps_it() -> None:
    text = parse(
        page_of(
            "This well-tempered sentence has a lot of words",
            "and it is a well-",
            "tempered one indeed, more test-",
            "ing may follow.",
        )
    ).document.text

    assert "a well-tempered one" in text
    assert "more testing may" in text


def test_soft_hyphens_go_and_ligatures_stay() -> None:
    upper, lower = (
        Line(text, 72, y, 300, y + 12, 11, bold=False, mono=False)
        for text, y in (("a scienti\ufb01c re\u00adport of the cli\u00ad", 80), ("mate here", 94))
    )
    text, blocks = PdfText([Paragraph(BlockKind.PARAGRAPH, [upper, lower], 1)]).write()

    assert text == "a scienti\ufb01c report of the climate here"
    assert [text[b.start : b.end] for b in blocks[0].lines] == [text[:-9], text[-9:]]
    assert set(analyse("scientific climate")) <= set(analyse(text))


def test_chinese_stored_one_character_a_line_is_joined() -> None:
    words = "合同签订后买方应当在三十天内付清全部货款"

    def draw(page: pymupdf.Page) -> None:
        for row in range(2):
            for i, character in enumerate(words):
                page.insert_text(
                    (72 + 14 * i, 100 + 20 * row), character, fontsize=14, fontname="china-s"
                )

    assert parse(drawn([draw])).document.text == words * 2
