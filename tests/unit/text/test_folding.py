from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.text.folding import fold_for_keywords, fold_for_model

ANY_TEXT = st.text(st.characters(), max_size=80)


@pytest.mark.parametrize(
    ("text", "language", "folded"),
    [
        ("plain words", "en", "plain words"),
        ("  two \n lines\t and\u00a0more ", "en", "two lines and more"),
        ("scienti\ufb01c co\u00adoperation\u200b", "en", "scientific cooperation"),
        ("Caf\u00e9 Cafe\u0301", "en", "Caf\u00e9 Caf\u00e9"),
        ("ＡＢＣ，１２３", "en", "ABC,123"),
        ("a\x00b", "en", "ab"),
        ("臺灣的發展", "zh", "台湾的发展"),
        ("臺灣的發展", "en", "臺灣的發展"),
        ("ＡＢＣ公司，（甲方）！", "zh", "abc公司，（甲方）！"),
        ("SKU-48291 的說明", "zh", "sku-48291 的说明"),
        ("", "en", ""),
        (" \u3000 ", "zh", ""),
    ],
)
def test_what_the_model_reads(text: str, language: str, folded: str) -> None:
    assert fold_for_model(text, language) == folded


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Plain WORDS", "plain words"),
        ("R\u00e9sum\u00e9 STRASSE stra\u00dfe", "resume strasse strasse"),
        ("\ufb01t co\u00adop", "fit coop"),
        ("İstanbul", "istanbul"),
        ("It\u2019s", "it's"),
        ("付款\n期限 为 thirty 天", "付款期限为 thirty 天"),
        ("後來發現", "后来发现"),
        ("Привет Ёлка", "привет елка"),
        ("العَرَبِيَّة", "العربية"),
        ("か\u3099 ガ", "が ガ"),
        ("한국어", "한국어"),
        ("हिन्दी", "हिन्दी"),
        ("a\x00B", "ab"),
    ],
)
def test_spellings_of_a_word_become_one(text: str, folded: str) -> None:
    assert fold_for_keywords(text) == folded


@settings(deadline=None)
@given(ANY_TEXT)
def test_folding_never_raises_and_settles(text: str) -> None:
    for language in ("en", "zh"):
        folded = fold_for_model(text, language)
        assert folded == folded.strip()
    fold_for_keywords(text)


def test_lone_surrogates_beside_chinese_are_no_error() -> None:
    assert fold_for_model("發\ud800展", "zh") == "发\ufffd展"
    assert fold_for_keywords("發\udfff展").startswith("发")
