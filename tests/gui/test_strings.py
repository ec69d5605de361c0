from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_rag import gui
from desktop_rag.gui import strings
from desktop_rag.gui.strings import load_catalogue, reasons, say, tr

ENGLISH, CHINESE = load_catalogue("en"), load_catalogue("zh")
PACKAGE = Path(gui.__file__).parent
SOURCES = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
SAME_IN_BOTH = {
    "type.pdf",
    "type.docx",
    "type.xlsx",
    "type.pptx",
    "type.markdown",
    "library.chip_pdf",
    "source.hit_short",
}
HAN = re.compile(r"[\u4e00-\u9fff]")


def fields(text: str) -> set[str]:
    parts = text.split("|")
    return {name for part in parts for _, name, _, _ in Formatter().parse(part) if name}


def test_both_languages_have_every_text() -> None:
    assert ENGLISH.keys() == CHINESE.keys()


def test_every_text_is_written_in_both_languages() -> None:
    for key, english in ENGLISH.items():
        chinese = CHINESE[key]
        assert english.strip(), key
        assert fields(chinese) == fields(english), key
        assert english.count("|") <= 1, key
        if key not in SAME_IN_BOTH:
            assert english != chinese, key
            assert bool(HAN.search(chinese)) is (key != "top.other_language"), key
            assert bool(HAN.search(english)) is (key == "top.other_language"), key


def test_words_of_the_trade_are_not_used() -> None:
    trade = re.compile(r"segment|chunk|embedding|vector|\bindex|token|\bRAG\b|向量|分块|嵌入|索引")
    texts = [*ENGLISH.items(), *CHINESE.items()]
    assert not [key for key, text in texts if trade.search(re.sub(r"\{\w+\}", "", text))]


def test_every_text_that_is_used_exists_and_every_one_is_used() -> None:
    literal = {
        key for text in SOURCES.values() for key in re.findall(r'"([a-z_]+\.[a-z_]+)"', text)
    }
    starts = {s for text in SOURCES.values() for s in re.findall(r'f"([a-z_]+\.[a-z_]*)\{', text)}
    named = {
        key
        for text in SOURCES.values()
        for key in re.findall(r'\b(?:tr|say|name_for_readers)\((?:[\w.]+, )?"([^"{]+)"', text)
    }
    assert named <= ENGLISH.keys()
    unused = {
        key for key in ENGLISH if key not in literal and not any(key.startswith(s) for s in starts)
    }
    assert not unused


def test_the_librarys_reasons_are_known_in_chinese() -> None:
    root = PACKAGE.parent
    rooms = ("embedding", "foundation", "ingestion", "store", "retrieval", "gui")
    stated: set[str] = set()
    for room in rooms:
        for path in (root / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            stated |= set(re.findall(r'\b(?:KnownError|Problem)\(\s*"([^"]+)"', text))
    assert not stated - reasons("zh").keys()
    for reason in reasons("zh").values():
        assert fields(reason["message"]) <= {"name"}


def test_a_number_chooses_singular_or_plural_and_is_grouped() -> None:
    assert tr("drop.files", n=1) == "Add 1 file"
    assert tr("drop.files", n=2300) == "Add 2,300 files"


def test_a_bound_text_follows_the_language(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    say(label, "library.title")
    assert label.text() == "Library"
    strings.set_language("zh")
    assert label.text() == "资料库"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no texts"):
        strings.set_language("xx")
