"""Sentences held against their sources: marks, numbers, dates, names, negations, quotes."""

from __future__ import annotations

import pytest

from desktop_rag.answering.checking.facts import FactKind
from desktop_rag.answering.checking.marks import marked_sentences, with_own_marks
from desktop_rag.answering.checking.reading import facts_in, read_text
from desktop_rag.domain.answer import Support
from tests.helpers.answering_desk import Desk

PUMPS = (
    "The P-100 pump costs 1,200 dollars and has a warranty of 3 years. "
    "The P-200 pump costs 950 dollars and has a warranty of 5 years. "
    "Both were tested by Ada Lovelace in Berlin on 15 August 2024. "
    "About 3 percent of the pumps were not sold."
)
CHINESE = "水泵由王小明在北京測試。測試日期是2024年8月15日。保修期為三年。该水泵不可以在水下使用。"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory):
    texts = {"pumps.txt": PUMPS, "水泵.txt": CHINESE, "other.txt": "Cats sleep in the garden."}
    opened = Desk(tmp_path_factory.mktemp("desk"), texts)
    opened.pool.submit(int).result()
    yield opened
    opened.close()


def check(desk, text: str, language: str = "en"):
    """Check a text against the three files, the first of which is source 1."""
    everything = desk.found("pump cats garden 水泵 测试").contents
    order = ("pumps.txt", "水泵.txt", "other.txt")
    contents = [
        next(one for one in everything if one.segment.metadata["file_name"] == name)
        for name in order
    ]
    writing = desk.writing()
    return writing.check.check(text, contents, writing.places.of(contents), language)


def support(desk, text: str) -> Support:
    [sentence] = check(desk, text).sentences
    return sentence.support


@pytest.mark.parametrize(
    ("written", "own"),
    [
        ("A fact [1].", "A fact [1]."),
        ("A fact[1, 2].", "A fact [1][2]."),
        ("A fact 【1】.", "A fact [1]."),
        ("A fact. [1] Next. [2]", "A fact [1]. Next [2]."),
        ("事实。[1]下一句【2】。", "事实 [1]。下一句 [2]。"),
        ("A fact [7].", "A fact."),
        ("A fact [1, 9].", "A fact [1]."),
        ("A fact [1-3].", "A fact [1][2][3]."),
        ("A fact [source 2].", "A fact [2]."),
        ("A fact [0].", "A fact."),
        ("An array a[i] and [sic].", "An array a[i] and [sic]."),
    ],
)
def test_marks_are_written_one_way_and_those_beyond_the_sources_dropped(written, own):
    assert with_own_marks(written, 3) == own


def test_sentences_know_their_marks_and_their_places():
    text = "# Title\nHere it is:\n- One thing [1].\n- Another [2][3]. And more.\n\n第三。"
    found = list(marked_sentences(text, "en"))

    assert [one.bare for one in found] == ["One thing .", "Another .", "And more.", "第三。"]
    assert [one.numbers for one in found] == [(1,), (2, 3), (), ()]
    assert text[found[1].start : found[1].end] == "Another [2][3]."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("1.5 million", "1,500,000"),
        ("3 %", "3 percent"),
        ("3%", "百分之三"),
        ("2024-08-15", "15 August 2024"),
        ("August 15, 2024", "2024年8月15日"),
        ("twenty-one", "21"),
        ("一百二十", "120"),
        ("3.5万", "35000"),
        ("the 10th", "the tenth"),
        ("二〇二四年", "2024年"),
        ("Ada Lovelace's", "ADA LOVELACE"),
        ("１２３", "123"),
        ("《水滸傳》", "《水浒传》"),
    ],
)
def test_the_same_fact_has_one_form(one, other):
    [stated] = facts_in(read_text(one).text)
    [there] = facts_in(read_text(other).text)

    assert there.value == stated.value
    assert there.bears_out(stated)


