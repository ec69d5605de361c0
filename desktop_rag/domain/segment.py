"""A passage small enough to have one vector, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_rag.domain.document import LineBox
from desktop_rag.domain.metadata import Metadata


@dataclass(frozen=True, slots=True)
class Place:
    """Where a segment stands in its document.

    ``start``/``end`` are code points of the canonical text, ``page`` is 1-based (None
    without pages), ``parent`` is the ordinal of its parent passage in the document,
    ``lines`` are the boxes of the page lines it touches (PDF only).
    """

    start: int
    end: int
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    language: str = "en"
    parent: int = 0
    lines: tuple[LineBox, ...] = ()


@dataclass(frozen=True, slots=True)
class TextSegment:
    """A piece of a document's text with its metadata.

    ``place`` is None for segments that were not cut from a parsed file. It takes no
    part in equality, which is text and metadata as in LangChain4j.

    Raises:
        ValueError: the text is blank.
    """

    text: str
    metadata: Metadata = field(default_factory=Metadata)
    place: Place | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a segment's text must not be blank")
