"""Questions word by word in the other language."""

from __future__ import annotations

import os
import sqlite3

import pytest

from desktop_rag.text import cedict, dictionary
from desktop_rag.text.cedict import Pair, pairs_of_line
from desktop_rag.text.dictionary import BilingualDictionary
from desktop_rag.text.translation import Word, joined, translated

LINES = (
    "# a remark",
    "合同 合同 [he2 tong5] /(business) contract/CL:個|个[ge4]/",
    "契約 契约 [qi4 yue1] /agreement/contract/",
    "付款 付款 [fu4 kuan3] /to pay a sum of money/payment/",
    "付款條件 付款条件 [fu4 kuan3 tiao2 jian4] /terms of payment/",
    "條件 条件 [tiao2 jian4] /condition; circumstances; term/",
    "期限 期限 [qi1 xian4] /time limit; deadline/",
    "天 天 [tian1] /day/sky/heaven/",
    "隻 只 [zhi1] /variant of 支[zhi1]/",
    "解釋 解释 [jie3 shi4] /a word that is said to explain very much/",
)


def every_pair():
    for line in LINES:
        yield from pairs_of_line(line)


@pytest.fixture
def small(tmp_path, monkeypatch):
    monkeypatch.setattr(cedict, "pairs", every_pair)
    one = BilingualDictionary(tmp_path / "dictionary.db")
    yield one
    one.close()


def counts(**known: int):
    """Return frequencies: those given, by term, and 1 for every other."""
    return lambda terms: {term: known.get(term, 1) for term in terms}


def test_lines_give_pairs_by_sense():
    assert list(pairs_of_line(LINES[1])) == [Pair("合同", "contract", 0)]
    assert list(pairs_of_line(LINES[5])) == [
        Pair("条件", "condition", 0),
        Pair("条件", "circumstances", 1),
        Pair("条件", "term", 2),
    ]


@pytest.mark.parametrize("line", [LINES[0], LINES[8], LINES[9], "", "no entry at all"])
def test_lines_without_a_translation_give_none(line):
    assert list(pairs_of_line(line)) == []


def test_the_dictionary_that_comes_along_knows_everyday_words():
    known = {pair.english for pair in cedict.pairs() if pair.chinese == "合同"}
    assert "contract" in known


def test_words_are_looked_up_in_both_directions(small):
    assert small.meanings(["合同"]) == {"合同": [("contract", 0)]}
    found = small.meanings(["contract", "nothing of the kind"])
    assert found == {"contract": [("合同", 0), ("契约", 1)]}


def test_the_file_is_made_once(small, monkeypatch):
    small.meanings(["x"])
    small.close()
    monkeypatch.setattr(cedict, "pairs", lambda: pytest.fail("made again"))
    assert small.meanings(["合同"])


def test_another_edition_makes_it_anew(small, monkeypatch):
    small.meanings(["x"])
    small.close()
    monkeypatch.setattr(cedict, "edition", lambda: "another")
    monkeypatch.setattr(cedict, "pairs", lambda: iter([Pair("新", "new", 0)]))
    assert small.meanings(["合同", "新"]) == {"新": [("new", 0)]}


def test_a_damaged_file_is_made_anew(small, tmp_path):
    small.meanings(["x"])
    small.close()
    path = tmp_path / "dictionary.db"
    path.write_bytes(path.read_bytes()[:100] + os.urandom(5000))
    assert small.meanings(["合同"]) == {"合同": [("contract", 0)]}


def test_damage_that_shows_when_asked_is_mended(small, tmp_path, monkeypatch):
    small.meanings(["x"])
    path = tmp_path / "dictionary.db"
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE meanings")
    connection.close()
    assert small.meanings(["合同"]) == {"合同": [("contract", 0)]}


def test_without_room_for_it_nothing_is_known_and_the_log_says_so(small, monkeypatch, caplog):
    def full(_path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(dictionary, "_make", full)
    assert small.meanings(["合同"]) == {}
    assert small.meanings(["合同"]) == {}
    assert caplog.text.count("No space left") == 1


def test_an_english_question_in_chinese(small):
    words = translated("How many days do the contracts give?", "en", small.meanings, counts())
    assert words == (Word("days", "天"), Word("contracts", "合同"), Word("give", ""))
    assert joined(words, "zh") == "天合同 give"


def test_the_longest_expression_wins(small):
    words = translated("the terms of payment", "en", small.meanings, counts())
    assert words == (Word("terms of payment", "付款条件"),)


def test_a_chinese_question_in_english(small):
    words = translated("合同的付款期限是多少天？", "zh", small.meanings, counts())
    assert joined(words, "en") == "contract payment time limit day"


def test_traditional_characters_are_understood(small):
    words = translated("契約的付款條件", "zh", small.meanings, counts())
    assert joined(words, "en") == "agreement terms of payment"


def test_the_librarys_own_words_decide(small):
    chosen = translated("contract", "en", small.meanings, counts(合同=0, 契约=9))
    assert chosen == (Word("contract", "契约"),)
    assert translated("contract", "en", small.meanings, lambda terms: {}) == (Word("contract"),)


def test_names_and_numbers_stay(small):
    words = translated("P-200 的合同 2024", "zh", small.meanings, counts())
    assert joined(words, "en") == "p-200 contract 2024"


@pytest.mark.parametrize(("text", "language"), [("Jared Allen?", "en"), ("的", "zh"), ("?", "en")])
def test_without_any_meaning_there_is_no_translation(small, text, language):
    other = "en" if language == "zh" else "zh"
    assert joined(translated(text, language, small.meanings, counts()), other) == ""
