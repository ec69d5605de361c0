"""Where passages stand: files, page, offsets and boxes, and quotes cut from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from desktop_rag.domain.answer import Citation
from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.document import LineBox
from desktop_rag.retrieval.postprocessors.copies import document_of, other_documents


class PathStore(Protocol):
    """Knows the files that hold a document."""

    def paths_of(self, document_ids: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        """Return each document's files."""
        ...


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """A passage's place; ``paths`` are all files that hold its text, ``path`` first."""

    path: str
    paths: tuple[str, ...]
    page: int | None
    heading: str
    start: int
    end: int
    segment_id: int
    document_id: int
    lines: tuple[LineBox, ...] = ()


class PassagePlaces:
    """Looks up the places of contents, one question to the store for all of them."""

    def __init__(self, store: PathStore) -> None:
        self._store = store

    def of(self, contents: Sequence[Content]) -> list[PassagePlace]:
        """Return one place a content, in order."""
        documents = dict.fromkeys(
            document
            for content in contents
            for document in (document_of(content), *other_documents(content))
            if document is not None
        )
        paths = self._store.paths_of(list(documents)) if documents else {}
        return [_place(content, paths) for content in contents]


def _place(content: Content, paths: Mapping[int, tuple[str, ...]]) -> PassagePlace:
    segment = content.segment
    document = document_of(content)
    own = str(segment.metadata.get("path", ""))
    holders = (document, *other_documents(content))
    every = [own, *(path for one in holders if one is not None for path in paths.get(one, ()))]
    known = tuple(dict.fromkeys(path for path in every if path))
    place = segment.place
    return PassagePlace(
        path=known[0] if known else "",
        paths=known,
        page=place.page if place else segment.metadata.get_integer("page"),
        heading=" › ".join(place.heading_path) if place else "",
        start=place.start if place else 0,
        end=place.end if place else len(segment.text),
        segment_id=segment.metadata.get_integer("segment_id") or 0,
        document_id=document or 0,
        lines=place.lines if place else (),
    )


def cite(
    content: Content, place: PassagePlace, number: int, span: tuple[int, int] | None = None
) -> Citation:
    """Return a numbered quote of a passage, or of ``span`` (offsets in its text).

    Of a larger passage it is the part that was found, unless there is a span.
    """
    first, last = span or _found(content, place)
    start, end = place.start + first, place.start + last
    return Citation(
        number=number,
        path=place.path,
        page=place.page,
        start=start,
        end=end,
        quote=content.segment.text[first:last],
        heading=place.heading,
        paths=place.paths,
        metadata=content.segment.metadata,
        lines=cut_lines(place.lines, start, end),
        document_id=place.document_id,
    )


def _found(content: Content, place: PassagePlace) -> tuple[int, int]:
    whole = len(content.segment.text)
    start = content.metadata.get(ContentKey.FOUND_START, place.start)
    end = content.metadata.get(ContentKey.FOUND_END, place.start + whole)
    first, last = int(start) - place.start, int(end) - place.start
    return (first, last) if 0 <= first < last <= whole else (0, whole)


def cut_lines(lines: Sequence[LineBox], start: int, end: int) -> tuple[LineBox, ...]:
    """Return the boxes of what lies in ``[start, end)``.

    A line that is quoted in part is cut by its share of characters, as if they were of
    one width: near enough for a marker.
    """
    return tuple(
        _cut(line, max(start, line.start), min(end, line.end))
        for line in lines
        if line.start < end and line.end > start
    )


def _cut(line: LineBox, start: int, end: int) -> LineBox:
    width = (line.x1 - line.x0) / (line.end - line.start)
    return replace(
        line,
        start=start,
        end=end,
        x0=line.x0 + (start - line.start) * width,
        x1=line.x1 - (line.end - end) * width,
    )
