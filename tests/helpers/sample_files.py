"""One small, whole file of each format, all of which say the same."""

from __future__ import annotations

import json

from tests.helpers.books import kindle
from tests.helpers.compound_file import Tree, compound_file
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

SAMPLES: dict[str, tuple[str, bytes]] = {
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
"""File name and content by the kind that the parser tells."""
