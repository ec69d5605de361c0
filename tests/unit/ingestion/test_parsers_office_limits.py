from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.archive import Archive, ArchiveLimits, BrokenPart
from desktop_rag.ingestion.parsers.docx import CUT_OFF
from desktop_rag.ingestion.parsers.limits import TEXT_TOO_LONG, ParseLimits, limited
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.compound_file import compound_file
from tests.helpers.office_files import WORD, docx, odf, paragraph, rows, xlsx, zipped

MB = 1 << 20


def problem(content: bytes, name: str) -> KnownError:
    with pytest.raises(KnownError) as caught:
        parse_bytes(content, name)
    return caught.value


def bomb(size: int) -> bytes:
    """Return a Word document with one paragraph that unpacks to ``size`` bytes."""
    file = io.BytesIO()
    blank = b" " * MB
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("word/document.xml", "w", force_zip64=True) as part:
            part.write(f"<w:document {WORD}><w:body>".encode())
            for _ in range(size // MB):
                part.write(blank)
            part.write(b"</w:body></w:document>")
    return file.getvalue()


def with_size(content: bytes, part: bytes, size: int) -> bytes:
    """Return a zip file that declares another unpacked size of a part."""
    changed = bytearray(content)
    place = content.rfind(b"PK\x01\x02", 0, content.rfind(part))
    struct.pack_into("<I", changed, place + 24, size)
    return bytes(changed)


def test_a_bomb_is_refused_by_what_comes_out_of_it() -> None:
    content = bomb(64 * MB)
    limits = ArchiveLimits(total=16 * MB)

    with (
        Archive(content, "a.docx", limits) as archive,
        archive.open("word/document.xml") as part,
        pytest.raises(KnownError) as caught,
    ):
        part.read()

    assert caught.value.title == "Unpacks to too much"
    assert len(content) < MB


def test_a_bomb_that_declares_itself_is_not_opened() -> None:
    assert problem(bomb(256 * MB), "a.docx").title == "Unpacks to too much"


def test_a_bomb_that_lies_is_stopped() -> None:
    false = with_size(bomb(40 * MB), b"word/document.xml", 1000)

    assert problem(false, "a.docx").title == "Damaged"


def test_a_document_without_end_is_read_as_far_as_it_may_be() -> None:
    words = docx("".join(paragraph(f"Sentence number {n}.") for n in range(1000)))
    text = odf("text", "".join(f"<text:p>Sentence number {n}.</text:p>" for n in range(1000)))

    for content, name in ((words, "a.docx"), (text, "a.odt")):
        with limited(ParseLimits(text=5000)):
            parsed = parse_bytes(content, name)
        assert 4900 < len(parsed.document.text) <= 5000
        assert [unit.reason for unit in parsed.coverage.unreadable] == [TEXT_TOO_LONG]


def test_a_part_that_is_read_whole_has_a_limit_of_its_own() -> None:
    content = zipped({"a": "x" * 1000})

    with (
        Archive(content, "a.zip", ArchiveLimits(part=999)) as archive,
        pytest.raises(KnownError) as caught,
    ):
        archive.read("a")

    assert caught.value.title == "Unpacks to too much"


def test_a_size_beyond_all_measure_is_not_opened() -> None:
    false = with_size(docx(paragraph("Words")), b"word/document.xml", 3 << 30)

    assert problem(false, "a.docx").title == "Unpacks to too much"


def test_a_size_that_is_too_large_is_not_believed() -> None:
    false = with_size(docx(paragraph("Words")), b"word/document.xml", 1 << 20)

    assert parse_bytes(false, "a.docx").document.text == "Words"


def test_a_size_that_is_too_small_cuts_the_part_off() -> None:
    false = with_size(docx(paragraph("Words")), b"word/document.xml", 10)

    assert problem(false, "a.docx").title == "Damaged"


def test_too_many_parts_are_refused() -> None:
    content = zipped({f"part{n}": "" for n in range(50)})

    with pytest.raises(KnownError) as caught:
        Archive(content, "a.zip", ArchiveLimits(entries=49))

    assert caught.value.title == "Unpacks to too much"


def test_a_cut_off_archive_is_read_from_the_front() -> None:
    whole = zipped({"first": "one " * 9, "second": os.urandom(3000)})

    with Archive(whole[: len(whole) // 2], "a.zip") as archive:
        assert archive.salvaged
        assert archive.read("first") == b"one " * 9
        with pytest.raises(BrokenPart):
            archive.read("second")


def test_what_is_no_archive_is_damaged() -> None:
    with pytest.raises(KnownError) as caught:
        Archive(b"PK\x03\x04 nothing else", "a.zip")

    assert caught.value.title == "Damaged"


def test_a_flipped_bit_costs_the_rest_of_a_document_alone() -> None:
    body = "".join(paragraph(f"Sentence number {n} is here.") for n in range(5000))
    content = bytearray(docx(body))
    start = content.rfind(b"PK\x03\x04", 0, content.find(b"word/document.xml"))
    packed = struct.unpack_from("<I", content, start + 18)[0]
    content[start + packed // 2] ^= 0xFF

    parsed = parse_bytes(bytes(content), "a.docx")

    assert "Sentence number 10 is here." in parsed.document.text
    assert [unit.reason for unit in parsed.coverage.unreadable] == [CUT_OFF]


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.pptx", "a", "a.doc"])
def test_an_encrypted_office_file_needs_a_password(name: str) -> None:
    assert problem(
        compound_file({"EncryptedPackage": b"x", "EncryptionInfo": b"y"}), name
    ).title == ("Needs a password")


@pytest.mark.parametrize(
    "streams",
    [
        {"WordDocument": struct.pack("<HHHHHH", 0xA5EC, 193, 0, 0, 0, 0x0100)},
        {
            "PowerPoint Document": b"x",
            "Current User": struct.pack("<QII", 0, 0x14, 0xF3D1C4DF),
        },
    ],
)
def test_old_files_with_a_password_say_so(streams: dict[str, bytes]) -> None:
    assert problem(compound_file(streams), "a.doc").title == "Needs a password"


def test_an_encrypted_entry_needs_a_password() -> None:
    content = bytearray(docx(paragraph("Words")))
    place = content.rfind(b"PK\x01\x02", 0, content.rfind(b"word/document.xml"))
    content[place + 8] |= 1

    assert problem(bytes(content), "a.docx").title == "Needs a password"


def test_other_files_of_the_old_kind_are_not_called_damaged() -> None:
    assert problem(compound_file({"VisioDocument": b"x"}), "a.vsd").title == "Not read yet"


@pytest.mark.parametrize("name", ["a.doc", "a.xls", "a.ppt"])
def test_broken_old_files_are_damaged(name: str) -> None:
    assert problem(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), name).title == "Damaged"
    assert problem(compound_file({"Workbook": b"no records"}), name).title == "Damaged"


def test_deeply_nested_documents_do_no_harm() -> None:
    deep = "<w:tbl><w:tr><w:tc>" * 60 + paragraph("Deep") + "</w:tc></w:tr></w:tbl>" * 60
    row = "<w:tr><w:tc/><w:tc/></w:tr>"
    content = docx(paragraph("Shallow") + deep.replace("<w:tbl>", f"<w:tbl>{row}"))

    assert "Shallow" in parse_bytes(content, "a.docx").document.text


def test_a_sheet_of_repeated_rows_ends() -> None:
    row = '<table:table-row table:number-rows-repeated="99999999"><table:table-cell '
    row += 'table:number-columns-repeated="99999999"><text:p>x</text:p></table:table-cell>'
    content = odf(
        "spreadsheet", f'<table:table table:name="A">{row}</table:table-row></table:table>'
    )

    assert len(parse_bytes(content, "a.ods").document.text) < 17_000_000


def test_a_merged_area_over_everything_is_no_work() -> None:
    merged = "<mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>"

    parsed = parse_bytes(xlsx({"A": rows(("a", "b"), ("c", "d")) + merged}), "a.xlsx")

    assert "a | b\nc | d" in parsed.document.text


def test_raw_deflate_without_an_end_is_broken_not_endless() -> None:
    packed = zlib.compress(b"word " * 100)[2:8]
    head = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, 0, 0, 1, 0)

    with Archive(head + b"a" + packed, "a.zip") as archive, pytest.raises(BrokenPart):
        archive.read("a")


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"<html><body><table><tr><td>a</td></tr></table></body></html>", "a.xls", "html"),
        (b"Name\tUnits\r\nAda\t12\r\n", "a.xls", "csv"),
        (b"A letter without any format.", "a.doc", "text"),
        (b"{\\rtf1 A letter.}", "a.doc", "rtf"),
        (docx(paragraph("A letter.")), "a.doc", "docx"),
    ],
)
def test_what_only_has_an_old_office_name_is_read_as_what_it_is(
    content: bytes, name: str, kind: str
) -> None:
    assert parse_bytes(content, name).kind == kind


def test_parts_of_a_package_may_begin_with_anything() -> None:
    picture = {"docProps/thumbnail.jpeg": os.urandom(20_000)}
    whole = zipfile.ZipFile(io.BytesIO(docx(paragraph("A letter."))))
    parts = picture | {name: whole.read(name) for name in whole.namelist()}

    assert parse_bytes(zipped(parts), "a.xlsx").kind == "docx"
