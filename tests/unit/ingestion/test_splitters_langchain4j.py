"""The splitters of LangChain4j: its vectors, and where we differ on purpose."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.domain.document import Document
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment
from desktop_rag.ingestion.splitters.character import DocumentByCharacterSplitter
from desktop_rag.ingestion.splitters.line import DocumentByLineSplitter
from desktop_rag.ingestion.splitters.paragraph import DocumentByParagraphSplitter
from desktop_rag.ingestion.splitters.recursive import recursive
from desktop_rag.ingestion.splitters.regex import DocumentByRegexSplitter
from desktop_rag.ingestion.splitters.sentence import DocumentBySentenceSplitter
from desktop_rag.ingestion.splitters.splitter import DocumentSplitter
from desktop_rag.ingestion.splitters.word import DocumentByWordSplitter

NBSP = "\u00a0"
SPLITTERS = [
    DocumentByParagraphSplitter,
    DocumentByLineSplitter,
    DocumentBySentenceSplitter,
    DocumentByWordSplitter,
    DocumentByCharacterSplitter,
    recursive,
]


class Words:
    """Counts words."""

    def count(self, text: str) -> int:
        return len(text.split())


class Nothing:
    """A splitter that gives nothing."""

    def split(self, document: Document) -> list[TextSegment]:
        del document
        return []


class Halves:
    """A splitter that is none of LangChain4j's."""

    def split(self, document: Document) -> list[TextSegment]:
        middle = len(document.text) // 2
        return [TextSegment(document.text[:middle]), TextSegment(document.text[middle:])]


def texts(splitter: DocumentSplitter, text: str) -> list[str]:
    segments = splitter.split(Document(text))
    assert [s.metadata["index"] for s in segments] == [str(n) for n in range(len(segments))]
    return [segment.text for segment in segments]


@pytest.mark.parametrize(
    ("splitter", "text", "expected"),
    [
        pytest.param(
            DocumentBySentenceSplitter(20, 10),
            "Aaaa aaaa. Bbbb. Cccc. Dddd dddd. Eeee.",
            ["Aaaa aaaa. Bbbb.", "Bbbb. Cccc.", "Cccc. Dddd dddd.", "Dddd dddd. Eeee."],
            id="sentences overlap",
        ),
        pytest.param(
            DocumentByWordSplitter(10, 4),
            "aaa bbb ccc ddd eee",
            ["aaa bbb", "ccc ddd", "eee"],
            id="no overlap where no sentence fits",
        ),
        pytest.param(
            DocumentByWordSplitter(5, 0),
            "abcdefghijkl mn op",
            ["abcde", "fghij", "kl", "mn op"],
            id="a long word is cut by characters",
        ),
        pytest.param(
            DocumentByWordSplitter(7, 0), "aaa bbb ccc", ["aaa bbb", "ccc"], id="an exact fit"
        ),
        pytest.param(
            DocumentByParagraphSplitter(20, 0),
            "aaaaaaaaaa bbbbbbbbbb cc\n\ndd",
            ["aaaaaaaaaa", "bbbbbbbbbb cc", "dd"],
            id="the rest of a long part stays alone",
        ),
        pytest.param(
            DocumentByParagraphSplitter(20, 5),
            "Aaaaaaaaaa bbbbbbbbbb. Cc.\n\ndd",
            ["Aaaaaaaaaa", "bbbbbbbbbb.", "Cc.", "Cc.\n\ndd"],
            id="unless it is the overlap",
        ),
        pytest.param(
            DocumentBySentenceSplitter(40, 0),
            "Short one. This is a very long sentence that does not fit into segment. Last one.",
            [
                "Short one.",
                "This is a very long sentence that does",
                "not fit into segment.",
                "Last one.",
            ],
            id="a long sentence is cut by words",
        ),
    ],
)
def test_splits_as_langchain4j_does(
    splitter: DocumentSplitter, text: str, expected: list[str]
) -> None:
    assert texts(splitter, text) == expected


