from __future__ import annotations

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.docx import CUT_OFF
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.parsed_blocks import blocks, header_of, words_of


def parse(content: str, name: str = "a.rtf") -> ParsedDocument:
    return parse_bytes(content.encode("latin-1"), name)


def hexed(text: str, encoding: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding))


@pytest.mark.parametrize(
    ("text", "encoding", "charset"),
    [
        ("合同付款期限为三十天。", "gbk", 134),
        ("契約書の支払期限は三十日です。", "cp932", 128),
        ("契約付款期限為三十天。", "big5", 136),
        ("계약 기간은 삼십 일입니다", "cp949", 129),
        ("Срок оплаты тридцать дней", "cp1251", 204),
    ],
)
def test_each_font_has_its_code_page(text: str, encoding: str, charset: int) -> None:
    fonts = f"{{\\fonttbl{{\\f0\\fcharset0 Arial;}}{{\\f1\\fcharset{charset} Other;}}}}"

    parsed = parse(
        f"{{\\rtf1\\ansi\\ansicpg1252{fonts}\\f0 caf\\'e9 \\f1 {hexed(text, encoding)}}}"
    )

    assert parsed.document.text == f"café {text}"


def test_the_document_has_a_code_page_too() -> None:
    text = "合同付款期限为三十天。"

    assert parse(f"{{\\rtf1\\ansi\\ansicpg936 {hexed(text, 'gbk')}}}").document.text == text


def test_unicode_goes_before_its_substitute() -> None:
    parsed = parse(
        "{\\rtf1 \\u21512?\\u21516\\'3f \\uc2\\u8364\\'80\\'80\\uc0\\u233 t\\u-10179 \\u-8704 }"
    )

    assert parsed.document.text == "合同 €ét😀"


def test_what_is_no_text_is_left_out() -> None:
    parsed = parse(
        "{\\rtf1{\\colortbl;\\red0;}{\\*\\generator Writer;}{\\info{\\title Lease}{\\author Ada}"
        "{\\creatim\\yr2024\\mo3\\dy5\\hr9}{\\company Mill}}Words{\\pict\\pngblip 89504e47}"
        "{\\object{\\*\\objdata 0105}}{\\deleted gone}\\bin4 \\par} {\\v}.}"
    )

    assert parsed.document.text == "Words ."
    assert parsed.title == "Lease"
    assert dict(parsed.document.metadata) == {"author": "Ada", "created": "2024-03-05"}


def test_headings_lists_notes_and_margins() -> None:
    parsed = parse(
        "{\\rtf1{\\stylesheet{\\s1\\outlinelevel0 heading 1;}}{\\header Secret\\par}"
        "\\pard\\s1 Rent\\par\\pard It is due{\\footnote In advance}.\\par"
        "\\pard\\ls1{\\listtext 1.\\tab}Keys\\par\\pard\\outlinelevel1 Term\\par}"
    )

    assert blocks(parsed) == [
        ("note", "Secret"),
        ("heading", "Rent"),
        ("paragraph", "It is due."),
        ("note", "In advance"),
        ("list_item", "1. Keys"),
        ("heading", "Term"),
    ]
    assert [block.level for block in parsed.blocks if block.level] == [1, 2]


def test_a_table_has_its_header() -> None:
    def row(*cells: str) -> str:
        return "\\trowd\\pard\\intbl " + "".join(f"{cell}\\cell " for cell in cells) + "\\row "

    parsed = parse(
        "{\\rtf1 Before\\par " + row("Site", "Units") + row("York", "12") + "\\pard After}"
    )

    assert parsed.document.text == "Before\n\nSite | Units\nYork | 12\n\nAfter"
    assert header_of(parsed, parsed.blocks[1]) == "Site | Units"


def test_a_field_gives_its_result_and_a_box_its_words_once() -> None:
    parsed = parse(
        "{\\rtf1{\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt 1 May}}\\par{\\shp{\\*\\shpinst"
        "{\\sp{\\sn name}{\\sv 5}}{\\shptxt In the box\\par}}{\\shprslt In the box\\par}}}"
    )

    assert words_of(parsed, BlockKind.PARAGRAPH) == ["1 May", "In the box"]


def test_what_is_left_of_a_cut_off_document_is_read() -> None:
    parsed = parse("{\\rtf1 Whole\\par {\\b Half")

    assert parsed.document.text == "Whole\n\nHalf"
    assert [unit.reason for unit in parsed.coverage.unreadable] == [CUT_OFF]


@pytest.mark.parametrize("content", ["{\\rtf1}", "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\par}"])
def test_a_document_of_nothing_has_no_text(content: str) -> None:
    with pytest.raises(KnownError) as caught:
        parse(content)

    assert caught.value.title == "No text"


def test_thousands_of_braces_do_no_harm() -> None:
    assert parse("{\\rtf1 " + "{" * 100_000 + "deep" + "}" * 100_000 + "}").document.text == "deep"
