"""YAML, TOML and their like: the file's own text, its sections as headings."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.line_blocks import LineBlocks
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.text import read_text

_TOML_SECTION = re.compile(r"\[\[?\s*(?P<words>[^\[\]]{1,150}?)\s*\]\]?\s*(?:[#;].*)?")
_YAML_SECTION = re.compile(
    r"(?P<words>[^\s#'\"{}\[\]&*!|>%@-][^#:]{0,100}|\"[^\"]{1,100}\"):\s*(?:#.*)?"
)
_RULE = frozenset({"---", "..."})


class TomlParser:
    """Reads TOML and INI: a heading for each [section]."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a file of settings; see ``Parser``."""
        return _parse(source, name, _TOML_SECTION, Format.TOML)


class YamlParser:
    """Reads YAML: a heading for each name at the left margin that has lines below it."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a YAML file; see ``Parser``."""
        return _parse(source, name, _YAML_SECTION, Format.YAML)


def _parse(
    source: Path | bytes, name: str, section: re.Pattern[str], kind: Format
) -> ParsedDocument:
    text, encoding = read_text(content_of(source), name)
    lines = LineBlocks(text)
    for number in range(len(lines)):
        match = section.fullmatch(lines[number])
        if match is not None:
            lines.heading(number, 2, match.span("words"))
        elif lines[number] not in _RULE:
            lines.take(number, BlockKind.CODE)
    return lines.finish(kind.value, encoding)
