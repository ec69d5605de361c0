from __future__ import annotations

import pytest

from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.preparation import Preparation
from tests.helpers.office_files import docx, odf, paragraph, pptx, rows, xls, xlsx
from tests.helpers.preparing import spaces

HEADER = ("Part", "Site", "Supplier", "Price")
LINES = [(f"P-{n:03}", f"Hall {n % 7}", f"Supplier {n * 13}", f"{n * 7}.50") for n in range(80)]
ALL = [HEADER, *LINES]


def word_table() -> bytes:
    lines = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in line) for line in ALL)
    return docx(f"<w:tbl>{''.join(f'<w:tr>{line}</w:tr>' for line in lines)}</w:tbl>")


def slide_table() -> bytes:
    lines = (
        "".join(
            f"<a:tc><a:txBody><a:p><a:r><a:t>{c}</a:t></a:r></a:p></a:txBody></a:tc>" for c in line
        )
        for line in ALL
    )
    table = f"<a:tbl>{''.join(f'<a:tr>{line}</a:tr>' for line in lines)}</a:tbl>"
    return pptx(
        [
            f"<p:graphicFrame><a:graphic><a:graphicData>{table}</a:graphicData></a:graphic></p:graphicFrame>"
        ]
    )


def open_table(kind: str) -> bytes:
    lines = (
        "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in line)
        for line in ALL
    )
    inside = "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
    return odf(kind, f'<table:table table:name="Parts">{inside}</table:table>')


def rich_table() -> bytes:
    lines = (
        "\\trowd\\pard\\intbl " + "".join(f"{cell}\\cell " for cell in line) + "\\row "
        for line in ALL
    )
    return ("{\\rtf1 " + "".join(lines) + "\\pard\\par}").encode()


FILES = {
    "a.csv": "\n".join(";".join(line) for line in ALL).encode(),
    "a.docx": word_table(),
    "a.xlsx": xlsx({"Parts": rows(*ALL)}),
    "a.xls": xls({(r, c): cell for r, line in enumerate(ALL) for c, cell in enumerate(line)}),
    "a.pptx": slide_table(),
    "a.odt": open_table("text"),
    "a.ods": open_table("spreadsheet"),
    "a.rtf": rich_table(),
}


def prepared(content: bytes, name: str) -> PreparedDocument:
    return Preparation(spaces()).prepare(parse_bytes(content, name))


@pytest.mark.parametrize("name", sorted(FILES))
def test_row_60_stands_under_its_header(name: str) -> None:
    document = prepared(FILES[name], name)

    row = " | ".join(LINES[59])
    (segment,) = [segment for segment in document.segments if row in segment.text]
    assert " | ".join(HEADER) in segment.text
    assert row in document.text[segment.start : segment.end]


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_segment_of_a_table_has_the_header(name: str) -> None:
    document = prepared(FILES[name], name)

    tables = [segment.text for segment in document.segments if "P-0" in segment.text]
    assert len(tables) > 5
    assert all(" | ".join(HEADER) in text for text in tables)


def test_far_down_in_a_long_table_the_header_is_still_there() -> None:
    lines = [f"{n},name {n},{n * 7}" for n in range(3000)]
    document = prepared("\n".join(["Number,Name,Amount", *lines]).encode(), "a.csv")

    (segment,) = [segment for segment in document.segments if "2900 | name 2900" in segment.text]
    assert "Number | Name | Amount" in segment.text
