"""A small change of a large document changes few passages, whatever its format is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import pymupdf
import pytest

from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.preparation import Preparation
from tests.helpers.preparing import paragraphs, prepared, spaces

MOST_CHANGED = 5
NEW = "All of this paragraph was written anew, and now says something else altogether."
EDITS = {
    "rewritten": lambda old: NEW,
    "longer": lambda old: f"{old} One more sentence was added at its end.",
    "shorter": lambda old: old[: old.index(".") + 1],
    "two": lambda old: f"{NEW}\n\n{old}",
}
PLACES = {"beginning": 0.001, "middle": 0.5, "end": 0.999}


def changed(before: PreparedDocument, after: PreparedDocument) -> int:
    """Return how many passages of ``after`` have texts that were not in ``before``."""
    texts = Counter(segment.text_hash for segment in after.segments)
    texts.subtract(segment.text_hash for segment in before.segments)
    return sum(count for count in texts.values() if count > 0)


def edited(parts: Sequence[str], place: str, edit: str) -> list[str]:
    """Return the parts with the paragraph at ``place`` changed."""
    number = next(
        n for n in range(int(PLACES[place] * len(parts)), len(parts)) if "# " not in parts[n]
    )
    return [*parts[:number], EDITS[edit](parts[number]), *parts[number + 1 :]]


@lru_cache(maxsize=1)
def plain_text() -> tuple[list[str], PreparedDocument]:
    """A megabyte of paragraphs."""
    parts = paragraphs(11, 1750, 12)
    return parts, prepared("\n\n".join(parts))


@lru_cache(maxsize=1)
def book() -> tuple[list[str], PreparedDocument]:
    """A book of 40 chapters of 5 sections."""
    parts: list[str] = []
    texts = iter(paragraphs(12, 800, 8))
    for chapter in range(40):
        parts.append(f"# Chapter {chapter}")
        for section in range(5):
            parts.append(f"## Section {chapter}.{section}")
            parts += [next(texts) for _ in range(4)]
    return parts, prepared("\n\n".join(parts), "book.md")


def test_the_plain_text_has_a_megabyte() -> None:
    _, before = plain_text()
    assert len(before.text) >= 1_000_000


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("edit", ["rewritten", "two"])
def test_an_edit_of_a_megabyte_of_text(place: str, edit: str) -> None:
    parts, before = plain_text()

    after = prepared("\n\n".join(edited(parts, place, edit)))

    assert 1 <= changed(before, after) <= MOST_CHANGED


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_a_markdown_book(place: str, edit: str) -> None:
    parts, before = book()

    after = prepared("\n\n".join(edited(parts, place, edit)), "book.md")

    assert changed(before, after) <= MOST_CHANGED


def test_another_heading_costs_its_own_section_alone() -> None:
    parts, before = book()
    old = "## Section 20.2"

    after = prepared("\n\n".join(parts).replace(f"{old}\n", "## Another name\n"), "book.md")

    own = [s for s in before.segments if s.heading_path[-1] == "Section 20.2"]
    new = [s for s in after.segments if s.heading_path[-1] == "Another name"]
    assert own
    assert changed(before, after) == len(own) == len(new)


def pdf(parts: Sequence[str]) -> bytes:
    """Return a PDF with the paragraphs, two a page, a line about every 80 characters."""
    document = pymupdf.open()
    for number in range(0, len(parts), 2):
        page = document.new_page(width=595, height=842)
        body = [line for part in parts[number : number + 2] for line in [*wrapped(part), ""]]
        page.insert_text((72, 90), body, fontsize=10)
    content: bytes = document.tobytes()
    document.close()
    return content


def wrapped(text: str) -> list[str]:
    """Return a paragraph's lines."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > 80:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def test_an_edit_of_a_pdf_of_600_pages() -> None:
    parts = paragraphs(13, 1200, 6)
    preparation = Preparation(spaces())
    before = preparation.prepare(parse_bytes(pdf(parts), "a.pdf"))
    parts[600] = NEW

    after = preparation.prepare(parse_bytes(pdf(parts), "a.pdf"))

    assert before.pages == after.pages == 600
    assert 1 <= changed(before, after) <= MOST_CHANGED