def test_overlap_keeps_the_text_as_it_stands() -> None:
    """LangChain4j gives "Bbb.¶Ccc.¶Ddd ddd.": sentences of one paragraph become three."""
    text = "Aaa aaa aaa. Bbb. Ccc.\n\nDdd ddd."
    assert texts(DocumentByParagraphSplitter(30, 20), text) == [
        "Aaa aaa aaa. Bbb. Ccc.",
        "Bbb. Ccc.\n\nDdd ddd.",
    ]


def test_overlap_is_smaller_than_a_segment() -> None:
    """LangChain4j takes an equal one and fails in the middle of a document."""
    with pytest.raises(ValueError, match="less than max_size"):
        DocumentBySentenceSplitter(11, 11)


def test_a_large_overlap_gives_way() -> None:
    """LangChain4j gives "Aaaa. Bbbb." three times and cuts "Cccc." in two."""
    assert texts(DocumentBySentenceSplitter(12, 11), "Aaaa. Bbbb. Cccc. Dddd.") == [
        "Aaaa. Bbbb.",
        "Bbbb. Cccc.",
        "Cccc. Dddd.",
    ]


def test_overlap_goes_on_into_a_long_paragraph() -> None:
    """LangChain4j repeats "Bbb." as a segment of its own."""
    text = "Aaaa aaaaaa aaaa. Bbb.\n\nCcccccc ccc cccccc cc. Ddd."
    assert texts(recursive(23, 5), text) == [
        "Aaaa aaaaaa aaaa. Bbb.",
        "Bbb. Ccccccc ccc cccccc",
        "cc.",
        "cc. Ddd.",
    ]


def test_a_long_word_does_not_run_into_the_overlap() -> None:
    text = "Aaaa aa. Bb. ccccccccccccc"
    assert texts(DocumentBySentenceSplitter(12, 4), text) == [
        "Aaaa aa. Bb.",
        "Bb. cccccccc",
        "ccccc",
    ]


def test_a_long_part_without_sub_splitter_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="5 characters, a segment takes 3"):
        DocumentByRegexSplitter(",", ",", 3, 0).split(Document("ab,cdefg"))


def test_a_sub_splitter_that_gives_nothing_is_an_error() -> None:
    splitter = DocumentByRegexSplitter(",", ",", 3, 0, None, Nothing())
    with pytest.raises(RuntimeError, match="Nothing returned no segments"):
        splitter.split(Document("ab,cdefg"))


def test_any_splitter_can_be_the_sub_splitter() -> None:
    splitter = DocumentByParagraphSplitter(10, 4, None, Halves())
    assert texts(splitter, "Aa. Bb.\n\ncccccccccccc") == ["Aa. Bb.", "Bb.\n\nccc", "ccccccccc"]


def test_no_break_spaces_stay_within_words_and_at_the_ends() -> None:
    assert DocumentByWordSplitter(9, 0).parts(f"a{NBSP}b c") == [f"a{NBSP}b", "c"]
    assert texts(DocumentByWordSplitter(9, 0), f"{NBSP}a{NBSP}") == [f"{NBSP}a{NBSP}"]


@pytest.mark.parametrize("make", SPLITTERS)
def test_a_row_of_no_break_spaces_is_cut_like_any_word(make) -> None:
    pieces = make(50, 0).split_text(NBSP * 200)
    assert [len(piece) for piece in pieces] == [50] * 4
    assert "".join(pieces) == NBSP * 200


def test_blank_pieces_become_no_segments() -> None:
    """A segment of no-break spaces would have nothing to find."""
    text = f"aa\n\n{NBSP * 20}\n\nbb\n\n{chr(28) * 20}\n\ncc"
    assert texts(recursive(5, 0), text) == ["aa", "bb", "cc"]


def test_characters_are_code_points() -> None:
    """LangChain4j counts a pair of surrogates as two, and tears it."""
    assert texts(DocumentByCharacterSplitter(3, 0), "a😀b😀😀") == ["a😀b", "😀😀"]


