"""The filter that users type."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.filter import (
    And,
    ContainsIgnoringCase,
    IsEqualTo,
    IsGreaterThanOrEqualTo,
    IsLessThan,
    Not,
    Or,
    matches,
)
from desktop_rag.domain.metadata import Metadata
from desktop_rag.foundation.errors import KnownError
from desktop_rag.retrieval.filter_expression import parse_filter, split_question

PDF = IsEqualTo("type", "pdf")


@pytest.mark.parametrize("text", ["", "   ", '""', "-", '-"', "(", ":", " - : ' ", '"  "', "*"])
def test_nothing_asked_for_is_no_filter(text):
    assert parse_filter(text) is None


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("type:pdf", PDF),
        ("TYPE:PDF", PDF),
        ("type:.pdf", PDF),
        ("type:md", IsEqualTo("type", "markdown")),
        ("type:txt", IsEqualTo("type", "text")),
        ("type:pdf,md", Or(PDF, IsEqualTo("type", "markdown"))),
        ("type:jpg", IsEqualTo("type", "image")),
        ("type:excel", Or(IsEqualTo("type", "xlsx"), IsEqualTo("type", "xls"))),
        ("type:pdf type:docx", Or(PDF, IsEqualTo("type", "docx"))),
        ("-type:pdf", Not(PDF)),
        ("folder:contracts", ContainsIgnoringCase("folder", "contracts")),
        ('folder:"my contracts"', ContainsIgnoringCase("folder", "my contracts")),
        ("file:Minutes", ContainsIgnoringCase("file_name", "Minutes")),
        ("author:李", ContainsIgnoringCase("author", "李")),
        ("after:2025-01", IsGreaterThanOrEqualTo("modified", "2025-01-01")),
        ("after:2024-2-29", IsGreaterThanOrEqualTo("modified", "2024-02-29")),
        ("before:2025", IsLessThan("modified", "2025-01-01")),
        ('"net 30  days"', ContainsIgnoringCase("text", "net 30 days")),
        ('"not closed', ContainsIgnoringCase("text", "not closed")),
        ("-draft", Not(ContainsIgnoringCase("text", "draft"))),
        ('-"first draft"', Not(ContainsIgnoringCase("text", "first draft"))),
        ("合同條款", ContainsIgnoringCase("text", "合同条款")),
        ("C++", ContainsIgnoringCase("text", "C++")),
        ("foo:bar", ContainsIgnoringCase("text", "foo:bar")),
        ("HT-2024-0815", ContainsIgnoringCase("text", "HT-2024-0815")),
        ("it's", ContainsIgnoringCase("text", "it's")),
    ],
)
def test_one_part(text, condition):
    assert parse_filter(text) == condition


def test_parts_hold_together_and_values_of_one_key_are_alternatives():
    condition = parse_filter('type:pdf folder:a folder:b after:2025 before:2026 "x y" -z')
    metadata = {"type": "pdf", "folder": "/home/A/q", "modified": "2025-06-30"}
    assert isinstance(condition, And)
    without_text = parse_filter("type:pdf folder:a folder:b after:2025 before:2026")
    assert without_text is not None
    assert matches(without_text, Metadata(metadata))
    assert not matches(without_text, Metadata({**metadata, "modified": "2026-01-01"}))
    assert not matches(without_text, Metadata({**metadata, "folder": "/c"}))
    assert not matches(without_text, Metadata({"type": "pdf"}))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("after:soon", "“soon” is not a date. Write it as 2025, 2025-01 or 2025-01-31."),
        ("before:2025-13", "“2025-13” is not a date."),
        ("before:2025-02-30", "“2025-02-30” is not a date."),
        ("after:0", "“0” is not a date."),
        ("after:0000", "“0000” is not a date."),
        ("type:", "“type:” needs a value right behind the colon, as in type:pdf."),
        ('author:""', 'as in author:"Ada Lovelace".'),
    ],
)
def test_a_malformed_value_is_told_in_a_sentence(text, sentence):
    with pytest.raises(KnownError) as raised:
        parse_filter(text)
    assert sentence in raised.value.message


@given(st.text(max_size=40))
def test_odd_text_never_raises_anything_else(text):
    with contextlib.suppress(KnownError):
        parse_filter(text)


def contains(words: str) -> ContainsIgnoringCase:
    return ContainsIgnoringCase("text", words)


@pytest.mark.parametrize(
    ("typed", "words", "condition"),
    [
        ("warranty type:pdf", "warranty", PDF),
        ("type:pdf warranty", "warranty", PDF),
        ("How long is the warranty? type:pdf", "How long is the warranty?", PDF),
        ("how long is the warranty type:pdf?", "how long is the warranty ?", PDF),
        ("保修期多久 type:pdf", "保修期多久", PDF),
        (
            'warranty author:"Ada Lovelace"',
            "warranty",
            ContainsIgnoringCase("author", "Ada Lovelace"),
        ),
        ("warranty -folder:old", "warranty", Not(ContainsIgnoringCase("folder", "old"))),
        ("warranty after:2024", "warranty", IsGreaterThanOrEqualTo("modified", "2024-01-01")),
        ("warranty -draft", "warranty", Not(contains("draft"))),
        ('pump "two years"', "pump two years", contains("two years")),
        ('pump -"first draft"', "pump", Not(contains("first draft"))),
        (
            'what about "two years" type:pdf',
            "what about two years",
            And(PDF, contains("two years")),
        ),
        ("type:pdf", "", PDF),
    ],
)
def test_conditions_are_taken_out_of_a_question(typed, words, condition):
    assert split_question(typed) == (words, condition)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what does the -v option do?",
        "what methods -dash exact or approximate -dash are there",
        "jet interference with supersonic flow -dash experimental papers .",
        'Who said "I have a dream"?',
        "Notes after: the meeting",
        "the author: who is it",
        "type: pdf",
        "open file:///home/me/x.pdf",
        "the mimetype:pdf of it",
        "-5 degrees",
        "a - b",
        '""',
        "什么是“不可抗力”？",
        "two  blanks stay",
    ],
)
def test_what_may_be_part_of_a_sentence_stays(text):
    assert split_question(text) == (text, None)


def test_a_malformed_condition_in_a_question_is_told_in_a_sentence():
    with pytest.raises(KnownError, match="“soon” is not a date") as raised:
        split_question("warranty after:soon")
    assert raised.value.title == "Not a date"
    with pytest.raises(KnownError, match="needs a value right behind the colon"):
        split_question('warranty type:""')


@given(st.text(max_size=60))
def test_any_text_is_split_or_refused(text):
    with contextlib.suppress(KnownError):
        words, condition = split_question(text)
        assert condition is not None or words == text
