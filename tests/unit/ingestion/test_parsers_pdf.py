"""PDF: lines to paragraphs, columns, headings, and what is no part of the text."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.pdf import PdfParser
from desktop_rag.ingestion.parsers.registry import parse_file
from tests.helpers.drawn_pdf import LOREM, box, drawn, lines


def parse(data: bytes, name: str = "a.pdf") -> ParsedDocument:
    return PdfParser().parse(data, name)


def page_of(*texts: str, **options: float) -> bytes:
    return drawn([lambda page: lines(page, texts, **options) and None])


def pieces(parsed: ParsedDocument) -> list[tuple[str, str]]:
    text = parsed.document.text
    return [(block.kind.value, text[block.start : block.end]) for block in parsed.blocks]


def test_lines_flow_and_every_line_has_its_box() -> None:
    parsed = parse(drawn([lambda page: box(page, LOREM * 2, (72, 72, 523, 700))]))

    text = parsed.document.text
    assert text == " ".join((LOREM * 2).split())
    boxes = parsed.blocks[0].lines
    assert len(boxes) > 5
    assert "".join(text[b.start : b.end] for b in boxes).replace(" ", "") == text.replace(" ", "")
    for upper, lower in pairwise(boxes):
        assert upper.end < lower.start <= upper.end + 1
        assert upper.y0 < lower.y0
        assert upper.x0 == pytest.approx(72, abs=1)


def test_pages_are_kept_apart() -> None:
    parsed = parse(
        drawn([lambda page, n=n: lines(page, [f"Page text {n}."]) and None for n in range(3)])
    )

    assert [block.page for block in parsed.blocks] == [1, 2, 3]
    assert parsed.document.text == "Page text 0.\n\nPage text 1.\n\nPage text 2."
    assert (parsed.pages, parsed.coverage.read) == (3, 3)


@pytest.mark.parametrize("aligned", [True, False])
def test_columns_are_read_one_after_the_other(aligned: bool) -> None:
    left = [f"L{i} the left column says this about it" for i in range(20)]
    right = [f"R{i} the right column says that about it" for i in range(20)]

    def draw(page: pymupdf.Page) -> None:
        lines(page, ["A title across both of the columns of this page"], x=120, y=60, size=16)
        for i, (one, other) in enumerate(zip(left, right, strict=True)):
            lines(page, [one], y=100 + 14 * i)
            lines(page, [other], x=320, y=100 + 14 * i + (0 if aligned else 5))

    text = parse(drawn([draw])).document.text

    order = [text.index(f"{side}{i} the") for side in "LR" for i in range(20)]
    assert order == sorted(order)
    assert text.startswith("A title across")


def test_short_entries_in_two_columns_are_columns() -> None:
    def draw(page: pymupdf.Page) -> None:
        for i in range(8):
            lines(page, [f"Left {i}"], y=100 + 14 * i)
            lines(page, [f"Right {i}"], x=320, y=100 + 14 * i)

    text = parse(drawn([draw])).document.text

    assert text.index("Left 7") < text.index("Right 0")


def test_a_paragraph_goes_on_in_the_next_column_past_a_footnote() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(
            page,
            ["The left column ends in the middle of a", "sentence that goes on when the"],
            y=600,
        )
        lines(page, ["1 A footnote in small print stands here."], y=660, size=7)
        lines(
            page,
            ["reader has turned to the right column.", "Another sentence follows there."],
            x=320,
            y=600,
        )

    text = parse(drawn([draw])).document.text

    assert "sentence that goes on when the reader has turned to the right column." in text


def test_tables_are_read_by_rows() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, ["Prices of the year 2024 are listed in the table below, by region."])
        rows = [("Region", "Units", "Price"), ("North", "120", "3.50"), ("South", "95", "4.10")]
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                lines(page, [cell], x=72 + 150 * j, y=120 + 16 * i)

    parsed = parse(drawn([draw]))

    table = next(b for b in parsed.blocks if b.kind is BlockKind.TABLE)
    text = parsed.document.text
    assert (
        text[table.start : table.end] == "Region\tUnits\tPrice\nNorth\t120\t3.50\nSouth\t95\t4.10"
    )
    assert table.header is not None
    assert text[slice(*table.header)] == "Region\tUnits\tPrice"


def test_running_headers_and_footers_are_left_out() -> None:
    def draw(page: pymupdf.Page) -> None:
        number = page.number + 1
        lines(page, [f"Annual report 2024 | {number}"], y=40, size=9)
        lines(page, ["see instructions"], y=815, size=9)
        lines(page, [str(number)], x=290, y=828, size=9)
        box(page, LOREM, (72, 100, 523, 250))
        lines(page, ["see instructions"], y=300 + 11 * number)

    text = parse(drawn([draw] * 30)).document.text

    assert "Annual report" not in text
    assert text.count("see instructions") == 30
    assert not any(line.strip().isdigit() for line in text.splitlines())
    assert text.count("The committee met") == 30


def test_titles_of_slides_are_no_headers() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, ["Results"], y=60, size=28)
        lines(page, [f"Point {page.number} of the talk has some words.", "And more words."], y=200)

    parsed = parse(drawn([draw] * 5))

    assert parsed.document.text.count("Results") == 5


def test_numbers_that_count_no_pages_are_kept() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, [f"Invoice {4711 + 3 * page.number}"], y=40)
        box(page, LOREM, (72, 120, 523, 250))

    text = parse(drawn([draw] * 5)).document.text

    assert "Invoice 4711" in text
    assert "Invoice 4723" in text


def test_headings_are_larger_or_bold() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = lines(page, ["The Great Report"], size=22)
        y = lines(page, ["1 Introduction"], y=y + 20, size=15)
        y = lines(page, ["Text of the introduction goes here and is long", "enough."], y=y + 8)
        y = lines(page, ["A bold subheading"], y=y + 10, font="hebo")
        lines(page, ["Text of the subsection goes here and is long enough."], y=y + 4)

    parsed = parse(drawn([draw]))

    headings = [
        (b.level, parsed.document.text[b.start : b.end])
        for b in parsed.blocks
        if b.kind is BlockKind.HEADING
    ]
    assert headings == [(1, "The Great Report"), (2, "1 Introduction"), (3, "A bold subheading")]
    assert parsed.title == "The Great Report"


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("A sensible title", "A sensible title"),
        ("Microsoft Word - draft7.doc", "Largest line"),
        ("report.indd", "Largest line"),
        ("untitled", "Largest line"),
        ("", "Largest line"),
    ],
)
def test_the_stated_title_is_taken_when_it_is_one(stated: str, title: str) -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, ["Largest line"], size=24)
        lines(page, ["Some words of running text below the title.", "And more of it."], y=140)

    parsed = parse(drawn([draw], title=stated, author="Ann Example"))

    assert parsed.title == title
    assert parsed.document.metadata["author"] == "Ann Example"


def test_list_items_begin_blocks() -> None:
    parsed = parse(
        page_of(
            "Three things are needed for this to work well:",
            "\u2022 first a plan",
            "\u2022 then some money, which is harder to come by and",
            "  takes time",
            "\u2022 and luck",
        )
    )

    items = [words for kind, words in pieces(parsed) if kind == "list_item"]
    assert [item.split()[1] for item in items] == ["first", "then", "and"]


def test_turned_text_is_no_heading() -> None:
    def draw(page: pymupdf.Page) -> None:
        box(page, LOREM, (72, 72, 523, 700))
        page.insert_text((30, 600), "arXiv:2103.15348v2", fontsize=20, rotate=90)

    parsed = parse(drawn([draw]))

    assert parsed.title == ""
    assert pieces(parsed)[-1] == ("note", "arXiv:2103.15348v2")


def test_a_real_paper_in_two_columns(shared_dir: Path) -> None:
    parsed = parse_file(shared_dir / "documents" / "tracemonkey.pdf")

    text = parsed.document.text
    assert parsed.title == "Trace-based Just-in-Time Type Specialization for Dynamic Languages"
    assert parsed.coverage.read == parsed.pages == 14
    assert (
        "Hence, recording and compiling a trace speculates that the path and typing will be "
        "exactly as they were during recording for subsequent iterations of the loop." in text
    )
    quote = "We call such a sequence of instructions a trace."
    block = next(b for b in parsed.blocks if quote in text[b.start : b.end])
    assert block.page == 1
    assert "GARBLED" not in text
