"""A document ready to be embedded and committed: what the parse worker sends back."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_rag.domain.document import Coverage, LineBox
from desktop_rag.domain.files import Problem
from desktop_rag.domain.metadata import Metadata


@dataclass(frozen=True, slots=True)
class PreparedParent:
    """A passage large enough to read; segments point at it by its ordinal."""

    start: int
    end: int
    page: int | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedSegment:
    """A passage small enough to find.

    ``text`` is what the model reads: context line, newline, folded segment text; it is
    hashed together with ``space`` (the model's name) into ``text_hash``. ``terms``
    are the analysed keywords of that text, separated by spaces.
    """

    start: int
    end: int
    parent: int
    text: str
    text_hash: str
    space: str
    terms: str
    tokens: int
    language: str = "en"
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    lines: tuple[LineBox, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """All that the store keeps of a document. It depends on the content alone.

    ``headings`` are searched together with the file's name. Nothing here comes from
    the file's name or path, so that copies and renames share it.
    """

    kind: str
    text: str
    title: str
    language: str
    metadata: Metadata
    coverage: Coverage
    parents: tuple[PreparedParent, ...]
    segments: tuple[PreparedSegment, ...]
    pages: int | None = None
    encoding: str | None = None
    headings: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside another: an attachment, a mail of a mailbox, an entry of an archive.

    ``name`` is its place in the container, with ``/``. ``content_hash`` is that of its
    bytes, as of a file's. ``prepared`` is None where ``problem`` says why it was not read.
    """

    name: str
    size: int
    content_hash: str
    prepared: PreparedDocument | None = None
    problem: Problem | None = None
