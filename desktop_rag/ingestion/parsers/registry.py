"""Chooses the parser of a file and runs it."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.domain.ocr import Recognition
from desktop_rag.ingestion.parsers.code import CodeParser
from desktop_rag.ingestion.parsers.csv_table import CsvParser
from desktop_rag.ingestion.parsers.eml import EmlParser
from desktop_rag.ingestion.parsers.epub import EpubParser
from desktop_rag.ingestion.parsers.fb2 import Fb2Parser
from desktop_rag.ingestion.parsers.fenced import AsciiDocParser, OrgParser
from desktop_rag.ingestion.parsers.formats import (
    HEAD_BYTES,
    Format,
    description_of,
    format_of,
)
from desktop_rag.ingestion.parsers.html import HtmlParser
from desktop_rag.ingestion.parsers.json import JsonParser
from desktop_rag.ingestion.parsers.latex import LatexParser
from desktop_rag.ingestion.parsers.limits import bounded, cut_off, limits_in_force
from desktop_rag.ingestion.parsers.link import LinkParser
from desktop_rag.ingestion.parsers.markdown import MarkdownParser
from desktop_rag.ingestion.parsers.mbox import MboxParser
from desktop_rag.ingestion.parsers.mhtml import MhtmlParser
from desktop_rag.ingestion.parsers.mobi import MobiParser
from desktop_rag.ingestion.parsers.msg import MsgParser
from desktop_rag.ingestion.parsers.notebook import NotebookParser
from desktop_rag.ingestion.parsers.odp import OdpParser
from desktop_rag.ingestion.parsers.ods import OdsParser
from desktop_rag.ingestion.parsers.odt import OdtParser
from desktop_rag.ingestion.parsers.office import OfficeParser, OldOfficeParser
from desktop_rag.ingestion.parsers.parser import Parser
from desktop_rag.ingestion.parsers.pdf import PdfParser
from desktop_rag.ingestion.parsers.picture import PictureParser
from desktop_rag.ingestion.parsers.problems import not_read_yet
from desktop_rag.ingestion.parsers.rst import RstParser
from desktop_rag.ingestion.parsers.rtf import RtfParser
from desktop_rag.ingestion.parsers.settings_text import TomlParser, YamlParser
from desktop_rag.ingestion.parsers.subtitles import SubtitleParser
from desktop_rag.ingestion.parsers.text import TextParser
from desktop_rag.ingestion.parsers.xml import XmlParser
from desktop_rag.ingestion.parsers.zip_archive import ZipParser

_PARSERS: dict[Format, Parser] = {
    Format.TEXT: TextParser(),
    Format.MARKDOWN: MarkdownParser(),
    Format.PDF: PdfParser(),
    Format.IMAGE: PictureParser(),
    Format.OFFICE: OfficeParser(),
    Format.OLD_OFFICE: OldOfficeParser(),
    Format.ODT: OdtParser(),
    Format.ODS: OdsParser(),
    Format.ODP: OdpParser(),
    Format.RTF: RtfParser(),
    Format.CSV: CsvParser(),
    Format.HTML: HtmlParser(),
    Format.MOBI: MobiParser(),
    Format.LATEX: LatexParser(),
    Format.ASCIIDOC: AsciiDocParser(),
    Format.ORG: OrgParser(),
    Format.RST: RstParser(),
    Format.TOML: TomlParser(),
    Format.YAML: YamlParser(),
    Format.NOTEBOOK: NotebookParser(),
    Format.JSON: JsonParser(),
    Format.CODE: CodeParser(),
    Format.SUBTITLES: SubtitleParser(),
    Format.LINK: LinkParser(),
    Format.ZIP: ZipParser(),
    Format.XML: XmlParser(),
    Format.FB2: Fb2Parser(),
    Format.EPUB: EpubParser(),
    Format.MHTML: MhtmlParser(),
    Format.MBOX: MboxParser(),
    Format.MSG: MsgParser(),
    Format.EML: EmlParser(),
}

_WITH_PAGES: dict[Format, PdfParser | PictureParser] = {
    Format.PDF: PdfParser(),
    Format.IMAGE: PictureParser(),
}
"""Those whose pages may be pictures of text."""

_TEXTS = frozenset(
    {
        *(Format.TEXT, Format.MARKDOWN, Format.RST, Format.ORG, Format.ASCIIDOC, Format.LATEX),
        *(Format.CSV, Format.JSON, Format.YAML, Format.TOML, Format.CODE, Format.SUBTITLES),
        Format.HTML,
    }
)
"""Those whose beginning can be read without the rest."""


def parse_file(path: Path, recognition: Recognition | None = None) -> ParsedDocument:
    """Parse a file by what is in it.

    Args:
        path: the file.
        recognition: what OCR has read of its pages, and whether it will read the others.

    Raises:
        KnownError: the format has no parser, or its parser cannot read this file.
        OSError: the file could not be opened.
        TextlessDocument: it has no word, but OCR will read it, or has found none.
    """
    most = limits_in_force().text
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        parser = parser_for(head, path.name, recognition)
        is_cut = _is_longer(path, most) and format_of(head, path.name) in _TEXTS
        beginning = head + file.read(most - len(head)) if is_cut else b""
    if is_cut:
        return cut_off(bounded(parser.parse(_whole_lines(beginning), path.name)))
    return bounded(parser.parse(path, path.name))


def parse_bytes(
    content: bytes, name: str, recognition: Recognition | None = None
) -> ParsedDocument:
    """Parse content that is in memory; raises what ``parse_file`` does."""
    return bounded(parser_for(content[:HEAD_BYTES], name, recognition).parse(content, name))


def parser_for(head: bytes, name: str, recognition: Recognition | None = None) -> Parser:
    """Return the parser for a file that begins with ``head``, see ``parse_file``.

    Raises:
        KnownError: there is none; the message names the format in plain words.
    """
    format_ = format_of(head, name)
    if recognition is not None and format_ in _WITH_PAGES:
        return _WITH_PAGES[format_].recognising(recognition)
    parser = _PARSERS.get(format_)
    if parser is None:
        raise not_read_yet(name, description_of(head, name))
    return parser


def _is_longer(path: Path, most: int) -> bool:
    return path.stat().st_size > max(most, HEAD_BYTES)


def _whole_lines(content: bytes) -> bytes:
    """Return content that was cut off without the last, broken line, or whole characters."""
    if b"\0" in content[:HEAD_BYTES]:  # characters of two or four bytes
        return content[: len(content) & ~3]
    return content[: content.rfind(b"\n") + 1] or content
