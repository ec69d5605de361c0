"""An answer and the evidence it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.domain.content import Content
from desktop_rag.domain.document import LineBox
from desktop_rag.domain.messages import NO_USAGE, TokenUsage
from desktop_rag.domain.metadata import Metadata


class Outcome(StrEnum):
    """How sure the program is that the answer is in what it quotes."""

    ANSWER = "answer"
    MAYBE = "maybe"
    NOT_FOUND = "not_found"


class AnswerKind(StrEnum):
    """How the answer was made: ``GENERAL`` is what a model knows, not from the documents."""

    EXTRACTIVE = "extractive"
    GENERATIVE = "generative"
    CATALOG = "catalog"
    GENERAL = "general"


class Support(StrEnum):
    """How well a written sentence is borne out by the passages that it cites."""

    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"


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
class CheckedSentence:
    """A sentence of a written answer, held against its sources.

    ``answer.text[start:end]`` is the sentence, citation marks included; ``numbers`` are the
    citations it names. ``reason`` says in the user's language why it is not supported, ""
    where it is. ``quote`` is what speaks for it best, None where nothing does.
    """

    start: int
    end: int
    support: Support
    numbers: tuple[int, ...] = ()
    reason: str = ""
    quote: Citation | None = None


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
    Of a written answer, ``sentences`` are its checked sentences, ``model`` is the model's
    name, ``reasoning`` what it thought aloud and ``usage`` what it read and wrote.
    ``message_id`` is the stored message's, None while it is in no chat.
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
    sentences: tuple[CheckedSentence, ...] = ()
    model: str = ""
    reasoning: str = ""
    usage: TokenUsage = NO_USAGE
    message_id: int | None = field(default=None, compare=False)

    @property
    def answerable(self) -> bool:
        """Whether the outcome is an answer."""
        return self.outcome is Outcome.ANSWER
