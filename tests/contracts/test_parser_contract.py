"""What every parser promises, whatever its format is."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import registry
from desktop_rag.ingestion.parsers.formats import HEAD_BYTES, Format, format_of
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.mutations import MUTATIONS, Mutation
from tests.helpers.parsed import words_inside
from tests.helpers.sample_files import SAMPLES, WORDS

_TOLD_BY_NAME = frozenset(
    {
        *("text", "markdown", "csv", "json", "ipynb", "yaml", "toml", "rst", "org", "adoc"),
        *("tex", "code", "subtitles", "link"),
    }
)
"""Formats whose content is text like any other."""

_WORD = re.compile(r"\w+")

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


def test_every_format_takes_part() -> None:
    made = {format_of(content[:HEAD_BYTES], name) for name, content in SAMPLES.values()}

    # what pictures say comes from OCR, see the tests of their parser
    assert made >= set(registry._PARSERS) - {Format.IMAGE}


_WITHOUT_WORDS = frozenset({"mbox", "zip"})
"""Containers: their words are in the files inside, which are documents of their own."""


@pytest.fixture(params=sorted(set(SAMPLES) - _WITHOUT_WORDS))
def parsed(request: pytest.FixtureRequest) -> ParsedDocument:
    name, content = SAMPLES[request.param]
    return parse_bytes(content, name)


@pytest.mark.parametrize("sample", sorted(_WITHOUT_WORDS))
def test_containers_hand_on_what_lies_in_them(sample: str) -> None:
    name, content = SAMPLES[sample]
    container = parse_bytes(content, name)

    assert container.blocks == ()
    assert any(WORDS in words for words in words_inside(content, name).values())


def test_the_words_are_there(parsed: ParsedDocument) -> None:
    assert WORDS in parsed.document.text


def test_blocks_are_ranges_in_order_that_never_overlap(parsed: ParsedDocument) -> None:
    assert parsed.blocks
    for block in parsed.blocks:
        assert 0 <= block.start < block.end <= len(parsed.document.text)
    for one, other in pairwise(parsed.blocks):
        assert one.end <= other.start


def test_blocks_begin_and_end_with_words(parsed: ParsedDocument) -> None:
    for block in parsed.blocks:
        words = parsed.document.text[block.start : block.end]
        assert words.strip()
        if block.kind not in (BlockKind.CODE, BlockKind.TABLE):
            assert words == words.strip()


def test_blocks_hold_all_of_the_text(parsed: ParsedDocument) -> None:
    text = parsed.document.text
    held = sum(len(_WORD.findall(text[block.start : block.end])) for block in parsed.blocks)

    assert held >= 0.8 * len(_WORD.findall(text))


def test_headings_alone_have_a_level(parsed: ParsedDocument) -> None:
    for block in parsed.blocks:
        assert (block.level > 0) == (block.kind is BlockKind.HEADING)


def test_headers_are_ranges_of_tables(parsed: ParsedDocument) -> None:
    for block in parsed.blocks:
        if block.header is not None:
            assert block.kind is BlockKind.TABLE
            start, end = block.header
            assert 0 <= start < end <= block.end


def test_pages_are_counted_from_one_and_never_go_back(parsed: ParsedDocument) -> None:
    pages = [block.page for block in parsed.blocks if block.page is not None]

    assert pages == sorted(pages)
    if parsed.pages is None:
        assert not pages
    else:
        assert all(1 <= page <= parsed.pages for page in pages)


def test_there_are_no_control_characters(parsed: ParsedDocument) -> None:
    assert not _CONTROL.search(parsed.document.text)
    assert parsed.document.text.encode("utf-8")


def test_the_kind_is_told_and_everything_was_read(
    request: pytest.FixtureRequest, parsed: ParsedDocument
) -> None:
    assert parsed.kind == request.node.callspec.params["parsed"]
    assert parsed.coverage.complete
    assert parsed.coverage.read >= 1


def test_metadata_and_title_are_single_lines(parsed: ParsedDocument) -> None:
    for value in (parsed.title, *parsed.document.metadata.values()):
        assert "\n" not in str(value)


@pytest.mark.parametrize("kind", sorted(SAMPLES))
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_cut_off_file_is_read_or_has_a_reason(kind: str, share: float) -> None:
    name, content = SAMPLES[kind]

    try:
        left = parse_bytes(content[: int(len(content) * share)], name)
    except KnownError as error:
        reason = error.title
    else:
        reason = left.document.text.strip()
    assert reason


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_the_same_file_gives_the_same(kind: str) -> None:
    name, content = SAMPLES[kind]

    assert parse_bytes(content, name) == parse_bytes(content, name)


@pytest.mark.parametrize("kind", sorted(set(SAMPLES) - _TOLD_BY_NAME))
def test_a_wrong_name_deceives_nobody(kind: str) -> None:
    _, content = SAMPLES[kind]

    assert parse_bytes(content, "notes.txt").kind == kind


@pytest.mark.parametrize("kind", sorted(SAMPLES))
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_broken_file_is_read_or_has_a_reason(kind: str, mutation: Mutation) -> None:
    name, content = SAMPLES[kind]
    chance = random.Random(f"{kind} {mutation.__name__}")

    for _ in range(4):
        try:
            outcome = parse_bytes(mutation(content, chance), name).document.text.strip()
        except KnownError as error:
            outcome = error.title
        assert outcome


def test_a_swapped_name_is_read_or_has_a_reason() -> None:
    for name, _ in SAMPLES.values():
        for _, content in SAMPLES.values():
            try:
                outcome = parse_bytes(content, name).document.text.strip()
            except KnownError as error:
                outcome = error.title
            assert outcome
