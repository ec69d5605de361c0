from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.text.analysis import analyse, analyse_query

ANY_TEXT = st.text(st.characters(), max_size=60)
MIXED_TEXT = st.text(
    st.sampled_from("ab C1.+#-_'@&,\u2019 \n東京付款什么的是カタ한국é\u0301\u00ad?!()*\"：。"),
    max_size=40,
)


def finds(document: str, question: str) -> bool:
    """Whether any term of the question is one of the document's."""
    return bool(set(analyse_query(question)) & set(analyse(document)))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Running pumps", ["run", "pump"]),
        ("HT-2024-0815", ["ht", "2024", "0815", "ht-2024-0815"]),
        ("SKU-48291", ["sku", "48291", "sku-48291"]),
        ("C++ C# .NET", ["c", "c++", "c", "c#", "net", ".net"]),
        ("foo_bar", ["foo", "bar", "foo_bar"]),
        ("v1.2.3", ["v1", "2", "3", "v1.2.3"]),
        ("e-mail", ["e", "mail", "email"]),
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("U.S. Ph", ["us", "ph"]),
        ("1,000.50 3.14", ["1000.50", "3.14"]),
        ("R&D O'Brien's", ["r", "d", "r&d", "o", "brien", "o'brien"]),
        ("don't it's", ["do", "it"]),
        ("ＨＴ－２０２４", ["ht", "2024", "ht-2024"]),
        ("付款", ["付", "款", "付款"]),
        ("臺灣", ["台", "湾", "台湾"]),
        ("第5章", ["第", "5", "章"]),
        ("", []),
        (" ?!( * ", []),
    ],
)
def test_terms_of_a_document(text: str, terms: list[str]) -> None:
    assert analyse(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("What is the warranty of the pump?", ["warranti", "pump"]),
        ("what is this?", ["what", "is", "this"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("What does John Doe do?", ["john", "doe"]),
        ("pump pumps PUMP", ["pump"]),
        ("IT department of the WHO", ["it", "depart", "who"]),
        ("WHAT IS THE PRICE", ["price"]),
        ("it's a U.S. law", ["us", "law"]),
        ("付款期限是多少天？", ["付款", "款期", "期限", "限是", "天"]),
        ("付款 期限", ["付款", "期限"]),
        ("款", ["款"]),
        ("什么", ["什么"]),
        ("為什麼下雨", ["下雨"]),
        ("X光", ["x", "光"]),
        ("*", []),
        ("", []),
    ],
)
def test_terms_of_a_question(text: str, terms: list[str]) -> None:
    assert analyse_query(text) == terms


E1 = [
    "HT-2024-0815",
    "C++",
    ".NET",
    "it's",
    'a"b',
    "AND",
    "*",
    "what is this?",
    "foo:bar",
    "(",
    "",
    "NEAR/3",
    "\\",
    "-",
    "'",
    "\x00",
    "\ud800",
]


@pytest.mark.parametrize("text", E1)
def test_e1_query_syntax_is_only_text(text: str) -> None:
    terms = analyse_query(text)
    assert all(term and not any(map(str.isspace, term)) for term in terms)
    if any(map(str.isalnum, text)):
        assert finds(f"Some words, {text}, and more.", text)


@pytest.mark.parametrize(
    ("document", "question"),
    [
        ("合同付款期限为三十天。", "付款期限"),
        ("合同付款期限为三十天。", "付款"),
        ("合同付款期限为三十天。", "款"),
        ("重跑gen-itgc后", "gen"),
        ("重跑gen-itgc后", "gen-itgc"),
        ("重跑gen-itgc后", "重跑"),
        ("重跑gen-itgc后", "后"),
        ("合同的付款\n期限", "付款期限"),
        ("臺灣的發展", "台湾发展"),
        ("台湾的发展", "臺灣"),
        ("東京タワーへ行く", "タワー"),
        ("서울에서 먹었다", "서울"),
        ("ประเทศไทย", "ไทย"),
        ("Привет из Москвы", "москва"),
        ("الكتاب الجديد", "كتاب"),
        ("Send an email.", "e-mail"),
        ("Send an e-mail.", "email"),
        ("cooperation", "co-operation"),
        ("scienti\ufb01c", "scientific"),
        ("cli\u00admate", "climate"),
        ("résumé", "resume"),
        ("the WHO's view", "WHO"),
        ("ProjectX2024 began", "projectx2024"),
        ("john.doe@example.org", "doe"),
        ("a/long/path/to/file.txt", "file.txt"),
        ("10,000 euros", "10000"),
    ],
)
def test_e2_words_are_found_in_any_script(document: str, question: str) -> None:
    assert finds(document, question)


def test_an_identifier_is_told_from_its_neighbours() -> None:
    terms = set(analyse_query("SKU-48291"))
    hits = [len(terms & set(analyse(f"Item SKU-{number}"))) for number in (48290, 48291, 48292)]
    assert hits == [1, 3, 1]


@settings(deadline=None)
@given(ANY_TEXT | MIXED_TEXT)
def test_any_text_is_analysed_without_error(text: str) -> None:
    for term in analyse(text) + analyse_query(text):
        assert term.split() == [term]
        assert len(term) <= 64
    assert len(set(analyse_query(text))) == len(analyse_query(text))


@settings(deadline=None)
@given(ANY_TEXT | MIXED_TEXT)
def test_questions_and_documents_agree(text: str) -> None:
    assert set(analyse_query(text)) <= set(analyse(text))


@settings(deadline=None)
@given(ANY_TEXT | MIXED_TEXT)
def test_analysis_does_not_depend_on_what_came_before(text: str) -> None:
    assert analyse(text) == analyse(text)


@pytest.mark.parametrize("unit", ["a", "a-", "付", "a.b", "-._@", "é", "1,", "'s", "x ", "ab付"])
def test_long_lines_are_analysed_whole(unit: str) -> None:
    terms = analyse(unit * 20_000)
    assert all(len(term) <= 64 for term in terms)
    analyse_query(unit * 2_000)


def test_a_word_longer_than_a_term_is_found_by_its_beginning() -> None:
    assert finds("f" * 128, "f" * 128)
