"""Documents as frames: how a child process sends the owner what it has read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from desktop_rag.domain.document import Coverage, LineBox, UnreadableUnit
from desktop_rag.domain.files import Problem
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.prepared import (
    Member,
    PreparedDocument,
    PreparedParent,
    PreparedSegment,
)
from desktop_rag.foundation.frames import Frame, FrameError, pack, unpack

_BATCH = 200 * 1024
"""Bytes of items from which a frame is sent: room is left for one more item."""

_TEXT_PIECE = 60_000
"""Code points; at most four bytes each in UTF-8."""

MEMBER = "member"
"""Kind of the frame before the document of a file that lies in the one that is read."""


def document_frames(document: PreparedDocument) -> Iterator[Frame]:
    """Yield the frames of a prepared document; the last one's kind is "done"."""
    text = document.text
    for start in range(0, len(text), _TEXT_PIECE):
        yield "text", text[start : start + _TEXT_PIECE]
    yield from _batches("parents", map(_parent_values, document.parents))
    yield from _batches("segments", map(_segment_values, document.segments))
    yield from _batches("headings", document.headings)
    unreadable = (
        (unit.page, unit.reason, unit.recognisable) for unit in document.coverage.unreadable
    )
    yield from _batches("unreadable", unreadable)
    coverage = document.coverage
    yield (
        "done",
        {
            "kind": document.kind,
            "title": document.title,
            "language": document.language,
            "metadata": dict(document.metadata),
            "coverage": (coverage.read, coverage.ocr, coverage.empty),
            "pages": document.pages,
            "encoding": document.encoding,
        },
    )


def member_frames(member: Member) -> Iterator[Frame]:
    """Yield the frames of a member: its head, and its document where it could be read."""
    problem = member.problem and (member.problem.title, member.problem.message)
    head = {"name": member.name, "size": member.size, "hash": member.content_hash}
    yield MEMBER, {**head, "problem": problem}
    if member.prepared is not None:
        yield from document_frames(member.prepared)


class AnswerBuilder:
    """Puts what is read of a file together: its members, and then its own document."""

    def __init__(self) -> None:
        self._document = DocumentBuilder()
        self._head: Member | None = None

    def add(self, kind: str, payload: Any) -> Member | PreparedDocument | None:  # noqa: ANN401
        """Take one frame; returns a member or the document when it is complete.

        Raises:
            FrameError: the kind is unknown.
        """
        if kind == MEMBER:
            problem = payload["problem"] and Problem(*payload["problem"])
            member = Member(
                payload["name"], payload["size"], payload["hash"], problem=problem or None
            )
            self._head = None if problem else member
            return member if problem else None
        document = self._document.add(kind, payload)
        if document is None:
            return None
        head, self._head, self._document = self._head, None, DocumentBuilder()
        return document if head is None else replace(head, prepared=document)


class DocumentBuilder:
    """Puts a prepared document together from its frames."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._items: dict[str, list[Any]] = {
            kind: [] for kind in ("parents", "segments", "headings", "unreadable")
        }

    def add(self, kind: str, payload: Any) -> PreparedDocument | None:  # noqa: ANN401
        """Take one frame; returns the document with the last.

        Raises:
            FrameError: the kind is unknown.
        """
        if kind == "done":
            return self._document(payload)
        if kind == "text":
            self._text.append(payload)
        elif kind in self._items:
            make = _MAKERS[kind]
            self._items[kind].extend(make(unpack(item)) for item in payload)
        else:
            raise FrameError(f"unknown kind of frame: {kind}")
        return None

    def _document(self, head: dict[str, Any]) -> PreparedDocument:
        read, ocr, empty = head["coverage"]
        return PreparedDocument(
            kind=head["kind"],
            text="".join(self._text),
            title=head["title"],
            language=head["language"],
            metadata=Metadata(head["metadata"]),
            coverage=Coverage(read, ocr, empty, tuple(self._items["unreadable"])),
            parents=tuple(self._items["parents"]),
            segments=tuple(self._items["segments"]),
            pages=head["pages"],
            encoding=head["encoding"],
            headings=tuple(self._items["headings"]),
        )


def _batches(kind: str, items: Iterable[Any]) -> Iterator[Frame]:
    batch: list[bytes] = []
    size = 0
    for item in items:
        packed = pack(item)
        if batch and size + len(packed) > _BATCH:
            yield kind, batch
            batch, size = [], 0
        batch.append(packed)
        size += len(packed) + 5
    if batch:
        yield kind, batch


def _parent_values(parent: PreparedParent) -> tuple[Any, ...]:
    return parent.start, parent.end, parent.page, parent.heading_path


def _segment_values(segment: PreparedSegment) -> tuple[Any, ...]:
    boxes = [(b.start, b.end, b.page, b.x0, b.y0, b.x1, b.y1) for b in segment.lines]
    return (
        *(segment.start, segment.end, segment.parent, segment.text, segment.text_hash),
        *(segment.space, segment.terms, segment.tokens, segment.language, segment.page),
        *(segment.heading_path, boxes),
    )


def _segment(values: tuple[Any, ...]) -> PreparedSegment:
    boxes = tuple(LineBox(*box) for box in values[-1])
    return PreparedSegment(*(*values[:-1], boxes))


def _parent(values: tuple[Any, ...]) -> PreparedParent:
    return PreparedParent(*values)


def _unreadable(values: tuple[Any, ...]) -> UnreadableUnit:
    return UnreadableUnit(*values)


def _heading(words: str) -> str:
    return words


_MAKERS: dict[str, Any] = {
    "parents": _parent,
    "segments": _segment,
    "headings": _heading,
    "unreadable": _unreadable,
}
