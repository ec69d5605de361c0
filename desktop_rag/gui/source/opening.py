"""What the source pane is asked to show, and what it finds there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.domain.answer import Citation
from desktop_rag.domain.document import LineBox
from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.gui.operations import Operation

if TYPE_CHECKING:
    from desktop_rag.services.library import Library
    from desktop_rag.services.search_report import SearchResult
    from desktop_rag.store.records import StoredDocument


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage to mark: code points of the document's text, and boxes on its page."""

    quote: str
    start: int
    end: int
    page: int | None = None
    lines: tuple[LineBox, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """A wish to see a document: by a file of the library, or by a stored document.

    ``index`` is the hit to show first.
    """

    path: str
    document_id: int | None
    file_id: int | None = None
    hits: tuple[Hit, ...] = ()
    index: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    """What was found: no ``document`` if its content is not in the library any more."""

    opening: Opening
    path: str
    document: StoredDocument | None
    record: FileRecord | None
    copies: tuple[str, ...] = ()


def of_citations(citations: Sequence[Citation], position: int) -> Opening:
    """Return the opening of one citation; others of the same document are its hits.

    One without a quote is of the whole file.
    """
    wanted = citations[position]
    if not wanted.quote:
        return Opening(wanted.path, wanted.document_id)
    same = [c for c in citations if (c.document_id, c.path) == (wanted.document_id, wanted.path)]
    same.sort(key=lambda citation: citation.start)
    hits = tuple(Hit(c.quote, c.start, c.end, c.page, c.lines) for c in same)
    return Opening(wanted.path, wanted.document_id, hits=hits, index=same.index(wanted))


def of_result(result: SearchResult) -> Opening:
    """Return the opening of a search result."""
    hit = Hit(result.text, result.start, result.end, result.page, result.lines)
    return Opening(result.path, result.document_id, hits=(hit,))


def of_file(record: FileRecord) -> Opening:
    """Return the opening of a whole file."""
    return Opening(record.path, record.document_id, file_id=record.id)


def look_up(
    library: Library, records: Sequence[FileRecord], opening: Opening, operation: Operation
) -> Opened:
    """Fetch the document and the files that hold it. Runs in the pool."""
    document = None
    if opening.file_id is not None:
        document = library.document(opening.file_id)
    elif opening.document_id is not None:
        document = library.document_by_id(opening.document_id)
    operation.token.check()
    number = document.id if document is not None else None
    holders = [r for r in records if number is not None and r.document_id == number]
    there = [r for r in holders if r.status is not FileStatus.UNAVAILABLE] or holders
    record = next((r for r in there if r.path == opening.path), there[0] if there else None)
    if record is None:
        record = next((r for r in records if r.path == opening.path), None)
    path = record.path if record is not None else opening.path
    copies = tuple(r.path for r in holders if r.path != path)
    return Opened(opening, path, document, record, copies)
