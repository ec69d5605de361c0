from __future__ import annotations

import pytest

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.csv_table import delimiter_of
from desktop_rag.ingestion.parsers.limits import ROWS_TOO_LONG, ParseLimits, limited
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.parsed_blocks import blocks, header_of, said


def parse(content: str | bytes, name: str = "a.csv") -> ParsedDocument:
    data = content.encode() if isinstance(content, str) else content
    return parse_bytes(data, name)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_header_goes_with_every_row(delimiter: str) -> None:
    lines = ["Name;Region;Units", "Ada;North;12", "Bo;South;7"]

    parsed = parse("\ufeff" + "\r\n".join(lines).replace(";", delimiter))

    assert parsed.kind == "csv"
    assert parsed.document.text == "Name | Region | Units\nAda | North | 12\nBo | South | 7"
    (table,) = parsed.blocks
    assert header_of(parsed, table) == "Name | Region | Units"


def test_a_quoted_line_break_stays_in_its_cell() -> None:
    parsed = parse('Name,Note\nAda,"first\nsecond, third"\nBo,"says ""no"""\n')

    assert 'Ada | first second, third\nBo | says "no"' in parsed.document.text


def test_commas_within_words_do_not_win_over_semicolons() -> None:
    text = "Item;Price\nBolt, long;1,50\nNut, small, round;0,20\nScrew;3,00\n"

    assert delimiter_of(text) == ";"


def test_excel_is_believed_when_it_names_the_delimiter() -> None:
    assert parse("sep=|\na|b,c\n1|2,3\n").document.text == "a | b,c\n1 | 2,3"


def test_japanese_tables_are_read_in_their_encoding() -> None:
    parsed = parse("名前,年齢,住所\n佐藤太郎,30,東京\n髙橋淳,35,名古屋\n".encode("cp932"))

    assert "髙橋淳 | 35 | 名古屋" in parsed.document.text
    assert parsed.encoding == "shift_jis"


def test_a_quotation_mark_that_is_never_closed_loses_no_row() -> None:
    rows = "".join(f"{n},{'words ' * 20}\n" for n in range(3000))

    parsed = parse('Number,Note\n1,"open\n' + rows)

    assert parsed.document.text.count("words") == 3000 * 20


def test_one_column_has_no_header() -> None:
    (table,) = parse("one\ntwo\nthree\n").blocks

    assert table.header is None


def test_titles_above_the_header_are_text_of_their_own() -> None:
    parsed = parse("Sales 2024,,\n,,\nName,Region,Units\nAda,North,12\nBo,South,7\n")

    assert blocks(parsed)[0] == ("paragraph", "Sales 2024")
    assert header_of(parsed, parsed.blocks[1]) == "Name | Region | Units"


def test_rows_of_numbers_alone_have_no_header() -> None:
    (table,) = parse("1,2,3\n4,5,6\n7,8,9\n").blocks

    assert table.header is None


def test_a_long_table_is_many_blocks_under_one_header() -> None:
    lines = [f"{n},name {n},{n * 7}" for n in range(5000)]

    parsed = parse("\n".join(["Number,Name,Amount", *lines]))

    assert len(parsed.blocks) > 3
    assert {header_of(parsed, block) for block in parsed.blocks} == {"Number | Name | Amount"}
    assert sum(said(parsed, block).count("name") for block in parsed.blocks) == 5000


def test_a_row_put_in_moves_few_blocks() -> None:
    lines = [f"{n},name {n},{n * 7}" for n in range(5000)]
    before = parse("\n".join(["Number,Name,Amount", *lines]))
    after = parse("\n".join(["Number,Name,Amount", "-1,new,0", *lines]))

    same = {said(before, b) for b in before.blocks} & {said(after, b) for b in after.blocks}
    assert len(same) >= len(before.blocks) - 2


def test_what_is_too_long_is_cut_and_said() -> None:
    with limited(ParseLimits(text=100)):
        parsed = parse("\n".join(f"{n},word {n}" for n in range(100)))

    assert len(parsed.document.text) <= 100
    assert [u.reason for u in parsed.coverage.unreadable] == [ROWS_TOO_LONG]


@pytest.mark.parametrize("content", ["", " \n \n", ",,\n,,\n"])
def test_a_table_of_nothing_has_no_text(content: str) -> None:
    with pytest.raises(KnownError) as caught:
        parse(content)

    assert caught.value.title == "No text"
