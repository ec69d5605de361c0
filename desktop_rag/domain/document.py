"""What a parser gives: a document's canonical text, its structure, and what was read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.domain.metadata import Metadata


@dataclass(frozen=True, slots=True)
class Document:
    """A whole document before splitting.

    ``text`` is the canonical text: every offset in this program counts code points
    of it. It is never folded, so that ``text[start:end]`` is what the page says.

    Raises:
        ValueError: the text is blank.
    """

    text: str
    metadata: Metadata = field(default_factory=Metadata)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a document's text must not be blank")


class BlockKind(StrEnum):
    """What a block is to a reader."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CODE = "code"
    NOTE = "note"
    CAPTION = "caption"


@dataclass(frozen=True, slots=True)
class LineBox:
    """Where one line of text stands on a page.

    ``start``/``end`` are code points of the canonical text; the rectangle is in PDF
    points with the origin at the page's top left.
    """

    start: int
    end: int
    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Block:
    """One structural unit in reading order; blocks never overlap.

    ``level`` is 1 for a top heading and 0 for whatever is not a heading. ``header``
    is the range of a table's header row, which every segment of it repeats.
    ``page`` is 1-based, None where the format has no pages.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    page: int | None = None
    header: tuple[int, int] | None = None
    lines: tuple[LineBox, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadableUnit:
    """A page (sheet, slide) that gave no usable text, and why, in words.

    ``recognisable``: it is a picture of text, which OCR may read.
    """

    page: int
    reason: str
    recognisable: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a document was read, counted in its own units (pages, or 1 file)."""

    read: int = 0
    ocr: int = 0
    empty: int = 0
    unreadable: tuple[UnreadableUnit, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing of the document is missing from the index."""
        return not self.unreadable

    @property
    def recognisable(self) -> tuple[int, ...]:
        """The pages that OCR may read and has not read yet."""
        return tuple(unit.page for unit in self.unreadable if unit.recognisable)


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A parser's whole result.

    ``kind`` names the format ("pdf", "markdown", "text"); ``pages`` is None where
    there are none; ``encoding`` is the guess for formats that are bytes of text.
    """

    document: Document
    blocks: tuple[Block, ...]
    coverage: Coverage
    kind: str
    title: str = ""
    pages: int | None = None
    encoding: str | None = None
