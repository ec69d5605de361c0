from __future__ import annotations

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.number_formats import number_writer
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.parsers.workbook import SHEET_DAMAGED
from tests.helpers.office_files import SHEET, relations, rows, xls, xlsx
from tests.helpers.parsed_blocks import blocks, header_of, words_of


def parse(content: bytes, name: str = "a.xlsx") -> ParsedDocument:
    return parse_bytes(content, name)


def test_values_are_shown_as_excel_shows_them() -> None:
    data = (
        "<sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>"
        "<row r='2'><c r='A2' t='s'><v>2</v></c><c r='B2' s='1'><v>0.5</v></c></row>"
        "<row r='3'><c r='A3' s='2'><v>45366</v></c><c r='B3'><f>SUM(B1:B2)</f><v>42</v></c></row>"
        "<row r='4'><c r='A4' t='b'><v>1</v></c><c r='B4'><f>SUM(B1:B3)*2</f></c></row>"
        "<row r='5'><c r='A5' t='e'><v>#N/A</v></c><c r='B5' t='str'><f>A1</f><v>Ada</v></c></row>"
        "</sheetData>"
    )

    parsed = parse(xlsx({"Data": data}, ("Item", "Share", "North"), ("0.0%", "yyyy\\-mm\\-dd")))

    assert parsed.document.text.splitlines() == [
        *("Data", "", "Item | Share", "North | 50.0%", "2024-03-15 | 42"),
        *("TRUE | =SUM(B1:B3)*2", "#N/A | Ada"),
    ]


def test_a_merged_header_covers_its_columns() -> None:
    data = rows(("Site", "2024", ""), ("", "Spring", "Autumn"), ("York", 1, 2), ("Hull", 3, 4))
    merged = "<mergeCells><mergeCell ref='B1:C1'/><mergeCell ref='A1:A2'/></mergeCells>"

    parsed = parse(xlsx({"Data": data + merged}))

    assert header_of(parsed, parsed.blocks[1]) == "Site | 2024 | 2024\nSite | Spring | Autumn"


def test_a_merged_title_is_said_once() -> None:
    data = rows(("Sales", "", ""), ("Site", "Who", "Units"), ("York", "Ada", 2))

    parsed = parse(xlsx({"Data": data + "<mergeCells><mergeCell ref='A1:C1'/></mergeCells>"}))

    assert blocks(parsed)[1] == ("paragraph", "Sales")
    assert header_of(parsed, parsed.blocks[2]) == "Site | Who | Units"


def test_a_cell_merged_over_rows_counts_for_each() -> None:
    data = rows(("Site", "Who"), ("York", "Ada"), ("", "Bo"), ("Hull", "Cy"))

    parsed = parse(xlsx({"Data": data + "<mergeCells><mergeCell ref='A2:A3'/></mergeCells>"}))

    assert "York | Ada\nYork | Bo\nHull | Cy" in parsed.document.text


def test_sheets_are_pages_under_their_names() -> None:
    sheets = {"First": rows(("A", "B"), ("x", "y")), "Empty": "<sheetData/>"}
    sheets["Third"] = rows(("C", "D"), ("v", "w"))

    parsed = parse(xlsx(sheets))

    assert [(block.page, block.level) for block in parsed.blocks] == [
        (1, 1),
        (1, 0),
        (3, 1),
        (3, 0),
    ]
    assert words_of(parsed, BlockKind.HEADING) == ["First", "Third"]
    assert (parsed.pages, parsed.coverage.read, parsed.coverage.empty) == (3, 2, 1)


def test_rows_and_cells_that_are_missing_keep_their_columns() -> None:
    data = (
        "<sheetData><row r='1'><c r='A1' t='str'><v>A</v></c><c r='B1' t='str'><v>B</v></c>"
        "<c r='C1' t='str'><v>C</v></c></row><row r='9'><c r='C9'><v>3</v></c></row></sheetData>"
    )

    assert parse(xlsx({"Data": data})).document.text.endswith("A | B | C\n |  | 3")


def test_a_shared_formula_without_values_is_written_out() -> None:
    data = (
        "<sheetData><row r='1'><c r='A1'><f t='shared' ref='A1:A2' si='0'>B1*2</f></c></row>"
        "<row r='2'><c r='A2'><f t='shared' si='0'/></c></row></sheetData>"
    )

    assert parse(xlsx({"Data": data})).document.text.endswith("=B1*2\n=B1*2")


