from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.document import Document
from desktop_rag.domain.segment import TextSegment
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.model_text import CONTEXT_SEPARATOR
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.parsers.text import parse_text
from desktop_rag.ingestion.preparation import Preparation
from desktop_rag.text.analysis import analyse
from desktop_rag.text.hashing import text_hash
from tests.helpers.preparing import paragraphs, prepared, spaces

BODY = "The payment term is thirty days. It begins when the goods arrive at the buyer's works."


def test_what_the_model_reads_is_context_and_words() -> None:
    document = prepared(f"Supply contract\n\nChapter 2: Payment\n\n{BODY}\n")

    segment = document.segments[0]
    assert segment.text == f"Supply contract › Chapter 2: Payment\n{BODY}"
    assert document.text[segment.start : segment.end] == BODY
    assert segment.text_hash == text_hash(segment.space, segment.text)
    assert segment.terms == " ".join(analyse(segment.text))
    assert segment.tokens == spaces()["en"].counter.count(segment.text) + 2


def test_nothing_comes_from_the_name() -> None:
    assert prepared(BODY, "a.txt") == prepared(BODY, "another.log")


def test_words_are_folded_and_places_are_not() -> None:
    raw = "The ﬁrst\u00ad scientiﬁc \t  ｔｅｓｔ here."
    document = prepared(raw)

    segment = document.segments[0]
    assert segment.text == "The first scientific test here."
    assert (
        document.text[segment.start : segment.end] == "The ﬁrst\u00ad scientiﬁc \t  ｔｅｓｔ here."
    )
    assert "scientif" in segment.terms


def test_traditional_characters_are_read_simplified() -> None:
    document = prepared("買賣合同付款期限為三十天，逾期須付違約金。")

    segment = document.segments[0]
    assert segment.language == document.language == "zh"
    assert "买卖合同付款期限为三十天" in segment.text
    assert document.text[segment.start : segment.end].startswith("買賣合同")


def test_markdown_is_read_without_markup() -> None:
    document = prepared("# Guide\n\nSee **the** [price list](http://example.org/a/b).\n", "a.md")

    assert document.segments[0].text == "Guide\nSee the price list."


@pytest.mark.parametrize("leader", ["." * 60, ". " * 30, "_" * 40, "…" * 20])
def test_leaders_cost_nothing(leader: str) -> None:
    document = prepared(f"Contents of the book\n\nIntroduction {leader} 12\n")

    assert document.segments[0].text == "Contents of the book\nIntroduction 12"


def test_long_titles_and_headings_are_cut() -> None:
    title = " ".join(["extraordinarily"] * 15)
    document = prepared(f"# {title}\n\n## {title} again\n\n{BODY}\n", "a.md")

    context = document.segments[0].text.split("\n")[0]
    assert CONTEXT_SEPARATOR in context
    assert spaces()["en"].counter.count(context) <= 40 + 24 + 3


@pytest.mark.parametrize("text", ["﷽ " * 400, "㌖㍻㋿ " * 300, "x" * 5000, "\u0e01\u0e33" * 3000])
def test_no_text_is_over_the_models_limit(text: str) -> None:
    document = prepared(f"Title of it\n\nStart {text} end")

    limits = {space.name: space for space in spaces().values()}
    assert document.segments
    for segment in document.segments:
        space = limits[segment.space]
        assert segment.tokens == space.counter.count(segment.text) + 2 <= space.max_tokens


def test_a_fact_at_the_end_of_a_long_segment_is_read() -> None:
    for filler, fact in (
        ("条款内容说明" * 250, "密码是蓝鲸。"),
        ('{"p": "/a/b/c"} ' * 300, "Whale."),
    ):
        document = prepared(filler + fact)
        assert any(fact.strip("。.").lower() in s.text.lower() for s in document.segments)


class _Shout:
    def transform(self, document: Document) -> Document:
        return Document(document.text.upper(), document.metadata.with_value("loud", 1))


class _Tag:
    def transform(self, document: Document) -> Document:
        return Document(document.text, document.metadata.with_value("tag", "x"))


class _DropDocument:
    def transform(self, document: Document) -> None:
        del document


class _DropShort:
    def transform(self, segment: TextSegment) -> TextSegment | None:
        return None if "thirty" in segment.text else replace(segment, text=segment.text + " So.")


def test_document_transformers_come_before_the_split() -> None:
    parsed = parse_bytes(f"# Title\n\n{BODY}\n".encode(), "a.md")

    tagged = Preparation(spaces(), document_transformers=[_Tag()]).prepare(parsed)
    assert tagged.metadata["tag"] == "x"
    assert tagged.kind == "markdown"
    shouted = Preparation(spaces(), document_transformers=[_Tag(), _Shout()]).prepare(parsed)
    assert shouted.kind == "text"
    assert shouted.text == f"# TITLE\n\n{BODY.upper()}\n"
    assert dict(shouted.metadata) == {"tag": "x", "loud": 1}


def test_a_dropped_document_is_a_known_error() -> None:
    preparation = Preparation(spaces(), document_transformers=[_DropDocument(), _Tag()])

    with pytest.raises(KnownError) as caught:
        preparation.prepare(parse_text(BODY))

    assert caught.value.title == "Left out"


def test_segment_transformers_change_what_is_read_and_drop() -> None:
    text = "\n\n".join([*paragraphs(9, 30, 5), BODY])
    plain = prepared(text)
    changed = Preparation(spaces(), segment_transformers=[_DropShort()]).prepare(parse_text(text))

    assert 0 < len(changed.segments) < len(plain.segments)
    assert all(segment.text.endswith(" So.") for segment in changed.segments)
    places = {(s.start, s.end) for s in plain.segments}
    assert all((s.start, s.end) in places for s in changed.segments)
