"""Places, quotes and the boxes of quotes."""

from __future__ import annotations

import pytest

from desktop_rag.answering.citations import PassagePlaces, cite, cut_lines
from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.document import LineBox
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import Place, TextSegment
from tests.helpers.retrieval_parts import content

LINES = (
    LineBox(100, 110, 3, 0.0, 0.0, 50.0, 10.0),
    LineBox(110, 120, 3, 0.0, 12.0, 100.0, 22.0),
    LineBox(120, 130, 3, 0.0, 24.0, 50.0, 34.0),
)


class Paths:
    """Two documents, the first in two files."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def paths_of(self, documents):
        self.asked.append(list(documents))
        held = {1: ("/a.pdf", "/copy.pdf"), 2: ("/b.pdf",)}
        return {one: held[one] for one in documents if one in held}


def passage() -> Content:
    text = "First words. Other words here."
    place = Place(100, 130, 3, ("Part", "Terms"), lines=LINES)
    metadata = Metadata({"document_id": 1, "segment_id": 9, "path": "/copy.pdf"})
    return Content(TextSegment(text, metadata, place), {ContentKey.ALSO_IN: "2 7"})


def test_places_list_all_files_with_one_question_to_the_store():
    store = Paths()
    first, second = PassagePlaces(store).of([passage(), content("x", document_id=2)])
    assert (first.path, first.paths) == ("/copy.pdf", ("/copy.pdf", "/a.pdf", "/b.pdf"))
    assert (first.page, first.heading, first.start, first.end) == (3, "Part › Terms", 100, 130)
    assert (first.segment_id, first.document_id) == (9, 1)
    assert (second.path, second.paths, second.lines) == ("/b.pdf", ("/b.pdf",), ())
    assert store.asked == [[1, 2, 7]]


def test_contents_without_a_document_have_no_files():
    store = Paths()
    [place] = PassagePlaces(store).of([content("x")])
    assert (place.path, place.paths, place.document_id) == ("", (), 0)
    assert store.asked == []


def test_a_quote_has_its_own_offsets_and_boxes():
    found = passage()
    [place] = PassagePlaces(Paths()).of([found])
    citation = cite(found, place, 2, (13, 30))
    assert citation.quote == "Other words here."
    assert (citation.number, citation.start, citation.end) == (2, 113, 130)
    assert [(line.start, line.end, line.x0, line.x1) for line in citation.lines] == [
        (113, 120, 30.0, 100.0),
        (120, 130, 0.0, 50.0),
    ]
    whole = cite(found, place, 1)
    assert (whole.quote, whole.start, whole.end) == (found.segment.text, 100, 130)
    assert whole.lines == LINES


@pytest.mark.parametrize(
    ("start", "end", "boxes"),
    [
        (0, 100, []),
        (130, 140, []),
        (110, 120, [(110, 120, 0.0, 100.0)]),
        (112, 115, [(112, 115, 20.0, 50.0)]),
        (90, 105, [(100, 105, 0.0, 25.0)]),
    ],
)
def test_boxes_are_cut_to_what_is_quoted(start, end, boxes):
    cut = cut_lines(LINES, start, end)
    assert [(line.start, line.end, line.x0, line.x1) for line in cut] == boxes