def test_comments_and_text_boxes_are_notes() -> None:
    comments = (
        f"<comments {SHEET}><authors><author>Ada</author></authors><commentList>"
        "<comment ref='B2' authorId='0'><text><r><t>Check this</t></r></text></comment>"
        "</commentList></comments>"
    )
    drawing = (
        "<d:wsDr xmlns:d='d' xmlns:a='a'><d:sp><d:txBody><a:p><a:r><a:t>In a box</a:t></a:r>"
        "</a:p></d:txBody></d:sp></d:wsDr>"
    )
    parts = {
        "xl/worksheets/_rels/sheet1.xml.rels": relations(
            ("c", "comments", "../comments1.xml"), ("d", "drawing", "../drawings/drawing1.xml")
        ),
        "xl/comments1.xml": comments,
        "xl/drawings/drawing1.xml": drawing,
    }

    parsed = parse(xlsx({"Data": rows(("A", "B"), ("x", "y"))}, parts=parts))

    assert words_of(parsed, BlockKind.NOTE) == ["B2 – Ada: Check this", "In a box"]


def test_a_broken_sheet_leaves_the_others() -> None:
    sheets = {"Bad": "<sheetData><row r='1'><c", "Good": rows(("A", "B"), ("x", "y"))}

    parsed = parse(xlsx(sheets))

    assert "x | y" in parsed.document.text
    assert [(u.page, u.reason) for u in parsed.coverage.unreadable] == [(1, SHEET_DAMAGED)]


def test_a_workbook_of_nothing_has_no_text() -> None:
    with pytest.raises(KnownError) as caught:
        parse(xlsx({"Empty": "<sheetData/>"}))

    assert caught.value.title == "No text"


def test_a_binary_workbook_is_not_called_damaged() -> None:
    content = xlsx({"A": "<sheetData/>"}, parts={"xl/workbook.bin": "x"})

    with pytest.raises(KnownError) as caught:
        parse(content, "a.xlsb")

    assert caught.value.title == "Not read yet"


def test_old_workbooks_are_shown_alike() -> None:
    cells = {(0, 0): "Item", (0, 1): "Share", (1, 0): "北 North", (1, 1): (0.5, "0.0%")}
    cells |= {(2, 0): "When", (2, 1): (45366.0, "d/m/yyyy")}

    parsed = parse(xls(cells, "Data"), "a.xls")

    assert parsed.kind == "xls"
    assert parsed.document.text == "Data\n\nItem | Share\n北 North | 50.0%\nWhen | 15/3/2024"
    assert header_of(parsed, parsed.blocks[1]) == "Item | Share"


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("General", 0.1 + 0.2, "0.3"),
        ("General", 3.0, "3"),
        ("0.0%", 0.5, "50.0%"),
        ("0.0 %", 0.5, "50.0 %"),
        ("#,##0.00", 1234567.891, "1,234,567.89"),
        ('"$"#,##0.00;[Red]("$"#,##0.00)', -1234.5, "($1,234.50)"),
        ("0.00", 2.675, "2.68"),
        ("0.0", -0.04, "0.0"),
        ("0.###", 1.5, "1.5"),
        ("00000", 123, "00123"),
        ("000-00-0000", 123456789, "123-45-6789"),
        ("#,##0,", 1234567, "1,235"),
        ("[$€-407] #,##0.00", 12.5, "€ 12.50"),
        ("0.00E+00", 12345, "1.23E+04"),
        ('_(* "-"??_)', 0, "-"),
        ('0" kg"', 12, "12 kg"),
        ("[>=100]0.0;0.00", 5, "5"),
        ("yyyy-mm-dd", 45366, "2024-03-15"),
        ("m/d/yy h:mm", 45366.75, "3/15/24 18:00"),
        ("d-mmm-yy", 45366, "15-Mar-24"),
        ("dddd, mmmm dd", 45366, "Friday, March 15"),
        ("h:mm AM/PM", 0.55, "1:12 PM"),
        ("[h]:mm:ss", 1.5, "36:00:00"),
        ("mm:ss", 0.01, "14:24"),
        ('yyyy"年"m"月"d"日"', 45366, "2024年3月15日"),
        ("yyyy-mm-dd", 1, "1900-01-01"),
        ("yyyy-mm-dd", -5, "-5"),
        ("yyyy-mm-dd", 1e9, "1000000000"),
        ("0", 1e300, "1e+300"),
    ],
)
def test_number_formats(code: str, value: float, shown: str) -> None:
    assert number_writer(code)(value) == shown


def test_days_may_be_counted_from_1904() -> None:
    assert number_writer("yyyy-mm-dd", epoch_1904=True)(0) == "1904-01-01"
