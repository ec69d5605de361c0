"""Queries that say the same in other words: spelling, acronyms, and chains of transformers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.retrieval.transformers.acronyms import AcronymQueryTransformer
from desktop_rag.retrieval.transformers.chain import QueryTransformerChain
from desktop_rag.retrieval.transformers.conversational import ConversationalQueryTransformer
from desktop_rag.retrieval.transformers.definitions import long_form
from desktop_rag.retrieval.transformers.edits import edits
from desktop_rag.retrieval.transformers.english_words import EnglishWords
from desktop_rag.retrieval.transformers.spelling import SpellingQueryTransformer
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.catalog_library import Entry, open_catalog
from tests.helpers.retrieval_parts import FixedTransformer

TEXTS = (
    "The warranty of the pump is two years. Every warranty begins with the delivery.",
    "The management will receive the invoices of the department each month.",
    "The Service Level Agreement (SLA) promises an answer within a day. The SLA is signed.",
    "The RMS (root mean square) of the current is measured.",
    "双方签订服务水平协议（SLB）。服务水平协议（SLB）规定响应时间。",
    "KPI（关键绩效指标）每季度评估一次。",
    "Order HT-2024-0815 was shipped. The Warrant Officer signed.",
)
KNOWN = {"garden", "meal", "receive", "warrant", "signs"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeStore]:
    entries = [Entry(f"{n}.txt", "text", text) for n, text in enumerate(TEXTS)]
    opened = open_catalog(tmp_path_factory.mktemp("words"), entries)
    yield opened
    opened.close()


@pytest.fixture
def spelling(store: KnowledgeStore) -> SpellingQueryTransformer:
    return SpellingQueryTransformer(store, lambda word: word.lower() in KNOWN)


@pytest.fixture
def acronyms(store: KnowledgeStore) -> AcronymQueryTransformer:
    return AcronymQueryTransformer(store)


def texts(queries: list[Query]) -> list[str]:
    return [query.text for query in queries]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("How long is the warrenty?", "How long is the warranty?"),
        ("How long is the warratny?", "How long is the warranty?"),
        ("Warrenty of the pump", "Warranty of the pump"),
        ("what does the invioce say", "what does the invoices say"),
        ("what does the departmant recieve", "what does the department receive"),
        ("what does the epartment do", "what does the department do"),
        ("pump 的 warrenty 是多久？", "pump 的 warranty 是多久？"),
    ],
)
def test_a_word_that_is_nowhere_is_searched_as_it_was_meant(
    spelling: SpellingQueryTransformer, written: str, meant: str
) -> None:
    context = QueryContext(chat_id=3)
    query, other = spelling.transform(Query(written, context))
    assert (query.text, query.note, other.text) == (written, "", meant)
    assert other.context is context


@pytest.mark.parametrize(
    "text",
    [
        "How long is the warranty?",
        "Where is the garden?",
        "who is in the managment",
        "Where is HT-2024-0816?",
        "warrenty2 or mail@warrenty.com or /home/warrenty",
        "WARRENTY of the pump",
        "the pomp",
        "Zxqwvut",
        "一年的保修",
        "保修期多久",
        "?",
        "warrenty " + "and so on " * 20,
    ],
)
def test_what_is_known_or_no_plain_word_is_left_alone(
    spelling: SpellingQueryTransformer, text: str
) -> None:
    query = Query(text)
    if text == "the pomp":
        assert texts(spelling.transform(query)) == ["the pomp", "the pump"]
    else:
        assert spelling.transform(query) == [query]


def test_the_user_is_told_what_else_was_searched(spelling: SpellingQueryTransformer) -> None:
    [_, other] = spelling.transform(Query("How long is the warrenty?"))
    assert other.note == ("Searched for “warranty” too: “warrenty” is nowhere in your documents.")
    [_, other] = spelling.transform(Query("warrenty 是多久？"))
    assert other.note == "同时搜索了“warranty”：文档中没有“warrenty”。"


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("word", "word", 0),
        ("word", "wrod", 1),
        ("word", "words", 1),
        ("word", "wor", 1),
        ("word", "ward", 1),
        ("ca", "abc", 3),
        ("word", "", 4),
        ("word", "entirely", 4),
    ],
)
def test_slips_are_counted_up_to_a_limit(one: str, other: str, count: int) -> None:
    assert edits(one, other, 3) == edits(other, one, 3) == count


def test_relatives_of_a_known_word_are_english_too() -> None:
    class Counter:
        def count(self, text: str) -> int:
            return 1 if text in {"state", "sign", "family", "stop", "quality"} else 2

    words = EnglishWords(Counter())
    for good in ("State", "stated", "restated", "signer", "families", "stopping", "qualitative"):
        assert words.has(good), good
    for bad in ("familes", "sgin", "qualty", "s"):
        assert not words.has(bad), bad


@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        ("What does the SLA promise?", "What does the Service Level Agreement (SLA) promise?"),
        ("Are SLAs signed?", "Are Service Level Agreement (SLA) signed?"),
        ("What is the RMS of it?", "What is the root mean square (RMS) of it?"),
        ("SLB的响应时间是多少？", "服务水平协议 (SLB)的响应时间是多少？"),
        ("KPI多久评估一次？", "关键绩效指标 (KPI)多久评估一次？"),
        (
            "What does the service level agreement promise?",
            "What does the service level agreement (SLA) promise?",
        ),
    ],
)
def test_an_acronym_is_searched_with_what_it_stands_for_and_the_other_way(
    acronyms: AcronymQueryTransformer, asked: str, searched: str
) -> None:
    assert texts(acronyms.transform(Query(asked))) == [asked, searched]


@pytest.mark.parametrize(
    "asked",
    [
        "What does the Service Level Agreement (SLA) promise?",
        "What does the XYZ promise?",
        "What does the sla promise?",
        "WHAT DOES THE SLA PROMISE",
        "What does the HT-2024-0815 cost?",
        "the current level of the agreement",
        "保修期多久",
        "SLA " + "and so on " * 20,
    ],
)
def test_without_a_definition_nothing_else_is_searched(
    acronyms: AcronymQueryTransformer, asked: str
) -> None:
    assert acronyms.transform(Query(asked)) == [Query(asked)]


def test_the_user_is_told_what_an_acronym_was_taken_for(acronyms: AcronymQueryTransformer) -> None:
    [_, other] = acronyms.transform(Query("What does the SLA promise?"))
    assert other.note == (
        "Searched for “Service Level Agreement” too: in your documents it means the same as “SLA”."
    )
    [_, other] = acronyms.transform(Query("KPI多久评估一次？"))
    assert other.note == "同时搜索了“关键绩效指标”：文档中把它和“KPI”写在一起。"


@pytest.mark.parametrize(
    ("acronym", "text", "form"),
    [
        ("SLA", "a Service Level Agreement (SLA) is", "Service Level Agreement"),
        ("SLA", "an SLA (service level agreement, see below) is", "service level agreement"),
        ("SLAs", "service level agreements (SLAs)", "service level agreements"),
        ("HTTP", "the Hypertext Transfer Protocol (HTTP)", "Hypertext Transfer Protocol"),
        ("R&D", "in research and development (R&D)", "research and development"),
        ("DoD", "the Department of Defense (DoD)", "Department of Defense"),
        ("SLA", "“服务水平协议”（SLA）", "服务水平协议"),
        ("SLA", "根据服务水平协议(SLA)", "服务水平协议"),
        ("SLA", "SLA（Service Level Agreement，服务水平协议）", "Service Level Agreement"),
        ("SLA", "Nothing fits here (SLA).", ""),
        ("SLA", "see the table (SLA) and SLA (page 3)", ""),
        ("SLA", "It ended. Some later agreements (SLA)", "Some later agreements"),
        ("SLA", "", ""),
    ],
)
def test_definitions_are_found_beside_brackets(acronym: str, text: str, form: str) -> None:
    assert long_form(acronym, [text]) == form


def test_the_definition_that_most_texts_give_counts() -> None:
    two = ["the sales ledger account (SLA)", "a service level agreement (SLA)"]
    assert long_form("SLA", [*two, "Service level agreement (SLA)"]) == "service level agreement"
    han = ["双方的服务水平协议（SLA）", "供应商服务水平协议（SLA）"]
    assert long_form("SLA", han) == "服务水平协议"


class Replacing:
    """Adds the query with one word for another."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words

    def transform(self, query: Query) -> list[Query]:
        made = [query]
        for one, other in self._words.items():
            if one in query.text:
                made.append(Query(query.text.replace(one, other), query.context, "other"))
        return made


