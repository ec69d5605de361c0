"""Title, author and date of a PDF, where what is written there makes sense."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_rag.domain.document import Block, BlockKind

_LONGEST = 300
_FILE_NAME = re.compile(
    r"\.(?:docx?|xlsx?|pptx?|pdf|tex|dvi|ps|indd|qxd|rtf|odt|html?|txt|jpe?g|png|tiff?)$", re.I
)
_PROGRAM = re.compile(
    r"^(?:array\(|microsoft (?:word|powerpoint|excel) - |untitled|document\d*$|slide \d+$|title$"
    r"|no title)",
    re.I,
)
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_EVERY_BOOK = re.compile(
    r"(?:table of )?contents|abstract|introduction|summary|preface|index"
    r"|目\s*录|目\s*錄|摘\s*要|前\s*言",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]{2}")


def metadata_of(info: Mapping[str, Any]) -> dict[str, str]:
    """Return the sensible part of PyMuPDF's metadata: author, subject, keywords, dates."""
    values: dict[str, str] = {}
    for key, name in (("author", "author"), ("subject", "subject"), ("keywords", "tags")):
        value = _clean(info.get(key))
        if value and not _PROGRAM.search(value):
            values[name] = value
    for key, name in (("creationDate", "date"), ("modDate", "modified")):
        match = _DATE.match(info.get(key) or "")
        if match is not None and match[1] >= "1980":
            values[name] = "-".join(part for part in match.groups() if part)
    return values


def title_of(info: Mapping[str, Any], text: str, blocks: Sequence[Block]) -> str:
    """Return the title that the file states, else the largest heading of its first page."""
    stated = _clean(info.get("title"))
    nonsense = _FILE_NAME.search(stated) or _PROGRAM.search(stated)
    if _WORD.search(stated) and not nonsense:
        return stated
    headings = [
        (block.level, " ".join(text[block.start : block.end].split()))
        for block in blocks
        if block.page == blocks[0].page and block.kind is BlockKind.HEADING
    ]
    telling = [heading for heading in headings if not _EVERY_BOOK.fullmatch(heading[1])]
    return min(telling, key=lambda heading: heading[0])[1] if telling else ""


def _clean(value: object) -> str:
    if not isinstance(value, str):
        return ""
    printable = "".join(c if c.isprintable() else " " for c in value)
    words = " ".join(printable.split())
    return "" if "\ufffd" in words else words[:_LONGEST]