def test_a_day_bears_out_its_month_and_year_but_not_the_other_way_round():
    [day] = facts_in("15 August 2024")
    [month] = facts_in("August 2024")
    [year] = facts_in("2024")

    assert day.bears_out(month)
    assert day.bears_out(year)
    assert not month.bears_out(day)
    assert year.kind is FactKind.YEAR


@pytest.mark.parametrize(
    "sentence",
    [
        "The P-100 pump costs 1200 dollars [1].",
        "The P-200 pump has a warranty of five years [1].",
        "Both were tested by Ada Lovelace on 2024-08-15 [1].",
        "About 3% of the pumps were not sold [1].",
        "水泵的测试日期是2024-08-15 [2]。",
        "水泵由王小明在北京测试 [2]。",
    ],
)
def test_what_the_source_says_in_another_form_is_borne_out(desk, sentence):
    assert support(desk, sentence) is not Support.UNSUPPORTED


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("The P-100 pump costs 1300 dollars [1].", "“1300” is not in the source"),
        ("The P-300 pump costs 950 dollars [1].", "“P-300” is not in the source"),
        ("Both were tested by Grace Hopper in Berlin on 15 August 2024 [1].", "Grace Hopper"),
        ("Both were tested by Ada Lovelace in Berlin on 16 August 2024 [1].", "16 August 2024"),
        ("Both were not tested by Ada Lovelace in Berlin [1].", "opposite"),
        ("About 3 percent of the pumps were sold [1].", "opposite"),
        ("The P-100 pump costs 950 dollars [1].", "belong to something else"),
    ],
)
def test_what_the_source_has_otherwise_is_not_supported_and_the_reason_is_said(desk, sentence, why):
    [checked] = check(desk, sentence).sentences

    assert checked.support is not Support.SUPPORTED
    assert why in checked.reason


def test_reasons_are_in_the_question_s_language(desk):
    [checked] = check(desk, "水泵的保修期为七年 [2]。", "zh").sentences

    assert checked.support is Support.UNSUPPORTED
    assert checked.reason == "来源中没有“七”。"


def test_a_sentence_without_a_mark_gets_the_source_that_bears_it_out(desk):
    checked = check(desk, "Cats sleep in the garden. Dogs bark at 77 trains.")

    assert checked.text == "Cats sleep in the garden [3]. Dogs bark at 77 trains."
    assert checked.sentences[0].numbers == (3,)
    assert checked.sentences[1].numbers == ()
    assert checked.sentences[1].reason == "None of the sources says this."


def test_a_wrong_source_is_told_from_the_right_one(desk):
    [checked] = check(desk, "Cats sleep in the garden [1].").sentences

    assert checked.support is Support.WEAK
    assert checked.reason == "Source 1 does not say this, but source 3 does."
    assert checked.quote.quote == "Cats sleep in the garden."


def test_every_quote_is_what_the_document_says_and_every_span_the_sentence(desk):
    text = "The P-100 pump costs 1,200 dollars. [1] 水泵由王小明在北京测试【2】。Cats sleep."
    checked = check(desk, text)

    assert len(checked.sentences) == 3
    for citation in (*checked.citations, *(one.quote for one in checked.sentences)):
        document = desk.store.document(citation.document_id)
        assert document.text[citation.start : citation.end] == citation.quote
    for one in checked.sentences:
        assert checked.text[one.start : one.end].strip() == checked.text[one.start : one.end]
        assert all(f"[{n}]" in checked.text[one.start : one.end] for n in one.numbers)
    assert [one.number for one in checked.citations] == [1, 2, 3]


def test_a_sentence_in_another_language_is_at_most_weak(desk):
    [checked] = check(desk, "这些水泵由 Ada Lovelace 在2024年8月15日测试 [1]。", "zh").sentences

    assert checked.support is Support.WEAK
    assert "另一种语言" in checked.reason


def test_without_any_source_nothing_is_supported(desk):
    writing = desk.writing()
    checked = writing.check.check("The rent is 900 dollars [1].", [], [], "en")

    assert checked.text == "The rent is 900 dollars."
    assert checked.sentences[0].support is Support.UNSUPPORTED
    assert checked.citations == ()