def test_a_chain_hands_on_and_keeps_what_matters_first() -> None:
    chain = QueryTransformerChain(
        (ConversationalQueryTransformer(), Replacing({"b": "B"}), Replacing({"a": "A"}))
    )
    question = Query("ab", QueryContext(history=(UserMessage("b"),)))
    assert texts(chain.transform(question)) == ["ab", "b\nab", "aB", "B\naB", "Ab", "b\nAb"]


def test_a_chain_gives_equal_queries_once_and_not_too_many() -> None:
    same = QueryTransformerChain((FixedTransformer("xyx"), FixedTransformer("xx")))
    assert texts(same.transform(Query("q"))) == ["x"]
    few = QueryTransformerChain((FixedTransformer("abc"),), most=2)
    assert texts(few.transform(Query("q"))) == ["a", "b"]
    assert QueryTransformerChain((FixedTransformer(""),)).transform(Query("q")) == []


def test_a_chain_is_checked_when_built() -> None:
    with pytest.raises(ValueError, match="at least one"):
        QueryTransformerChain(())
    with pytest.raises(ValueError, match="most"):
        QueryTransformerChain((FixedTransformer("a"),), most=0)


def test_a_note_is_no_part_of_what_a_query_is() -> None:
    assert Query("a", note="why") == Query("a")
    assert len({Query("a", note="why"), Query("a")}) == 1
