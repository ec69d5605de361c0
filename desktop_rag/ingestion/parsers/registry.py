"""Chooses the parser of a file and runs it."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
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


def parse_file(path: Path) -> ParsedDocument:
    """Parse a file by what is in it.

    Raises:
        KnownError: the format has no parser, or its parser cannot read this file.
        OSError: the file could not be opened.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    return parser_for(head, path.name).parse(path, path.name)


def parse_bytes(content: bytes, name: str) -> ParsedDocument:
    """Parse content that is in memory; raises ``KnownError`` as ``parse_file`` does."""
    return parser_for(content[:HEAD_BYTES], name).parse(content, name)


def parser_for(head: bytes, name: str) -> Parser:
    """Return the parser for a file that begins with ``head``.

    Raises:
        KnownError: there is none; the message names the format in plain words.
    """
    parser = _PARSERS.get(format_of(head, name))
    if parser is None:
        raise not_read_yet(name, description_of(head, name))
    return parser
