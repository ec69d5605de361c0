"""What the knowledge store hands out: plain values, detached from the database."""

from __future__ import annotations

from collections.abc import Collection as Sized
from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.domain.answer import Answer
from desktop_rag.domain.chats import Feedback, ScopeChips
from desktop_rag.domain.document import Coverage
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment


class MissingDocumentError(LookupError):
    """A file was to hold a document that is not there any more; nothing was changed."""

    def __init__(self, document_id: int) -> None:
        super().__init__(f"there is no document {document_id}")


class MissingVectorsError(ValueError):
    """A document was to be committed with texts that have no vector yet.

    Embed ``hashes`` and commit again; nothing was changed.
    """

    def __init__(self, hashes: Sized[str]) -> None:
        super().__init__(f"{len(hashes)} texts have no vector")
        self.hashes = frozenset(hashes)


@dataclass(frozen=True, slots=True)
class Collection:
    """A named group of sources."""

    id: int
    name: str
    description: str
    source_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document's canonical text and what is known of it; it depends on content alone."""

    id: int
    kind: str
    title: str
    text: str
    language: str
    metadata: Metadata
    pages: int | None = None
    coverage: Coverage = field(default_factory=Coverage)
    encoding: str | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredParent:
    """A passage large enough to read: ``[start, end)`` in code points of its document."""

    id: int
    document_id: int
    start: int
    end: int
    page: int | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A passage small enough to find, with its text, metadata and place."""

    segment_id: int
    text_id: int
    document_id: int
    parent_id: int
    segment: TextSegment


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What a commit made; ``change`` is its number in the change log."""

    document_id: int
    segments: int
    change: int


class IndexState(StrEnum):
    """How a derived index is."""

    OK = "ok"
    BEHIND = "behind"
    BUILDING = "building"


@dataclass(frozen=True, slots=True)
class IndexStats:
    """A derived index: the change it has reached, its live entries, its state."""

    reached: int
    count: int
    state: IndexState


@dataclass(frozen=True, slots=True)
class StoreStats:
    """How much there is; ``bytes`` is what the data folder takes on the disk."""

    segments: int
    texts: int
    vectors: dict[str, int]
    bytes: int
    indexes: dict[str, IndexStats]


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """Whether the library is sound now; ``problems`` are sentences, before any repair.

    ``unsound``: they are the database's own, which only ``salvage`` can mend.
    """

    ok: bool
    problems: tuple[str, ...] = ()
    repaired: bool = False
    unsound: bool = False


@dataclass(frozen=True, slots=True)
class ChatInfo:
    """A chat; times are POSIX seconds, ``messages`` their number, ``scope`` where it looks."""

    id: int
    title: str
    created_at: float
    changed_at: float
    messages: int
    scope: ScopeChips = ()


@dataclass(frozen=True, slots=True)
class ChatMatch:
    """A chat in which words were found; ``text`` is the message that has most of them.

    It is "" where the title alone has them.
    """

    chat: ChatInfo
    text: str


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message; ``role`` is "user" or "assistant", ``answer`` is the assistant's."""

    id: int
    role: str
    text: str
    created_at: float
    answer: Answer | None = None
    feedback: Feedback | None = None
