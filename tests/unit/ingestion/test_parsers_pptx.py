from __future__ import annotations

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.pptx import SLIDE_DAMAGED
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.office_files import SLIDE, box, pptx, relations, slide
from tests.helpers.parsed_blocks import blocks, header_of, words_of

INCH = 914_400


def parse(content: bytes) -> ParsedDocument:
    return parse_bytes(content, "a.pptx")


def group(shapes: str, x: int, y: int) -> str:
    place = f'<p:grpSpPr><a:xfrm><a:off x="{x}" y="{y}"/></a:xfrm></p:grpSpPr>'
    return f"<p:grpSp>{place}{shapes}</p:grpSp>"


def frame(content: str, x: int, y: int) -> str:
    return (
        f'<p:graphicFrame><p:xfrm><a:off x="{x}" y="{y}"/></p:xfrm><a:graphic><a:graphicData>'
        f"{content}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def table(*lines: tuple[str, ...]) -> str:
    def cell(text: str) -> str:
        return f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    rows = ("".join(map(cell, line)) for line in lines)
    return f"<a:tbl>{''.join(f'<a:tr>{row}</a:tr>' for row in rows)}</a:tbl>"


def test_boxes_are_read_by_position_and_the_title_first() -> None:
    shapes = (
        box("Right", 5 * INCH, 2 * INCH)
        + box("Below", INCH, 4 * INCH)
        + box("Left", INCH, 2 * INCH + 1000)
        + box("Plans", placeholder="title")
    )

    parsed = parse(pptx([shapes]))

    assert blocks(parsed) == [
        *(("heading", "Plans"), ("paragraph", "Left"), ("paragraph", "Right")),
        ("paragraph", "Below"),
    ]
    assert parsed.title == "Plans"


def test_groups_within_groups() -> None:
    inner = group(box("Deep", 0, INCH) + box("Deeper first", 0, 0), 0, 0)

    parsed = parse(pptx([group(inner + box("Outer", 0, 9 * INCH), 0, 0)]))

    assert [words for _, words in blocks(parsed)] == ["Deeper first", "Deep", "Outer"]


def test_a_table_has_its_header() -> None:
    rows = table(("Site", "Units"), ("York", "12"), ("Hull", "7"))

    parsed = parse(pptx([frame(rows, 0, 0)]))

    assert parsed.document.text == "Site | Units\nYork | 12\nHull | 7"
    assert header_of(parsed, parsed.blocks[0]) == "Site | Units"


def test_notes_are_labelled_and_slides_are_pages() -> None:
    parts = {
        "ppt/slides/_rels/slide2.xml.rels": relations(
            ("n", "notesSlide", "../notesSlides/notesSlide1.xml")
        ),
        "ppt/notesSlides/notesSlide1.xml": slide(
            "notes", box("2", placeholder="sldNum") + box("Speak slowly", placeholder="body")
        ),
    }

    parsed = parse(pptx([box("One"), box("Two"), ""], parts))

    assert words_of(parsed, BlockKind.NOTE) == ["Notes: Speak slowly"]
    assert [block.page for block in parsed.blocks] == [1, 2, 2]
    assert (parsed.pages, parsed.coverage.read, parsed.coverage.empty) == (3, 2, 1)


def test_bullets_are_items_and_page_numbers_are_left_out() -> None:
    shapes = box("First\nSecond", placeholder="body") + box("7", placeholder="sldNum")

    assert blocks(parse(pptx([shapes]))) == [("list_item", "First"), ("list_item", "Second")]


def test_placeholders_stand_where_their_layout_puts_them() -> None:
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations(
            ("l", "slideLayout", "../slideLayouts/slideLayout1.xml")
        ),
        "ppt/slideLayouts/slideLayout1.xml": slide(
            "sldLayout",
            box("Click", 0, 6 * INCH).replace("<p:nvPr>", '<p:nvPr><p:ph type="body"/>'),
        ),
    }

    parsed = parse(pptx([box("Last", placeholder="body") + box("Above", 0, INCH)], parts))

    assert [words for _, words in blocks(parsed)] == ["Above", "Last"]


def test_the_words_of_a_diagram_are_read() -> None:
    points = "<d:dataModel xmlns:d='d' xmlns:a='a'><d:pt><d:t><a:p><a:r><a:t>Step one</a:t></a:r>"
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations(("d1", "diagramData", "../d/data1.xml")),
        "ppt/d/data1.xml": f"{points}</a:p></d:t></d:pt></d:dataModel>",
    }

    parsed = parse(pptx([frame('<d:relIds xmlns:d="d" r:dm="d1"/>', 0, 0)], parts))

    assert parsed.document.text == "Step one"


def test_a_broken_slide_leaves_the_others() -> None:
    parsed = parse(pptx(["Unclosed <p:sp>", box("Fine")]))

    assert parsed.document.text == "Fine"
    assert [(u.page, u.reason) for u in parsed.coverage.unreadable] == [(1, SLIDE_DAMAGED)]


def test_slides_without_words_have_no_text() -> None:
    with pytest.raises(KnownError) as caught:
        parse(pptx(["", ""]))

    assert caught.value.title == "No text"


def test_comments_are_labelled() -> None:
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations(("c", "comments", "../comments/c1.xml")),
        "ppt/comments/c1.xml": f"<p:cmLst {SLIDE}><p:cm><p:text>Too long</p:text></p:cm></p:cmLst>",
    }

    parsed = parse(pptx([box("Words")], parts))

    assert words_of(parsed, BlockKind.NOTE) == ["Comment: Too long"]
