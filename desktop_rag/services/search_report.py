"""What a search gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.document import LineBox
from desktop_rag.domain.metadata import Metadata

SearchMode = Literal["hybrid", "vector", "keyword"]
SEARCH_MODES: tuple[SearchMode, ...] = ("hybrid", "vector", "keyword")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One passage, best first from rank 1.

    ``text`` is ``document text[start:end]``, code points. ``paths`` are all files that
    hold this very passage, ``path`` first. ``segment`` is the passage's number in the
    store, ``lines`` are its boxes on the page (PDF only). ``score`` compares results
    of one search only.
    """

    rank: int
    score: float
    text: str
    path: str
    paths: tuple[str, ...]
    page: int | None
    heading: str
    start: int
    end: int
    segment: int
    metadata: Metadata
    document_id: int
    lines: tuple[LineBox, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchReport:
    """The results of one search; ``notes`` are sentences about what went less well."""

    results: tuple[SearchResult, ...] = ()
    seconds: float = 0.0
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Trial:
    """A question as it is measured: everything found, and the quotes whatever the confidence.

    ``quotes`` are single sentences, the most probable first; ``confidence`` (0..1) is the
    one that decides about ``outcome``. ``about_library``: the question was taken for one
    about the library itself, and answered from the list of its files.
    """

    results: tuple[SearchResult, ...]
    quotes: tuple[str, ...]
    confidence: float
    seconds: float
    outcome: Outcome = Outcome.NOT_FOUND
    about_library: bool = False
