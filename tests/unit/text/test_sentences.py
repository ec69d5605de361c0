from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.text.sentences import sentences

ANY_TEXT = st.text(st.characters(), max_size=120)
LIKELY_TEXT = st.text(
    st.sampled_from("aA1 .!?。！？；\n\r\t\"'”’「」()[]…，中文é😀\ud800\x00"), max_size=120
)


def cut(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.parametrize(
    "parts",
    [
        ["One sentence.", "Two sentences!", "Three?"],
        ["Dr. Smith came at 5 p.m. on Monday.", "He left."],
        ["See Fig. 3 and no. 5 of the list.", "It is there."],
        ["Use pliers, e.g. Knipex.", "Or not."],
        ["The U.S. Army paid 3.14 dollars.", "It was Roe v. Wade."],
        ["See Eq. (2) there.", "In Ch. 4 we go on."],
        ["As Ref. [12] says.", "So it is."],
        ["It measures approx. 5 cm.", "It is small."],
        ["J. R. R. Tolkien wrote it.", "I. e. the book."],
        ["Version 1.2.3 of file.txt is at www.example.org today.", "Get it."],
        ["What?!", "No...", "Really."],
        ['"Go. Now!" he said.', "She went."],
        ["1. Introduction to the matter.", "Then more."],
        ["A line that was\nwrapped by hand.", "Another\none."],
        ["Title without an end"],
    ],
)
def test_english(parts: list[str]) -> None:
    assert cut(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["他来了。", "她走了！", "真的吗？"],
        ["他问：“为什么？”", "我说：“不知道。”"],
        ["「真的嗎？」", "他問。"],
        ["『是。』", "（对。）好。"],
        ["甲方付款；", "乙方交货。"],
        ["价格是3.5元。", "他来了！！！"],
        ["他用它。", "iPhone好用。", "3月了。"],
        ["这一行\n被换行了。", "下一句。"],
    ],
)
def test_chinese(parts: list[str]) -> None:
    assert cut("".join(parts), "zh") == parts
    assert cut("".join(parts), "en") == parts


def test_blank_lines_end_a_sentence_and_wrapped_lines_do_not() -> None:
    text = "A heading\n\nA line\nand its rest\n \t\nNext\r\n\r\nLast\fPage"
    assert cut(text) == ["A heading", "A line\nand its rest", "Next", "Last", "Page"]


def test_an_abbreviation_at_the_end_of_a_line_does_not_end_a_sentence() -> None:
    assert cut("He asked Dr.\nSmith about it. Then he left.") == [
        "He asked Dr.\nSmith about it.",
        "Then he left.",
    ]


def test_text_without_capital_letters_is_cut_too() -> None:
    assert cut("the flow is laminar . it was measured . next comes the wing .") == [
        "the flow is laminar .",
        "it was measured .",
        "next comes the wing .",
    ]


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\u3000\t"])
def test_white_space_holds_no_sentence(text: str) -> None:
    assert sentences(text, "en") == []


def test_an_unknown_language_follows_english_rules() -> None:
    assert cut("Dr. Smith came. He left.", "tlh") == ["Dr. Smith came.", "He left."]


def test_long_paragraphs_are_cut_as_short_ones() -> None:
    for sentence, language in (("合同付款期限为三十天。", "zh"), ("A pump has a seal. ", "en")):
        found = cut(sentence * 2_000, language)
        assert found == [sentence.strip()] * 2_000


@pytest.mark.parametrize("unit", ["a", "word ", "中", "(", "“这。", "a.b", "\n", "Mr. ", "x\n"])
def test_long_lines_take_linear_time(unit: str) -> None:
    text = (unit * 100_000)[:100_000]
    found = sentences(text, "en")
    assert all(end - start <= 16_384 for start, end in found)
    assert_covers(text, found)


def assert_covers(text: str, found: list[tuple[int, int]]) -> None:
    """Every character but white space is in exactly one trimmed sentence, in order."""
    position = 0
    for start, end in found:
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        position = end
    assert not text[position:].strip()


@settings(deadline=None)
@given(ANY_TEXT | LIKELY_TEXT, st.sampled_from(["en", "zh", ""]))
def test_sentences_cover_the_text(text: str, language: str) -> None:
    assert_covers(text, sentences(text, language))
