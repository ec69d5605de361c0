"""What files state of themselves: title, author, dates, language."""

from __future__ import annotations

import json

import pytest

from desktop_rag.domain.document import BlockKind
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.drawn_pdf import drawn, lines
from tests.helpers.office_files import docx, paragraph, relations, zipped

_CORE = (
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Lease</dc:title>'
    "<dc:creator>Ada</dc:creator><dc:language>en-GB</dc:language>"
    "<dcterms:created>2024-03-15T10:00:00Z</dcterms:created>"
    "<dcterms:modified>2024-04-01T08:00:00Z</dcterms:modified></cp:coreProperties>"
)
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word_file() -> bytes:
    body = "<w:body><w:p><w:r><w:t>Words.</w:t></w:r></w:p></w:body>"
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "docProps/core.xml": _CORE,
            "word/document.xml": f'<w:document xmlns:w="{_WORD}">{body}</w:document>',
        }
    )


STATED = {
    "a.md": b"---\ntitle: Lease\nauthor: Ada\ndate: 2024-03-15\nlang: en-GB\n---\n\nWords.\n",
    "a.html": b'<html lang="en-GB"><head><title>Lease</title><meta name="author" content="Ada">'
    b'<meta name="date" content="2024-03-15"></head><body><p>Words.</body></html>',
    "a.docx": word_file(),
    "a.fb2": b'<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description>'
    b"<title-info><book-title>Lease</book-title><author><first-name>Ada</first-name></author>"
    b"<date>2024-03-15</date><lang>en-GB</lang></title-info></description><body><section>"
    b"<p>Words.</p></section></body></FictionBook>",
}


@pytest.mark.parametrize("name", STATED)
def test_title_author_date_and_language_are_taken(name: str) -> None:
    parsed = parse_bytes(STATED[name], name)

    metadata = parsed.document.metadata
    date = "created" if name == "a.docx" else "date"
    assert parsed.title == "Lease"
    assert metadata["author"] == "Ada"
    assert metadata[date] == "2024-03-15"
    assert metadata["stated_language"] == "en-GB"


def test_the_day_of_the_last_change_is_taken() -> None:
    assert parse_bytes(word_file(), "a.docx").document.metadata["modified"] == "2024-04-01"
    assert "modified" not in parse_bytes(docx(paragraph("Words.")), "a.docx").document.metadata
    pdf = drawn([lambda page: lines(page, ["Words."])])
    assert "modified" not in parse_bytes(pdf, "a.pdf").document.metadata


def test_a_notebook_states_its_title_and_authors() -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["# Head\n", "Words."]}
    stated = {"title": "Lease", "authors": [{"name": "Ada"}, {"name": "Bo"}, "odd"]}
    book = {"cells": [cell], "metadata": stated, "nbformat": 4, "nbformat_minor": 5}

    parsed = parse_bytes(json.dumps(book).encode(), "a.ipynb")
    silent = parse_bytes(json.dumps({**book, "metadata": None}).encode(), "a.ipynb")

    assert (parsed.title, parsed.document.metadata["author"]) == ("Lease", "Ada, Bo")
    assert silent.title == "Head"


def test_the_line_below_the_title_of_asciidoc_is_its_author() -> None:
    parsed = parse_bytes(b"= Lease\nAda Low <ada@example.org>\n\nWords.\n", "a.adoc")

    assert (parsed.title, parsed.document.metadata["author"]) == ("Lease", "Ada Low")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.adoc", "== Head\n\n.The rent\n|===\n|A |B\n\n|1 |2\n|===\n"),
        ("a.org", "* Head\n\n#+CAPTION: The rent\n| A | B |\n|---+---|\n| 1 | 2 |\n"),
        ("a.html", "<h1>Head</h1><table><caption>The rent</caption><tr><th>A<th>B<tr><td>1<td>2"),
    ],
)
def test_captions_stand_by_themselves(name: str, text: str) -> None:
    parsed = parse_bytes(text.encode(), name)

    kinds = [block.kind for block in parsed.blocks]
    assert kinds == [BlockKind.HEADING, BlockKind.CAPTION, BlockKind.TABLE]
    caption = parsed.blocks[1]
    assert parsed.document.text[caption.start : caption.end] == "The rent"
