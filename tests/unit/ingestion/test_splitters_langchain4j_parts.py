"""What LangChain4j's splitters are made of: separators, Java's patterns, the builder."""

from __future__ import annotations

import pytest

from desktop_rag.domain.document import Document
from desktop_rag.ingestion.splitters.java_split import java_pattern, java_split
from desktop_rag.ingestion.splitters.line import DocumentByLineSplitter
from desktop_rag.ingestion.splitters.paragraph import DocumentByParagraphSplitter
from desktop_rag.ingestion.splitters.regex import DocumentByRegexSplitter
from desktop_rag.ingestion.splitters.segment_builder import SegmentBuilder, TextSize
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter

NBSP = "\u00a0"


class Words:
    """Counts words."""

    def count(self, text: str) -> int:
        return len(text.split())


def texts(splitter: DocumentSplitter, text: str) -> list[str]:
    return [segment.text for segment in splitter.split(Document(text))]


@pytest.mark.parametrize("gap", ["\n\n", "\n \n", " \n \n ", "\r\n\r\n", "\u2029\x85", "\n\n\n\n"])
def test_what_separates_paragraphs(gap: str) -> None:
    assert texts(DocumentByParagraphSplitter(5, 0), f"Aaaa.{gap}Bbbb.") == ["Aaaa.", "Bbbb."]
    assert texts(DocumentByParagraphSplitter(12, 0), f"Aaaa.{gap}Bbbb.") == ["Aaaa.\n\nBbbb."]


def test_one_line_break_separates_no_paragraphs() -> None:
    for gap in ("\n", "\r\n", " \r\n ", "\x85", "\v"):
        text = f"aaaa{gap}bbbb"
        assert texts(DocumentByParagraphSplitter(20, 0), text) == [text]


@pytest.mark.parametrize(
    "gap", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029", "\n\n"]
)
def test_what_separates_lines(gap: str) -> None:
    assert texts(DocumentByLineSplitter(4, 0), f"aaaa{gap}bbbb") == ["aaaa", "bbbb"]
    assert texts(DocumentByLineSplitter(9, 0), f"aaaa {gap} bbbb") == ["aaaa\nbbbb"]


def test_a_regex_keeps_an_empty_beginning_and_drops_empty_ends() -> None:
    comma = java_pattern(",")
    assert java_split(comma, ",a,,b,,") == ["", "a", "", "b"]
    assert java_split(comma, ",,") == []
    assert java_split(comma, "ab") == ["ab"]
    assert java_split(java_pattern(""), "abc") == ["a", "b", "c"]
    assert java_split(java_pattern("(,)"), "a,b") == ["a", "b"]


def test_a_regex_means_what_java_means() -> None:
    assert java_split(java_pattern(r"\R"), "a\r\nb\u2028c") == ["a", "b", "c"]
    assert java_split(java_pattern(r"\\R"), "a\\Rb\nc") == ["a", "b\nc"]
    assert java_split(java_pattern(r"\s+"), f"a b{NBSP}c") == ["a", f"b{NBSP}c"]
    assert texts(DocumentByRegexSplitter(",", ";", 4, 0), ",a,b,c") == ["a;b", "c"]


def test_a_wrong_regex_is_an_error_when_the_splitter_is_built() -> None:
    with pytest.raises(ValueError, match="not a regular expression"):
        DocumentByRegexSplitter("(", ",", 3, 0)


def test_tokens_of_blank_strings_are_their_characters() -> None:
    sizes = TextSize(Words())
    assert [sizes.of(text) for text in ("   ", "\n\n", "", "a b")] == [3, 2, 0, 2]


def test_the_builder_counts_its_delimiters() -> None:
    builder = SegmentBuilder(10, TextSize(Words()), " ; ")
    builder.append("one fish")
    assert builder.size == 2
    builder.append("two fish")
    assert builder.size == 5
    assert builder.has_room("red fish blue")
    builder.append("red fish blue")
    assert builder.size == 9
    assert not builder.has_room("two more")
    assert builder.text == "one fish ; two fish ; red fish blue"


def test_a_long_row_of_spaces_takes_no_time() -> None:
    text = "a" + " " * 200_000 + "\n" + " " * 200_000 + "b"
    assert len(DocumentByParagraphSplitter(10, 0).parts(text)) == 1
    assert DocumentByLineSplitter(10, 0).parts(text) == ["a", "b"]
