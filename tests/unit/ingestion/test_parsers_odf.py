from __future__ import annotations

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.docx import CUT_OFF
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.office_files import ODF, odf
from tests.helpers.parsed_blocks import blocks, header_of, words_of


def parse(content: bytes, name: str = "a.odt") -> ParsedDocument:
    return parse_bytes(content, name)


def cell(text: str, more: str = "") -> str:
    inside = f"<text:p>{text}</text:p>" if text else ""
    return f"<table:table-cell {more}>{inside}</table:table-cell>"


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def test_a_text_with_all_of_its_kinds() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        '<text:h text:outline-level="1">Rent</text:h>'
        "<text:p>It is<text:s/>due<text:line-break/>monthly<text:note><text:note-body>"
        "<text:p>In advance</text:p></text:note-body></text:note>.</text:p>"
        "<text:list><text:list-item><text:p>Keys</text:p><text:list><text:list-item>"
        "<text:p>Spare</text:p></text:list-item></text:list></text:list-item></text:list>"
        "<text:p>Box:<draw:frame><draw:text-box><text:p>Framed</text:p></draw:text-box>"
        "</draw:frame></text:p>"
    )

    parsed = parse(odf("text", body))

    assert blocks(parsed) == [
        ("heading", "Rent"),
        ("paragraph", "It is due\nmonthly."),
        ("note", "In advance"),
        ("list_item", "Keys"),
        ("list_item", "Spare"),
        ("paragraph", "Box:"),
        ("paragraph", "Framed"),
    ]
    assert (parsed.kind, parsed.title) == ("odt", "Annual report")
    assert parsed.document.metadata["author"] == "Ada"
    assert parsed.document.metadata["created"] == "2024-03-15"


def test_a_table_in_a_text_has_its_header() -> None:
    rows = row(cell("Site"), cell("Units")) + row(cell("York"), cell("12"))

    parsed = parse(odf("text", f"<table:table>{rows}</table:table>"))

    assert parsed.document.text == "Site | Units\nYork | 12"
    assert header_of(parsed, parsed.blocks[0]) == "Site | Units"


def test_headers_and_footers_are_there_once() -> None:
    page = "<style:master-page><style:header><text:p>Secret</text:p></style:header>"
    parts = {"styles.xml": f"<office:s {ODF}>{(page + '</style:master-page>') * 2}</office:s>"}

    parsed = parse(odf("text", "<text:p>Words</text:p>", parts))

    assert words_of(parsed, BlockKind.NOTE) == ["Secret"]


def test_sheets_show_what_their_cells_show() -> None:
    first = row(cell("Item"), cell("Share", 'table:number-columns-spanned="2"')) + row(
        cell("North"), cell("50.0 %", 'office:value="0.5"'), cell("", 'office:value="7"')
    )
    first = first.replace(
        "</table:table-cell></table:table-row>",
        "</table:table-cell><table:covered-table-cell/></table:table-row>",
        1,
    )
    filler = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
    filler += 'table:number-columns-repeated="16384"/></table:table-row>'
    twice = row(cell("A", 'table:number-columns-repeated="2"'))
    body = (
        f'<table:table table:name="Data">{first}{filler}</table:table>'
        '<table:table table:name="Nothing"/>'
        f'<table:table table:name="More">{twice}'
        "</table:table>"
    )

    parsed = parse(odf("spreadsheet", body), "a.ods")

    assert parsed.document.text == (
        "Data\n\nItem | Share | Share\nNorth | 50.0 % | 7\n\nMore\n\nA | A"
    )
    assert [block.page for block in parsed.blocks] == [1, 1, 3, 3]
    assert (parsed.pages, parsed.coverage.empty) == (3, 1)


def test_slides_by_position_with_labelled_notes() -> None:
    def framed(text: str, x: float, y: float, kind: str = "") -> str:
        held = f'presentation:class="{kind}"' if kind else ""
        return (
            f'<draw:frame {held} svg:x="{x}cm" svg:y="{y}cm"><draw:text-box>'
            f"<text:p>{text}</text:p></draw:text-box></draw:frame>"
        )

    notes = f"<presentation:notes>{framed('Slowly', 0, 0, 'notes')}</presentation:notes>"
    page = (
        framed("Right", 9, 5)
        + f"<draw:g><draw:g>{framed('Left', 1, 5.1)}</draw:g></draw:g>"
        + framed("Plans", 0, 9, "title")
    )

    parsed = parse(
        odf("presentation", f"<draw:page>{page}{notes}</draw:page><draw:page/>"), "a.odp"
    )

    assert blocks(parsed) == [
        *(("heading", "Plans"), ("paragraph", "Left"), ("paragraph", "Right")),
        ("note", "Notes: Slowly"),
    ]
    assert (parsed.pages, parsed.coverage.read, parsed.coverage.empty) == (2, 1, 1)


def test_an_encrypted_document_needs_a_password() -> None:
    entry = '<m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry>'
    parts = {"META-INF/manifest.xml": f'<m:manifest xmlns:m="m">{entry}</m:manifest>'}

    with pytest.raises(KnownError) as caught:
        parse(odf("text", "scrambled", parts))

    assert caught.value.title == "Needs a password"


def test_what_is_left_of_a_broken_text_is_read() -> None:
    parsed = parse(odf("text", "<text:p>Whole</text:p><text:p>Cut </text:q>"))

    assert parsed.document.text == "Whole"
    assert [unit.reason for unit in parsed.coverage.unreadable] == [CUT_OFF]
