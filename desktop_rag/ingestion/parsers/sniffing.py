"""Telling text formats, books, mails and archives by content, and by suffix where it cannot."""

from __future__ import annotations

import re

_SUFFIXES: dict[str, str] = {
    suffix: kind
    for kind, suffixes in (
        ("html", ".html .htm .xhtml .xht .shtml"),
        ("mhtml", ".mht .mhtml"),
        ("xml", ".xml .xsl .xslt .xsd .wsdl .rss .atom .kml .gpx .dita .opml .xlf .tei"),
        ("eml", ".eml .emlx"),
        ("mbox", ".mbox .mbx"),
        ("msg", ".msg"),
        ("epub", ".epub"),
        ("fb2", ".fb2"),
        ("mobi", ".mobi .azw .azw3"),
        ("zip", ".zip"),
        ("rst", ".rst .rest"),
        ("org", ".org"),
        ("adoc", ".adoc .asciidoc"),
        ("tex", ".tex .ltx .sty .cls .bib"),
        ("json", ".json .jsonl .ndjson .geojson .webmanifest"),
        ("ipynb", ".ipynb"),
        ("yaml", ".yaml .yml"),
        ("toml", ".toml .ini .cfg .conf .properties .env .editorconfig"),
        ("subtitles", ".srt .vtt"),
        ("link", ".url .webloc"),
        (
            "code",
            ".py .pyi .js .mjs .cjs .ts .jsx .tsx .c .h .cc .cpp .cxx .hpp .hh .java .go .rs .rb "
            ".php .cs .swift .kt .kts .scala .sh .bash .zsh .fish .ps1 .psm1 .bat .cmd .pl .pm "
            ".lua .r .m .mm .f .f90 .f95 .css .scss .less .vue .svelte .asm .s .sql .jl .hs .ml "
            ".clj .ex .exs .erl .dart .groovy .gradle .vb .vbs .pas .d .nim .zig .v .vhd .tcl "
            ".el .lisp .scm .proto .graphql .cmake .mk .tf .awk .diff .patch",
        ),
    )
    for suffix in suffixes.split()
}

_UNNAMED = frozenset({"", ".txt", ".text", ".log"})
"""Suffixes that say no more than that there is text."""

_PAGE = re.compile(
    r"\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_XML = re.compile(r"\s*<\?xml\s")
_XHTML = re.compile(r"<(?:!doctype\s+)?html\b", re.I)
_MBOX = re.compile(r"From \S+.{0,80}?\d{4}[^\n]{0,20}\r?\n[\w-]+:")
_HEADER = re.compile(r"([A-Za-z][\w-]*):[ \t]?.*(?:\r?\n[ \t].*)*\r?\n")
_OF_MAIL = frozenset({"received", "return-path", "message-id", "mime-version", "delivered-to"})
_OF_LETTERS = frozenset({"from", "to", "subject", "date"})
_SAVED_PAGE = re.compile(r"multipart/related", re.I)
_SAVED_BY = re.compile(r"^(?:From: <?Saved by|Snapshot-Content-Location:)", re.I | re.M)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MESSAGE_STREAM = "__substg1.0_".encode("utf-16-le")
_OFFICE_PARTS = (b"[Content_Types].xml", b"word/", b"xl/", b"ppt/", b"vnd.oasis.opendocument")


def binary_format(head: bytes, suffix: str) -> str | None:
    """Return which book, mail or archive begins with ``head``, None for what is none."""
    if head.startswith(b"PK\x03\x04"):
        if b"application/epub+zip" in head[:200] or suffix == ".epub":
            return "epub"
        is_office = any(part in head for part in _OFFICE_PARTS)
        return "zip" if suffix in (".zip", *_UNNAMED) and not is_office else None
    if head.startswith(_OLE):
        return "msg" if suffix == ".msg" or _MESSAGE_STREAM in head else None
    if head[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        return "mobi"
    return "link" if head.startswith(b"bplist00") and suffix == ".webloc" else None


def text_format(head: bytes, suffix: str) -> str | None:
    """Return which format a text has by what it begins with or else by its suffix."""
    named = _SUFFIXES.get(suffix)
    if suffix not in _UNNAMED and named not in ("xml", "html", "eml", "mhtml", None):
        return named
    text = _decoded(head)
    if _is_mail(text, named):
        saved = _SAVED_PAGE.search(text) and (_SAVED_BY.search(text) or named == "mhtml")
        return "mhtml" if saved else "eml"
    if named is None and suffix not in _UNNAMED:
        return None
    if _PAGE.match(text):
        return "html"
    if _XML.match(text):
        return _xml_format(text, named)
    if named is None and _MBOX.match(text):
        return "mbox"
    return named


def _xml_format(text: str, named: str | None) -> str:
    if "<FictionBook" in text:
        return "fb2"
    return "html" if named == "html" or _XHTML.search(text, 0, 1024) else "xml"


def _is_mail(text: str, named: str | None) -> bool:
    """Whether a text begins with the header of a mail; letters may begin like one too."""
    if named in ("xml", "html"):
        return False
    names: set[str] = set()
    place = 0
    while match := _HEADER.match(text, place):
        names.add(match[1].lower())
        place = match.end()
    if named is not None:
        return bool(names & (_OF_MAIL | _OF_LETTERS))
    return bool(names & _OF_MAIL) and bool(names & _OF_LETTERS)


def _decoded(head: bytes) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head.decode("utf-16", "replace")
    return head.decode("utf-8-sig", "replace")
