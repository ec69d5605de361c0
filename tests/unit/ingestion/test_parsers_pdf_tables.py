"""Tables with ruled lines in PDF files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import pymupdf
import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.drawn_pdf import LOREM, box, drawn, lines

X = (72.0, 160.0, 330.0, 450.0)


def tables(parsed: ParsedDocument) -> list[list[str]]:
    return [
        parsed.document.text[block.start : block.end].split("\n")
        for block in parsed.blocks
        if block.kind is BlockKind.TABLE
    ]


def draw_rules(page: pymupdf.Page, ys: Sequence[float], upright: bool = True) -> None:
    for y in ys:
        page.draw_line((X[0], y), (X[-1], y))
    for x in X if upright else ():
        page.draw_line((x, ys[0]), (x, ys[-1]))


def draw_cells(page: pymupdf.Page, ys: Sequence[float], rows: Sequence[Sequence[str]]) -> None:
    for y, row in zip(ys, rows, strict=False):
        for x, text in zip(X, row, strict=False):
            for number, line in enumerate(text.split("\n")):
                page.insert_text((x + 4, y + 13 + 12 * number), line, fontsize=10)


ROWS = [
    ["Year", "What it\nmeans", "Agency"],
    [
        "2023",
        "The debtor is able to pay,\nwhatever may come",
        "First Agency\nof the Land\nand all",
    ],
    ["2022", "The debtor may be able to\npay for now", "Second"],
]
YS = (100.0, 130.0, 170.0, 200.0)
EXPECTED = [
    "Year\tWhat it means\tAgency",
    "2023\tThe debtor is able to pay, whatever may come\tFirst Agency of the Land and all",
    "2022\tThe debtor may be able to pay for now\tSecond",
]


@pytest.mark.parametrize("sides", [True, False])
def test_cells_of_several_lines_stay_in_their_rows(sides: bool) -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, ["Words above the table."], y=80)
        draw_rules(page, YS, upright=False)
        for x in X if sides else X[1:-1]:
            page.draw_line((x, YS[0]), (x, YS[-1]))
        draw_cells(page, YS, ROWS)
        lines(page, ["Words below the table."], y=230)

    parsed = parse_bytes(drawn([draw]), "a.pdf")

    assert tables(parsed) == [EXPECTED]
    assert parsed.document.text.startswith("Words above the table.")
    assert parsed.document.text.endswith("Words below the table.")
    table = next(block for block in parsed.blocks if block.kind is BlockKind.TABLE)
    assert table.header is not None
    assert parsed.document.text[slice(*table.header)] == EXPECTED[0]
    assert [round(line.x0) for line in table.lines] == [72] * 3


def test_cells_drawn_as_frames_are_cells() -> None:
    def draw(page: pymupdf.Page) -> None:
        for top, bottom in pairwise(YS):
            for left, right in pairwise(X):
                page.draw_rect((left, top, right, bottom))
        draw_cells(page, YS, ROWS)

    assert tables(parse_bytes(drawn([draw]), "a.pdf")) == [EXPECTED]


def test_a_cell_that_reaches_over_rows_is_said_in_each() -> None:
    def draw(page: pymupdf.Page) -> None:
        ys = (100.0, 130.0, 160.0, 190.0, 220.0)
        draw_rules(page, (ys[0], ys[1], ys[3], ys[4]))
        page.draw_line((X[1], ys[2]), (X[-1], ys[2]))
        draw_cells(page, ys, [["Hall", "Pump", "Days"], ["", "P-100", "30"], ["", "P-200", "14"]])
        page.insert_text((X[0] + 4, 162), "North", fontsize=10)
        draw_cells(page, ys[3:], [["South", "", "7"]])

    assert tables(parse_bytes(drawn([draw]), "a.pdf")) == [
        ["Hall\tPump\tDays", "North\tP-100\t30", "North\tP-200\t14", "South\t\t7"]
    ]


def test_where_the_header_alone_is_ruled_off_the_lines_are_rows() -> None:
    rows = [["Tag", "Type", "Means"], ["000\n010\n100", "object\nnumber\nstring", "a\nb\nc"]]

    def draw(page: pymupdf.Page) -> None:
        draw_rules(page, (100, 120, 170))
        draw_cells(page, (100, 120), rows)

    assert tables(parse_bytes(drawn([draw]), "a.pdf")) == [
        ["Tag\tType\tMeans", "000\tobject\ta", "010\tnumber\tb", "100\tstring\tc"]
    ]


def test_words_next_to_each_other_are_cut_at_the_rule_between_them() -> None:
    def draw(page: pymupdf.Page) -> None:
        draw_rules(page, (100, 120, 140))
        for y, number in ((113, "10"), (133, "11")):
            width = pymupdf.get_text_length(number, fontsize=10)
            page.insert_text((X[1] - width - 0.5, y), number, fontsize=10)
            page.insert_text((X[1] + 0.5, y), "Bank of the Land", fontsize=10, fontname="tiro")

    assert tables(parse_bytes(drawn([draw]), "a.pdf")) == [
        ["10\tBank of the Land", "11\tBank of the Land"]
    ]


def test_a_frame_around_text_is_no_table() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect((60, 60, 540, 760))
        page.draw_line((300, 60), (300, 760))
        box(page, LOREM * 3, (70, 70, 290, 700))
        box(page, LOREM * 3, (310, 70, 530, 700))

    parsed = parse_bytes(drawn([draw]), "a.pdf")

    assert not tables(parsed)
    assert " ".join(parsed.document.text.split()).count("the repairs of the old bridge") == 6


def test_a_table_that_goes_on_keeps_its_header() -> None:
    ys = [100.0 + 20 * n for n in range(5)]
    named = [["Bank", "Limit", "Used"], *(["Land", f"{n},000", f"{n * 7}"] for n in range(3))]
    more = [[f"{n}", f"{n},000", f"{n * 7}"] for n in range(4)]

    def draw(rows: list[list[str]], page: pymupdf.Page) -> None:
        draw_rules(page, ys)
        draw_cells(page, ys, rows)

    parsed = parse_bytes(drawn([partial(draw, named), partial(draw, more)]), "a.pdf")

    first, second = parsed.blocks
    assert second.page == 2
    assert first.header == second.header == (0, len("Bank Limit Used"))


def test_a_table_of_numbers_alone_has_no_header() -> None:
    rows = [[f"{n}", f"{n},000", f"{n * 7}"] for n in range(4)]

    def draw(page: pymupdf.Page) -> None:
        draw_rules(page, [100.0 + 20 * n for n in range(5)])
        draw_cells(page, [100.0 + 20 * n for n in range(5)], rows)

    (table,) = parse_bytes(drawn([draw]), "a.pdf").blocks
    assert table.header is None


def test_two_tables_are_apart() -> None:
    def draw(page: pymupdf.Page) -> None:
        for top in (100, 400):
            ys = [y + top - 100 for y in YS]
            draw_rules(page, ys)
            draw_cells(page, ys, ROWS)

    assert tables(parse_bytes(drawn([draw]), "a.pdf")) == [EXPECTED, EXPECTED]


def test_a_drawing_of_countless_lines_is_none() -> None:
    def draw(page: pymupdf.Page) -> None:
        shape = page.new_shape()
        for number in range(600):
            shape.draw_line((10, 10 + 1.3 * number), (590, 10 + 1.3 * number))
            shape.draw_line((10 + number, 10), (10 + number, 800))
        shape.finish()
        shape.commit()
        lines(page, ["A map of the harbour with its depths."], y=400)

    parsed = parse_bytes(drawn([draw]), "a.pdf")

    assert parsed.document.text == "A map of the harbour with its depths."