def test_white_space_at_the_beginning_does_not_fill_a_segment() -> None:
    assert texts(DocumentByCharacterSplitter(5, 0), "      abcdef") == ["abcd", "ef"]


@pytest.mark.parametrize("make", SPLITTERS)
@pytest.mark.parametrize(("max_size", "overlap"), [(0, 0), (-1, 0), (5, -1), (5, 5), (5, 6)])
def test_sizes_are_checked_when_the_splitter_is_built(make, max_size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match=r"max_size|overlap"):
        make(max_size, overlap)


def test_metadata_is_copied_and_index_replaced() -> None:
    document = Document("Aaaa. Bbbb.", Metadata({"index": "7", "file_name": "a.txt"}))
    segments = DocumentBySentenceSplitter(5, 0).split(document)
    assert [dict(segment.metadata) for segment in segments] == [
        {"index": "0", "file_name": "a.txt"},
        {"index": "1", "file_name": "a.txt"},
    ]


def test_sizes_in_tokens() -> None:
    """What is joined has no delimiters any more: only the next one counts, 1 or 2 tokens."""
    assert texts(DocumentByWordSplitter(5, 0, Words()), "a b c d e f") == ["a b c d", "e f"]
    assert texts(DocumentByParagraphSplitter(4, 0, Words()), "a\n\nb\n\nc") == ["a\n\nb", "c"]
    assert texts(DocumentByParagraphSplitter(5, 0, Words()), "a\n\nb\n\nc") == ["a\n\nb\n\nc"]


def test_levels_of_the_recursive_splitter() -> None:
    text = "Para one.\n\nLine one\nLine two. More of it.\n\nabcdefghijklmnop"
    assert texts(recursive(10, 0), text) == [
        "Para one.",
        "Line one",
        "Line two.",
        "More of",
        "it.",
        "abcdefghij",
        "klmnop",
    ]


def test_spaces_at_the_end_of_a_long_part_do_not_count() -> None:
    """The paragraph is too long by a space; its lines then fit together."""
    assert texts(recursive(9, 0), "aaaa\nbbbb ") == ["aaaa\nbbbb"]


def test_chinese_sentences_overlap() -> None:
    text = "第一句话在这里。第二句。第三句话也在这里。"
    assert texts(recursive(16, 4), text) == [
        "第一句话在这里。 第二句。",
        "第二句。 第三句话也在这里。",
    ]


TEXTS = st.text(st.sampled_from("aaab  .\n。字😀" + NBSP), max_size=200).filter(str.strip)


@settings(deadline=None)
@given(TEXTS, st.integers(2, 40), st.data())
def test_nothing_is_lost_and_every_segment_fits(text: str, max_size: int, data) -> None:
    overlap = data.draw(st.integers(0, max_size - 1))
    make = data.draw(st.sampled_from(SPLITTERS))
    found = texts(make(max_size, overlap), text)
    assert all(len(segment) <= max_size for segment in found)
    wanted, joined = (re.sub(r"\s+", "", t) for t in (text, "".join(found)))
    if overlap == 0:
        assert joined == wanted
    else:
        assert len(joined) >= len(wanted)
        assert set(joined) == set(wanted)


@settings(deadline=None)
@given(st.integers(10, 80), st.data())
def test_every_segment_says_something_new(max_size: int, data) -> None:
    overlap = data.draw(st.integers(0, max_size - 1))
    gaps = data.draw(st.lists(st.sampled_from(["\n\n", "\n", " "]), min_size=30, max_size=30))
    text = "".join(f"W{number} g{number}.{gap}" for number, gap in enumerate(gaps))
    seen: set[str] = set()
    for segment in texts(recursive(max_size, overlap), text):
        words = set(re.findall(r"\w+", segment))
        assert words - seen
        seen |= words
    assert len(seen) == 60
