"""The "---" head of a Markdown file: names and values, in the simple part of YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_FRONT_MATTER = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)(?P<body>.*?)(?:\r\n|\r|\n)"
    r"(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)",
    re.DOTALL,
)
_ENTRY = re.compile(r"(?P<key>[A-Za-z][\w -]*?)\s*:(?:\s+(?P<value>.*))?")
_ITEM = re.compile(r"\s*-\s+(?P<value>.+)")

_KEYS = {
    "title": "title",
    "author": "author",
    "authors": "author",
    "date": "date",
    "created": "date",
    "subtitle": "subtitle",
    "description": "description",
    "tags": "tags",
    "keywords": "tags",
    "lang": "stated_language",
    "language": "stated_language",
    "modified": "modified",
    "updated": "modified",
}
"""What is kept, and under which metadata key."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """``values`` by metadata key; the text of the document begins at ``end``."""

    values: dict[str, str] = field(default_factory=dict)
    end: int = 0


def read_front_matter(text: str) -> FrontMatter:
    """Read the head of a Markdown text; without one, nothing and ``end`` 0.

    A "---" line that starts no list of names is a thematic break, not a head.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return FrontMatter()
    entries = _entries(match["body"])
    if not entries:
        return FrontMatter()
    values: dict[str, str] = {}
    for name, items in entries.items():
        key = _KEYS.get(name)
        joined = ", ".join(item for item in items if item)
        if key is not None and joined:
            values.setdefault(key, joined)
    return FrontMatter(values, match.end())


def _entries(body: str) -> dict[str, list[str]]:
    entries: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in body.splitlines():
        entry = _ENTRY.fullmatch(line.rstrip())
        item = _ITEM.fullmatch(line.rstrip())
        if entry is not None:
            current = entries.setdefault(entry["key"].lower(), [])
            current.extend(_scalars(entry["value"] or ""))
        elif item is not None and current is not None:
            current.append(_unquoted(item["value"]))
    return entries


def _scalars(value: str) -> list[str]:
    value = value.strip()
    if value in ("|", ">", "|-", ">-"):
        return []
    if value.startswith("[") and value.endswith("]"):
        return [_unquoted(item) for item in value[1:-1].split(",")]
    return [_unquoted(value)]


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1].strip()
    return re.sub(r"\s+#.*$", "", value)
