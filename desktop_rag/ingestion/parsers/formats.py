"""Which format a file has: by its content first, by its name where content cannot tell."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePath

from desktop_rag.ingestion.parsers.office_sniffing import (
    CSV_SUFFIXES,
    TEXT_BY_OLD_NAME,
    office_format,
)
from desktop_rag.ingestion.parsers.picture_kinds import picture_kind
from desktop_rag.ingestion.parsers.sniffing import binary_format, text_format

HEAD_BYTES = 8192
"""How much of a file's beginning tells its format."""

_PDF_WITHIN = 1024
"""Readers of PDF accept its mark anywhere in the first 1024 bytes (ISO 32000, annex H)."""


class Format(StrEnum):
    """The formats that have a parser, and all the others."""

    PDF = "pdf"
    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    MHTML = "mhtml"
    XML = "xml"
    EML = "eml"
    MSG = "msg"
    MBOX = "mbox"
    EPUB = "epub"
    FB2 = "fb2"
    MOBI = "mobi"
    RST = "rst"
    ORG = "org"
    ASCIIDOC = "adoc"
    LATEX = "tex"
    JSON = "json"
    NOTEBOOK = "ipynb"
    YAML = "yaml"
    TOML = "toml"
    SUBTITLES = "subtitles"
    LINK = "link"
    CODE = "code"
    ZIP = "zip"
    OFFICE = "office"
    OLD_OFFICE = "old_office"
    ODT = "odt"
    ODS = "ods"
    ODP = "odp"
    RTF = "rtf"
    CSV = "csv"
    IMAGE = "image"
    OTHER = "other"


CONTAINERS = frozenset({Format.EML, Format.MSG, Format.MBOX, Format.ZIP})
"""Those in which other files may lie."""

TEXT_SUFFIXES = frozenset({"", ".txt", ".text", ".log"})
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"8BPS", "a picture"),
    (b"\x1f\x8b\x08", "a compressed archive"),
    (b"BZh", "a compressed archive"),
    (b"7z\xbc\xaf\x27\x1c", "a compressed archive"),
    (b"\xfd7zXZ\0", "a compressed archive"),
    (b"Rar!\x1a\x07", "a compressed archive"),
    (b"\x28\xb5\x2f\xfd", "a compressed archive"),
    (b"SQLite format 3\0", "a database"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"ID3", "a sound recording"),
    (b"fLaC", "a sound recording"),
    (b"OggS", "a sound recording"),
    (b"\x1aE\xdf\xa3", "a film"),
    (b"%!PS", "a PostScript document"),
    (b"wOFF", "a font"),
    (b"AT&TFORM", "a DjVu document"),
)

_ZIP_PARTS: tuple[tuple[bytes, str], ...] = (
    (b"word/", "a Word document"),
    (b"xl/", "an Excel workbook"),
    (b"ppt/", "a PowerPoint presentation"),
    (b"application/vnd.oasis.opendocument.text", "an OpenDocument text"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet"),
    (b"application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation"),
)

_BY_SUFFIX: dict[str, str] = {
    suffix: what
    for what, suffixes in (
        ("a Word document", ".doc .docx .docm .dot .dotx"),
        ("an Excel workbook", ".xls .xlsx .xlsm .xlsb"),
        ("a PowerPoint presentation", ".ppt .pptx .pptm .pps .ppsx"),
        ("an OpenDocument text", ".odt .fodt"),
        ("an OpenDocument spreadsheet", ".ods .fods"),
        ("an OpenDocument presentation", ".odp .fodp"),
        ("a rich text document", ".rtf"),
        ("a table as text", ".csv .tsv .tab"),
        ("a subtitle file", ".ass .sub"),
        ("a calendar or address file", ".ics .vcf"),
        ("a marked-up text", ".textile .wiki"),
        ("a PostScript document", ".ps .eps"),
        ("a picture", ".png .jpg .jpeg .gif .tif .tiff .bmp .webp .heic .svg .ico .psd .raw"),
        ("a sound recording", ".mp3 .wav .m4a .ogg .flac .aac .wma .opus"),
        ("a film", ".mp4 .mkv .avi .mov .webm .wmv .m4v"),
        ("a compressed archive", ".zip .gz .bz2 .xz .7z .rar .tar .tgz .zst"),
        ("a database", ".db .sqlite .sqlite3 .mdb .accdb"),
        ("a program", ".exe .dll .so .dylib .bin .msi .deb .rpm .apk .dmg .iso"),
    )
    for suffix in suffixes.split()
}

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OPAQUE_SUFFIX = re.compile(r"\.[^a-z]+|.*\s.*", re.ASCII)
"""A "suffix" without letters ("notes.2024") or with a blank ("Mr. Smith") is none."""


def suffix_of(name: str) -> str:
    """Return a file name's suffix in lower case with its dot, "" where there is none."""
    suffix = PurePath(name).suffix.lower()
    return "" if _OPAQUE_SUFFIX.fullmatch(suffix) else suffix


def format_of(head: bytes, name: str) -> Format:
    """Return the format of a file from its first bytes and its name."""
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return Format.PDF
    suffix = suffix_of(name)
    if (binary := binary_format(head, suffix)) is not None:
        return Format(binary)
    if (office := office_format(head, suffix)) is not None:
        return Format(office)
    if picture_kind(head) is not None:
        return Format.IMAGE
    if _by_magic(head, name) is not None:
        return Format.OTHER
    if suffix == ".pdf":
        return Format.PDF
    if suffix in CSV_SUFFIXES:
        return Format.CSV
    if suffix in TEXT_BY_OLD_NAME and b"\0" not in head:
        return Format(text_format(head, "") or TEXT_BY_OLD_NAME[suffix])
    if (told := text_format(head, suffix)) is not None:
        return Format(told)
    if suffix in MARKDOWN_SUFFIXES:
        return Format.MARKDOWN
    return Format.TEXT if suffix in TEXT_SUFFIXES else Format.OTHER


def description_of(head: bytes, name: str) -> str:
    """Say in words what a file is that has no parser: "a Word document"."""
    by_magic = _by_magic(head, name)
    if by_magic is not None:
        return by_magic
    suffix = suffix_of(name)
    return _BY_SUFFIX.get(suffix, f"a file of an unknown kind ({suffix})")


def parser_key(name: str) -> str:
    """Return what a file's name adds to its content in choosing a parser.

    Together with the content's hash it names the parsed result, so that renaming a file
    within one family ("a.txt" to "b.log") is known to change nothing.
    """
    suffix = suffix_of(name)
    if suffix in TEXT_SUFFIXES:
        return Format.TEXT.value
    if suffix in CSV_SUFFIXES:
        return Format.CSV.value
    return Format.MARKDOWN.value if suffix in MARKDOWN_SUFFIXES else suffix[1:]


def _by_magic(head: bytes, name: str) -> str | None:
    if head.startswith(b"PK\x03\x04"):
        return next((what for part, what in _ZIP_PARTS if part in head), _named_archive(name))
    if head.startswith(_OLE):
        return _BY_SUFFIX.get(suffix_of(name), "an old Office document")
    if head[4:8] == b"ftyp":
        return "a picture" if head[8:11] in (b"hei", b"avi", b"mif") else "a film"
    return next((what for magic, what in _MAGIC if head.startswith(magic)), None)


def _named_archive(name: str) -> str:
    return _BY_SUFFIX.get(suffix_of(name), "a compressed archive")
