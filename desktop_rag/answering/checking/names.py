"""Names and codes in a text: by capitals in Latin script, by their signs in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_rag.answering.checking.facts import Fact, FactKind
from desktop_rag.text.analysis import analyse
from desktop_rag.text.folding import fold_for_keywords
from desktop_rag.text.stopwords import ENGLISH_STOP_WORDS

_CODE = re.compile(
    r"\b(?=[\w/-]*[A-Za-z])(?=[\w/-]*\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*\b", re.ASCII
)
_NOT_CODES = re.compile(r"\d+(?:st|nd|rd|th|s|k|m|km|cm|mm|kg|g|am|pm|c|f|x)\b", re.IGNORECASE)
_CAPITAL = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢĪĶĻŁŃŅŇŐŒŘŚŞŠŢŤŪŮŰŸŹŻŽΑ-ΩА-Я"
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff]"
_WORD = rf"(?:[A-Z]\.)+|[{_CAPITAL}](?:{_LETTER}|['’-])*"
_CAPITALS = re.compile(
    rf"(?<!{_LETTER})(?<!['’])(?:{_WORD})(?:(?:\s+(?:of|de|von|van|der|la|le|al|du)(?:\s+the)?)?\s+(?:{_WORD}))*"
)
_HAN = r"\u4e00-\u9fff"
_QUOTED = re.compile(r"[《「『“〈]([^》」』”〉]{1,30})[》」』”〉]")
_FOREIGN = re.compile(rf"[{_HAN}]{{1,6}}(?:[·‧•・][{_HAN}]{{1,6}})+")
_SURNAMES = (
    "王李张张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘蒋蔡余杜叶程苏魏吕丁"
    "任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔"
)
_PERSON = re.compile(rf"(?<![{_HAN}])[{_SURNAMES}][{_HAN}]{{1,2}}(?![{_HAN}])")
_PLACE = re.compile(
    rf"[{_HAN}]{{2,6}}?(?:大学|學院|学院|公司|集团|集團|银行|銀行|医院|醫院|省|市|县|縣|区|區|镇|鎮|村|州|国|國|岛|島|山|河|江|湖|寺|站|路|队|隊|党|黨|报|報)"
)
_NO_PLACES = frozenset(("我国", "中国家", "全国", "各国", "外国", "城市", "地区", "山区"))
_LATIN_LETTER = re.compile(r"[A-Za-z]")


def names_in(text: str) -> Iterator[Fact]:
    """Yield names and codes; the first word of a sentence is vague unless more speaks for it."""
    taken: list[tuple[int, int]] = []
    for found in _CODE.finditer(text):
        if not _NOT_CODES.fullmatch(found.group()):
            taken.append(found.span())
            yield _fact(found.group(), *found.span(), vague=False)
    for found in _CAPITALS.finditer(text):
        start, end = _without_first(text, *found.span())
        if start < end and all(end <= first or start >= last for first, last in taken):
            yield _fact(text[start:end], start, end, _begins_sentence(text, start, end))
    yield from _chinese(text)


def _without_first(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out stop words that only begin a sentence ("The Normans")."""
    while start < end:
        word = text[start:end].split(maxsplit=1)
        if word[0].lower().rstrip("'’s") not in ENGLISH_STOP_WORDS or (
            word[0].isupper() and len(word[0]) > 1
        ):
            return start, end
        start = end if len(word) == 1 else end - len(word[1])
    return start, end


def _begins_sentence(text: str, start: int, end: int) -> bool:
    """Whether its capital may be due to its place: one plain word behind a full stop."""
    if " " in text[start:end] or text[start:end].isupper():
        return False
    before = text[:start].rstrip(" \n\t\"'“‘(*-•")
    return not before or before[-1] in ".!?:。！？：\n]】"


def _chinese(text: str) -> Iterator[Fact]:
    for found in _QUOTED.finditer(text):
        yield _fact(found[1], *found.span(1), vague=False)
    for pattern, vague in ((_FOREIGN, False), (_PERSON, True), (_PLACE, True)):
        for found in pattern.finditer(text):
            if found.group() not in _NO_PLACES:
                yield _fact(found.group(), *found.span(), vague=vague)


def _fact(written: str, start: int, end: int, vague: bool) -> Fact:
    """A name bears out each of its words, so that "Rollo" is found in "Duke Rollo"."""
    value = name_key(written)
    forms = {value, *value.split()} if _LATIN_LETTER.search(written) else {value}
    return Fact(FactKind.NAME, value, start, end, frozenset(forms), vague)


def name_key(written: str) -> str:
    """Return a name so that its usual spellings are the same: stems, folded."""
    folded = re.sub(r"['’]s?\b", "", fold_for_keywords(written))
    return " ".join(analyse(folded)) if _LATIN_LETTER.search(folded) else folded.strip()
