"""What every parser promises, whatever its format is."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import registry
from desktop_rag.ingestion.parsers.formats import HEAD_BYTES, format_of
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.books import kindle
from tests.helpers.compound_file import Tree, compound_file
from tests.helpers.mutations import MUTATIONS, Mutation
from tests.helpers.office_files import box, docx, odf, paragraph, pptx, rows, xls, xlsx, zipped
from tests.helpers.small_pdf import small_pdf

WORDS = "The tenant pays rent"
_MAIL = (
    "From: Ada <ada@example.org>\r\nTo: Bo <bo@example.org>\r\nSubject: Lease\r\n"
    "Date: Fri, 15 Mar 2024 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n"
    f"MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n{WORDS} monthly.\r\n"
)
_PAGE = f"<html><head><title>Lease</title></head><body><p>{WORDS} monthly.</p></body></html>"
_BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    "book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
    '<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="one"/></spine></package>',
    "one.xhtml": _PAGE,
}
_FICTION = (
    '<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">'
    f"<body><section><p>{WORDS} monthly.</p></section></body></FictionBook>"
)
_NOTEBOOK = {
    "cells": [{"cell_type": "markdown", "metadata": {}, "source": [f"{WORDS} monthly."]}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
_SAVED_PAGE = (
    "From: <Saved by Desktop>\r\nSubject: Lease\r\nMIME-Version: 1.0\r\n"
    'Content-Type: multipart/related; boundary="b"; type="text/html"\r\n\r\n--b\r\n'
    f"Content-Type: text/html\r\n\r\n{_PAGE}\r\n--b--\r\n"
)
_OUTLOOK: Tree = {
    "__properties_version1.0": bytes(32),
    "__substg1.0_0037001F": "Lease".encode("utf-16-le"),
    "__substg1.0_1000001F": f"{WORDS} monthly.".encode("utf-16-le"),
}
_ODF_TEXT = f"<text:p>{WORDS} monthly.</text:p><text:p>Notice is one month.</text:p>"
_ODF_TABLE = (
    '<table:table table:name="Data">'
    + f"<table:table-row><table:table-cell><text:p>{WORDS}</text:p></table:table-cell>"
    "<table:table-cell><text:p>B</text:p></table:table-cell></table:table-row>"
    * 3
    + "</table:table>"
)
_ODF_SLIDE = (
    f"<draw:page><draw:frame><draw:text-box>{_ODF_TEXT}</draw:text-box></draw:frame></draw:page>"
)

INPUTS: dict[str, tuple[str, bytes]] = {
    "text": ("a.txt", f"{WORDS} monthly.\n\nNotice\x00 is one month.".encode()),
    "markdown": (
        "a.md",
        f"# Lease\n\n{WORDS} monthly.\n\n| A | B |\n|---|---|\n| 1 | 2 |".encode(),
    ),
    "pdf": ("a.pdf", small_pdf([[WORDS]])),
    "csv": ("a.csv", f"Clause,Note\n{WORDS},monthly\nNotice,one month\n".encode()),
    "docx": ("a.docx", docx(paragraph(f"{WORDS} monthly.") + paragraph("Notice\u200b is given."))),
    "xlsx": ("a.xlsx", xlsx({"Data": rows(("Clause", "Days"), (WORDS, 30), ("Notice", 31))})),
    "xls": ("a.xls", xls({(0, 0): "Clause", (0, 1): "Days", (1, 0): WORDS, (1, 1): (30, "0")})),
    "pptx": ("a.pptx", pptx([box(f"{WORDS} monthly."), box("Notice")])),
    "odt": ("a.odt", odf("text", _ODF_TEXT)),
    "ods": ("a.ods", odf("spreadsheet", _ODF_TABLE)),
    "odp": ("a.odp", odf("presentation", _ODF_SLIDE)),
    "html": ("a.html", _PAGE.encode()),
    "eml": ("a.eml", _MAIL.encode()),
    "mbox": ("a.mbox", f"From ada@example.org Fri Mar 15 10:00:00 2024\n{_MAIL}\n".encode()),
    "xml": ("a.xml", f"<?xml version='1.0'?><lease><rent>{WORDS}</rent></lease>".encode()),
    "json": ("a.json", f'{{"rent": "{WORDS} monthly", "days": 30}}'.encode()),
    "yaml": ("a.yaml", f"rent: {WORDS}\ndays: 30\n".encode()),
    "toml": ("a.toml", f'rent = "{WORDS}"\ndays = 30\n'.encode()),
    "rst": ("a.rst", f"Lease\n=====\n\n{WORDS} monthly.\n".encode()),
    "org": ("a.org", f"* Lease\n\n{WORDS} monthly.\n".encode()),
    "adoc": ("a.adoc", f"= Lease\n\n{WORDS} monthly.\n".encode()),
    "tex": ("a.tex", f"\\section{{Lease}}\n\n{WORDS} monthly, by the third day of it.\n".encode()),
    "code": ("a.py", f'"""{WORDS} monthly."""\n\nx = 1\n'.encode()),
    "subtitles": ("a.srt", f"1\n00:00:01,000 --> 00:00:02,000\n{WORDS}.\n".encode()),
    "zip": ("a.zip", zipped({"one.txt": f"{WORDS} monthly."})),
    "epub": ("a.epub", zipped(_BOOK)),
    "fb2": ("a.fb2", _FICTION.encode()),
    "ipynb": ("a.ipynb", json.dumps(_NOTEBOOK).encode()),
    "mhtml": ("a.mht", _SAVED_PAGE.encode()),
    "msg": ("a.msg", compound_file(_OUTLOOK)),
    "link": ("a.url", f"[InternetShortcut]\r\nURL=https://example.org/{WORDS}\r\n".encode()),
    "mobi": ("a.mobi", kindle([f"<h1>Lease</h1><p>{WORDS} monthly.".encode()], 1)),
    "rtf": ("a.rtf", f"{{\\rtf1 {WORDS} monthly.\\par \\u1 Notice is one month.}}".encode()),
}

_TOLD_BY_NAME = frozenset(
    {
        *("text", "markdown", "csv", "json", "ipynb", "yaml", "toml", "rst", "org", "adoc"),
        *("tex", "code", "subtitles", "link"),
    }
)
"""Formats whose content is text like any other."""

_WORD = re.compile(r"\w+")

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


def test_every_format_takes_part() -> None:
    made = {format_of(content[:HEAD_BYTES], name) for name, content in INPUTS.values()}

    assert made >= set(registry._PARSERS)


@pytest.fixture(params=sorted(INPUTS))
def parsed(request: pytest.FixtureRequest) -> ParsedDocument:
    name, content = INPUTS[request.param]
    return parse_bytes(content, name)


def test_the_words_are_there(parsed: ParsedDocument) -> None:
    assert WORDS in parsed.document.text


def test_blocks_are_ranges_in_order_that_never_overlap(parsed: ParsedDocument) -> None:
    assert parsed.blocks
    for block in parsed.blocks:
        assert 0 <= block.start < block.end <= len(parsed.document.text)
    for one, other in pairwise(parsed.blocks):
        assert one.end <= other.start


def test_blocks_begin_and_end_with_words(parsed: ParsedDocument) -> None:
    for block in parsed.blocks:
        words = parsed.document.text[block.start : block.end]
        assert words.strip()
        if block.kind not in (BlockKind.CODE, BlockKind.TABLE):
            assert words == words.strip()


def test_blocks_hold_all_of_the_text(parsed: ParsedDocument) -> None:
    text = parsed.document.text
    held = sum(len(_WORD.findall(text[block.start : block.end])) for block in parsed.blocks)

    assert held >= 0.8 * len(_WORD.findall(text))


def test_headings_alone_have_a_level(parsed: ParsedDocument) -> None:
    for block in parsed.blocks:
        assert (block.level > 0) == (block.kind is BlockKind.HEADING)


def test_headers_are_ranges_of_tables(parsed: ParsedDocument) -> None:
    for block in parsed.blocks:
        if block.header is not None:
            assert block.kind is BlockKind.TABLE
            start, end = block.header
            assert 0 <= start < end <= block.end


def test_pages_are_counted_from_one_and_never_go_back(parsed: ParsedDocument) -> None:
    pages = [block.page for block in parsed.blocks if block.page is not None]

    assert pages == sorted(pages)
    if parsed.pages is None:
        assert not pages
    else:
        assert all(1 <= page <= parsed.pages for page in pages)


def test_there_are_no_control_characters(parsed: ParsedDocument) -> None:
    assert not _CONTROL.search(parsed.document.text)
    assert parsed.document.text.encode("utf-8")


def test_the_kind_is_told_and_everything_was_read(
    request: pytest.FixtureRequest, parsed: ParsedDocument
) -> None:
    assert parsed.kind == request.node.callspec.params["parsed"]
    assert parsed.coverage.complete
    assert parsed.coverage.read >= 1


def test_metadata_and_title_are_single_lines(parsed: ParsedDocument) -> None:
    for value in (parsed.title, *parsed.document.metadata.values()):
        assert "\n" not in str(value)


@pytest.mark.parametrize("kind", sorted(INPUTS))
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_cut_off_file_is_read_or_has_a_reason(kind: str, share: float) -> None:
    name, content = INPUTS[kind]

    try:
        left = parse_bytes(content[: int(len(content) * share)], name)
    except KnownError as error:
        reason = error.title
    else:
        reason = left.document.text.strip()
    assert reason


@pytest.mark.parametrize("kind", sorted(INPUTS))
def test_the_same_file_gives_the_same(kind: str) -> None:
    name, content = INPUTS[kind]

    assert parse_bytes(content, name) == parse_bytes(content, name)


@pytest.mark.parametrize("kind", sorted(set(INPUTS) - _TOLD_BY_NAME))
def test_a_wrong_name_deceives_nobody(kind: str) -> None:
    _, content = INPUTS[kind]

    assert parse_bytes(content, "notes.txt").kind == kind


@pytest.mark.parametrize("kind", sorted(INPUTS))
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_broken_file_is_read_or_has_a_reason(kind: str, mutation: Mutation) -> None:
    name, content = INPUTS[kind]
    chance = random.Random(f"{kind} {mutation.__name__}")

    for _ in range(4):
        try:
            outcome = parse_bytes(mutation(content, chance), name).document.text.strip()
        except KnownError as error:
            outcome = error.title
        assert outcome


def test_a_swapped_name_is_read_or_has_a_reason() -> None:
    for name, _ in INPUTS.values():
        for _, content in INPUTS.values():
            try:
                outcome = parse_bytes(content, name).document.text.strip()
            except KnownError as error:
                outcome = error.title
            assert outcome
