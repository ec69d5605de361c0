"""An answer and the evidence it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.domain.content import Content
from desktop_rag.domain.document import LineBox
from desktop_rag.domain.metadata import Metadata


class Outcome(StrEnum):
    """How sure the program is that the answer is in what it quotes."""

    ANSWER = "answer"
    MAYBE = "maybe"
    NOT_FOUND = "not_found"


class AnswerKind(StrEnum):
    """How the answer was made."""

    EXTRACTIVE = "extractive"
    GENERATIVE = "generative"
    CATALOG = "catalog"


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered quote: ``document text[start:end] == quote``, always.

    ``paths`` are all files with this very content, ``path`` first. ``lines`` are the
    boxes to mark on the page (PDF only), ``document_id`` the stored document's.
    """

    number: int
    path: str
    page: int | None
    start: int
    end: int
    quote: str
    heading: str = ""
    paths: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=Metadata)
    lines: tuple[LineBox, ...] = ()
    document_id: int | None = None


@dataclass(frozen=True, slots=True)
class LibraryCoverage:
    """How much of the library an answer could see: files ready, of files in all."""

    ready: int
    files: int
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the user is told.

    ``citations`` are quoted in ``text`` as ``[1]``, ``[2]``; ``nearest`` are offered
    as "these may help" when nothing was found. ``confidence`` is 0..1.
    ``queries`` are the texts that were searched; ``notes`` are sentences about what
    went less well (a retriever that failed, files not read yet).
    """

    text: str
    outcome: Outcome
    confidence: float
    kind: AnswerKind
    citations: tuple[Citation, ...] = ()
    nearest: tuple[Citation, ...] = ()
    contents: tuple[Content, ...] = ()
    queries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    coverage: LibraryCoverage = LibraryCoverage(0, 0)
    seconds: float = 0.0

    @property
    def answerable(self) -> bool:
        """Whether the outcome is an answer."""
        return self.outcome is Outcome.ANSWER
