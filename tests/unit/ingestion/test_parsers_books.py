from __future__ import annotations

import struct

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.limits import ParseLimits, limited
from tests.helpers.books import huffman_codes, kindle
from tests.helpers.parsed import headings, parsed, pieces, reasons, zipped

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Book</dc:title>
<dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator><dc:date>1999</dc:date></metadata><manifest>
<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/>
<item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
</manifest><spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/>
<itemref idref="gone"/></spine></package>"""
ONE = (
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
    "<body><h1>Chapter 1</h1><p>First words.</p></body></html>"
)
TWO = "<html><head><title>Chapter 2</title></head><body><p>Second words.</p></body></html>"


def book(**more: str) -> bytes:
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": PACKAGE,
        "OEBPS/two.xhtml": TWO,
        "OEBPS/text/one a.xhtml": ONE,
        "OEBPS/nav.xhtml": "<p>Contents</p>",
    }
    return zipped(files | more, stored="mimetype")


@pytest.mark.parametrize("name", ["a.epub", "a.zip", "book"])
def test_chapters_come_in_the_order_of_the_spine(name: str) -> None:
    document = parsed(book(), name)

    assert (document.kind, document.title) == ("epub", "The Book")
    assert dict(document.document.metadata) == {"author": "Ann, Bo", "date": "1999"}
    assert pieces(document) == [
        ("heading", "Chapter 1"),
        ("paragraph", "First words."),
        ("heading", "Chapter 2"),
        ("paragraph", "Second words."),
    ]
    assert reasons(document) == ["“OEBPS/gone.xhtml”: damaged"]


def test_books_that_cannot_be_read_say_why() -> None:
    with pytest.raises(KnownError) as caught:
        parsed(book(**{"META-INF/rights.xml": "<x/>"}), "a.epub")
    assert caught.value.title == "Needs a password"
    for broken in (zipped({"mimetype": "application/epub+zip"}), book(**{"OEBPS/book.opf": "<"})):
        with pytest.raises(KnownError) as caught:
            parsed(broken, "a.epub")
        assert caught.value.title == "Damaged"


def test_a_fiction_book_has_its_sections() -> None:
    text = """<?xml version="1.0" encoding="utf-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>
<author><first-name>Лев</first-name><last-name>Толстой</last-name></author>
<book-title>Война и мир</book-title></title-info></description><body>
<section><title><p>Часть</p><p>первая</p></title><section><title><p>I</p></title>
<p>Eh bien, <emphasis>mon</emphasis> prince.</p></section></section></body>
<body name="notes"><section><p>A note.</p></section></body></FictionBook>"""
    for name in ("a.fb2", "a.xml", "book"):
        document = parsed(text, name)
        assert (document.kind, document.title) == ("fb2", "Война и мир")
        assert document.document.metadata["author"] == "Лев Толстой"
        assert headings(document) == [(1, "Часть. первая"), (2, "I")]
        assert ("paragraph", "Eh bien, mon prince.") in pieces(document)
        assert ("note", "A note.") in pieces(document)


def test_kindle_books() -> None:
    stored = kindle([b"<h1>One</h1><p>caf" + b"\x00", "é</p>".encode() + b"\x00"], 1, 1)
    # "abc", a copy of it, a space and a letter, two bytes as they are
    packed = kindle([b"<p>abc" + struct.pack(">H", 0x8000 | 3 << 3 | 0) + b"\xf8\x02\xc3\xa9"], 2)
    trailed = kindle([b"<p>words" + b"xx\x83"], 1, 2)

    document = parsed(stored, "a.mobi")
    assert (document.kind, document.title) == ("mobi", "The Book")
    assert document.document.metadata["author"] == "Änne"
    assert pieces(document) == [("heading", "One"), ("paragraph", "café")]
    assert parsed(packed, "a.azw").document.text == "abcabc xé"
    assert parsed(trailed, "book").document.text == "words"


def test_kindle_books_packed_by_phrases() -> None:
    phrases = [b"<p>", b"The tenant ", b"pays rent", b"</p>", b"\xfe\xfd"]
    codes = huffman_codes(phrases, packed=[4])
    long = b"".join(struct.pack(">H", 0x7FFF - number) for number in (0, 1, 2, 3))
    short = bytes(255 - number for number in (0, 4, 3))

    document = parsed(kindle([long, short], 17480, codes=codes), "a.mobi")

    assert pieces(document) == [("paragraph", "The tenant pays rent")] * 2


def test_phrases_that_do_harm_have_a_reason() -> None:
    holds_itself = huffman_codes([b"\xff"], packed=[0])
    bomb = [b"word " * 200, *(bytes([255 - n]) * 200 for n in range(6))]
    for codes, text, title in (
        (holds_itself, b"\xff", "Damaged"),
        (huffman_codes(bomb, packed=range(1, 7)), bytes([255 - 6]), "Unpacks to too much"),
        (huffman_codes([b"x"]), b"\x80", "Damaged"),
        ([b"HUFF"], b"\xff", "Damaged"),
    ):
        with limited(ParseLimits(unpacked=1 << 20)), pytest.raises(KnownError) as caught:
            parsed(kindle([text], 17480, codes=codes), "a.mobi")
        assert caught.value.title == title


def test_kindle_books_that_cannot_be_read_say_why() -> None:
    for content, title in (
        (kindle([b"x"], 1, locked=2), "Needs a password"),
        (kindle([b"x"], 17480), "Damaged"),
        (kindle([b"x"], 9), "Not read yet"),
        (kindle([b"x"], 1)[:90], "Damaged"),
        (kindle([b" "], 1), "No text"),
    ):
        with pytest.raises(KnownError) as caught:
            parsed(content, "a.mobi")
        assert caught.value.title == title


@pytest.mark.parametrize("name", ["a.epub", "a.mobi", "a.msg", "a.zip", "a.azw3"])
def test_what_is_named_like_a_book_and_is_none_is_damaged(name: str) -> None:
    for content in (b"words", bytes(range(256)) * 20):
        with pytest.raises(KnownError) as caught:
            parsed(content, name)
        assert caught.value.title == "Damaged"
