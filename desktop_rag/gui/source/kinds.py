"""In which manner a document is shown, by what it is."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rag.store.records import StoredDocument


class Manner(Enum):
    """Drawn pages, a table, a text that is set, or words as they are."""

    PAGES = auto()
    SHEETS = auto()
    SET = auto()
    PLAIN = auto()


_SHEETS = frozenset({"csv", "xlsx", "xls", "ods"})
SLIDES = frozenset({"pptx", "ppt", "odp"})
_PLAIN = frozenset(
    {"text", "code", "json", "yaml", "toml", "xml", "subtitles", "link", "zip", "mbox", "tex"}
)


def unit_of(document: StoredDocument) -> str:
    """Return what a document's numbered parts are: "pages", "sheets" or "slides"."""
    if document.kind in _SHEETS:
        return "sheets"
    return "slides" if document.kind in SLIDES else "pages"


def manner_of(document: StoredDocument) -> Manner:
    """Return how a document is shown; texts are set, if they are no lists, code or data."""
    if document.kind in ("pdf", "image") and document.pages:
        return Manner.PAGES
    if document.kind in _SHEETS:
        return Manner.SHEETS
    return Manner.PLAIN if document.kind in _PLAIN else Manner.SET
