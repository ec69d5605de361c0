"""JSON and JSON Lines: "name: value" lines, since the file's own text is full of escapes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.code import parse_code
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import no_text
from desktop_rag.ingestion.parsers.text import read_text

Value = object

MAX_VALUES = 300_000
"""How many values of a file are read."""

_MOST_BROKEN = 20
_LONG = 200
"""Code points; a longer value is a paragraph of its own."""

_DEEPEST = 40
_WORDS = {True: "true", False: "false", None: "null"}


class JsonParser:
    """Reads what a JSON file says: each record a paragraph, each long text one of its own.

    JSON with comments, or broken, is read as the text that it is.
    """

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a JSON file; see ``Parser``."""
        text, encoding = read_text(content_of(source), name)
        try:
            records, broken = _loaded(text)
        except (ValueError, RecursionError):
            return parse_code(text, encoding, "", Format.JSON.value)
        assembly = Assembly()
        writer = _Writer(assembly)
        for record in records:
            writer.add_top(record)
        if not len(assembly):
            raise no_text(name, "There are no values in it.")
        if writer.left < 0:
            broken.append(UnreadableUnit(1, f"only the first {MAX_VALUES:,} values are read"))
        coverage = Coverage(read=1, unreadable=tuple(broken))
        return assembly.finish(Format.JSON.value, coverage=coverage, encoding=encoding)


def _loaded(text: str) -> tuple[list[Value], list[UnreadableUnit]]:
    """Return the records of a file, and the lines of JSON Lines that are none.

    Raises:
        ValueError: it is neither JSON nor JSON Lines.
    """
    try:
        whole = json.loads(text)
    except ValueError:
        return _loaded_lines(text)
    return (whole if isinstance(whole, list) else [whole]), []


def _loaded_lines(text: str) -> tuple[list[Value], list[UnreadableUnit]]:
    records: list[Value] = []
    broken: list[UnreadableUnit] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            records.append(json.loads(line))
        except ValueError:
            if not records or len(broken) >= _MOST_BROKEN:
                raise
            broken.append(UnreadableUnit(number, "a line is broken"))
    if len(records) <= len(broken):
        raise ValueError("neither JSON nor JSON Lines")
    return records, broken


class _Writer:
    """Writes values as lines; ``left`` is how many more are written."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._lines: list[str] = []
        self.left = MAX_VALUES

    def add_top(self, record: Value) -> None:
        """Append one record; objects in the outermost object get headings of their names."""
        if isinstance(record, dict):
            for name, value in record.items():
                if isinstance(value, dict | list) and value and not _is_plain(value):
                    self._flush()
                    self._assembly.add(BlockKind.HEADING, str(name)[:_LONG], level=3)
                    self._add_section(value)
                else:
                    self._add(str(name), value)
        else:
            self._add("", record)
        self._flush()

    def _add_section(self, value: Value) -> None:
        """Append what stands under a heading, the members of a list apart."""
        for member in value if isinstance(value, list) else [value]:
            self._add("", member)
            self._flush()

    def _add(self, path: str, value: Value) -> None:
        for name, words in _values(path, value, 0):
            self.left -= 1
            if self.left < 0:
                return
            line = f"{name}: {words}" if name else words
            if len(words) > _LONG or "\n" in words:
                self._flush()
                self._assembly.add(BlockKind.PARAGRAPH, line)
            else:
                self._lines.append(line)

    def _flush(self) -> None:
        self._assembly.add(BlockKind.PARAGRAPH, "\n".join(self._lines))
        self._lines.clear()


def _values(path: str, value: Value, depth: int) -> Iterator[tuple[str, str]]:
    """Yield (path, words) of every value in ``value``."""
    if depth > _DEEPEST:
        yield path, "…"
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _values(f"{path}.{name}" if path else str(name), member, depth + 1)
    elif isinstance(value, list) and not _is_plain(value):
        for number, member in enumerate(value, 1):
            yield from _values(f"{path}[{number}]", member, depth + 1)
    elif isinstance(value, list):
        yield path, ", ".join(map(_words, value))
    else:
        yield path, _words(value)


def _is_plain(value: Value) -> bool:
    """Whether a list holds short single values alone, which one line can hold."""
    return isinstance(value, list) and all(
        not isinstance(member, dict | list) and len(_words(member)) <= _LONG for member in value
    )


def _words(value: Value) -> str:
    if isinstance(value, str):
        return value.strip()
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)
