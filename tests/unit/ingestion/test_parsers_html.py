from __future__ import annotations

import pytest

from desktop_rag.foundation.errors import KnownError
from tests.helpers.parsed import headings, parsed, pieces, texts

PAGE = """<!doctype html>
<html lang=en><head><title>Pumps &amp; valves</title><meta name=author content="Jo Smith">
<style>p { color: red }</style><script>var hidden = "no";</script></head>
<body><nav><a href=/>Home</a> <a href=/x>Shop</a></nav>
<h1>Pumps</h1><div>A loose <b>bo</b>ld line<p>First<br>second</div>tail
<h2>Lists</h2><ul><li>one<li>two <ul><li>deep</ul></ul>
<pre>  x = 1
    y</pre><p hidden>no</p><p style="display: none">no</p><noscript>no</noscript>
<table><caption>Prices</caption><thead><tr><th>Pump<th colspan=2>Price</thead>
<tr><td rowspan=2>P-100<td>10<td>12<tr><td>20<td>22</table>
<table><tr><td><h3>Layout</h3><p>in a frame</table></body></html>"""


def test_a_page_is_read_in_order_without_what_is_not_shown() -> None:
    assert pieces(parsed(PAGE, "a.html")) == [
        ("heading", "Pumps"),
        ("paragraph", "A loose bold line"),
        ("paragraph", "First\nsecond"),
        ("paragraph", "tail"),
        ("heading", "Lists"),
        ("list_item", "one"),
        ("list_item", "two"),
        ("list_item", "deep"),
        ("code", "  x = 1\n    y"),
        ("caption", "Prices"),
        ("table", "Pump | Price | Price\nP-100 | 10 | 12\nP-100 | 20 | 22"),
        ("heading", "Layout"),
        ("paragraph", "in a frame"),
    ]


def test_title_author_and_header_row() -> None:
    document = parsed(PAGE, "a.html")
    table = next(block for block in document.blocks if block.header)

    assert document.title == "Pumps & valves"
    assert document.document.metadata["author"] == "Jo Smith"
    assert table.header is not None
    assert document.document.text[slice(*table.header)] == "Pump | Price | Price"
    assert [level for level, _ in headings(document)] == [1, 2, 3]


@pytest.mark.parametrize(
    "content",
    [
        "<p>合同付款期限为三十天。".encode("gbk"),
        b"<meta charset=gb2312><p>" + "合同付款期限为三十天。".encode("gbk"),
        b"<meta charset=iso-8859-1><p>" + "合同付款期限为三十天。".encode(),
        b"\xff\xfe" + "<p>合同付款期限为三十天。".encode("utf-16-le"),
        b'<?xml version="1.0" encoding="big5"?><html><p>' + "合同付款期限".encode("big5") + b"</p>",
        b'<meta http-equiv=Content-Type content="text/html; charset=no-such"><p>'
        + "合同付款期限为三十天。".encode(),
    ],
)
def test_the_encoding_is_found_also_where_the_page_is_wrong_about_it(content: bytes) -> None:
    assert parsed(content, "a.htm").document.text.startswith("合同付款期限")


def test_a_page_is_one_by_content() -> None:
    assert parsed("<!-- x -->\n<!DOCTYPE html><p>Hello", "a.txt").kind == "html"
    assert parsed("<html><p>Hello", "saved").kind == "html"
    assert parsed("a <html> in words", "a.txt").kind == "text"


def test_elements_that_close_themselves_in_xhtml_swallow_nothing() -> None:
    page = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
        '<script src="x"/></head><body><p>Hello <br/>you</p></body></html>'
    )

    assert texts(parsed(page, "a.xhtml"), "paragraph") == ["Hello\nyou"]


def test_a_saved_page_tells_its_address() -> None:
    page = "<!-- saved from url=(0025)https://example.org/page --><p>Words"
    archive = (
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/a\r\n"
        "Subject: The page\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/html; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        "<p>caf=C3=A9 wor=\r\nds</p>\r\n"
        "--b\r\nContent-Type: image/png\r\n\r\nxx\r\n--b--\r\n"
    )

    assert parsed(page, "a.html").document.metadata["address"] == "https://example.org/page"
    for name in ("a.mhtml", "a.mht", "a.eml", "page"):
        document = parsed(archive, name)
        assert (document.kind, document.title) == ("mhtml", "The page")
        assert document.document.text == "café words"
        assert document.document.metadata["address"] == "https://example.org/a"


def test_deep_and_long_pages_are_read_to_their_end() -> None:
    assert parsed("<div>" * 5000 + "deep", "a.html").document.text == "deep"
    rows = "".join(f"<tr><td>row {n}<td colspan=9999>x" for n in range(2000))
    assert "row 1999" in parsed(f"<table>{rows}</table>", "a.html").document.text


def test_pages_without_words_say_so() -> None:
    for page in ("<script>x()</script>", " ", "<html><img src=x></html>"):
        with pytest.raises(KnownError) as caught:
            parsed(page, "a.html")
        assert caught.value.title == "No text"


def test_xml_gives_the_text_of_its_elements() -> None:
    xml = (
        "<?xml version='1.0'?><doc><title>Manual</title><p>one <b>two</b> three</p>"
        "<record><name>Jo</name><age>3</age></record><pre>a\n b</pre></doc>"
    )
    document = parsed(xml, "a.xml")

    assert document.title == "Manual"
    assert pieces(document) == [
        ("heading", "Manual"),
        ("paragraph", "one two three"),
        ("paragraph", "name: Jo\nage: 3"),
        ("code", "a\n b"),
    ]


def test_xml_that_reaches_for_other_files_is_refused() -> None:
    xml = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'

    with pytest.raises(KnownError) as caught:
        parsed(xml, "a.xml")
    assert caught.value.title == "Not safe to read"
    with pytest.raises(KnownError) as caught:
        parsed("<?xml version='1.0'?><a><b>", "a.xml")
    assert caught.value.title == "Damaged"


def test_a_text_that_begins_like_xml_is_text() -> None:
    for text in ("<?xml version='1.0'?>\nis how it begins.", "<?xml version='1.0'?><a/><a/>"):
        document = parsed(text, "notes.txt")
        assert (document.kind, document.document.text) == ("text", text)
