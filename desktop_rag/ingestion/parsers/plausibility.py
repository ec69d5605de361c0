"""How much decoded text looks like something that a person wrote.

Telling GB18030 from Big5, EUC-KR, Shift-JIS and UTF-16 by their bytes fails on short
texts: most byte pairs are valid in all of them. What differs is what they decode to: the
right encoding gives common characters, a wrong one gives rare ones.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_COMMON_HAN = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年"
    "过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心"
    "她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间"
    "由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给"
    "世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变"
    "四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社"
    "便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北"
    "边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运付款限签订乙甲项责支费服企技研"
    "究测试谢您请欢迎价址姓医病患疗律這個們來爲國說時會對於過發後裏種經麼學現當沒動還進樣開從實"
    "軍無與長機關點業將兩間問並應戰頭體見產話內給門兒東聲員論處義幾認條氣題爾別變總電數報結務場"
    "計資許統區隊決馬書則聽卻達強難權設記類據邊張該規萬覺術領確傳師觀讓識帶導爭運簽訂項責費測試"
    "謝請歡價醫療議連発対党九選米実円関京戦経言氏調田八六約首語漢字料番号店価商為著裡"
)
"""The most frequent characters of simplified and traditional Chinese and of Japanese, from
the published frequency lists of each, with some words of contracts and medicine."""

_COMMON_HANGUL = frozenset(
    "이다는을의에가고하지로기사한도를시아은으자인서정대그리해나부어제보전수일스과장상만있조주구"
    "것등라위원년중공국관성화신여비방안계들니요게면었습겠했던데할말때문내생각우음모두실물경소유"
    "동미적선트드오거마저진연운결무개분용합당입재작발설세치단호학교체식품명통회최직접건강법률약"
    "금녕감"
)
"""The most frequent syllables of Korean."""

_IMPOSSIBLE = -2.0
_LEVEL_ONE = {"gb2312": (0xB0, 0xD7), "big5": (0xA4, 0xC6), "shift_jis": (0x88, 0x97)}
"""Lead bytes of the characters that each national standard lists first, as the common ones."""


def plausibility(text: str, han: str) -> float:
    """Return the mean plausibility, -2 to 1, of the characters beyond ASCII.

    Args:
        text: decoded text, some thousand characters at most.
        han: the standard whose common Han characters are expected: "gb2312", "big5"
            or "shift_jis"; "" where Han characters are an exception (Korean).
    """
    wide = [character for character in text if character > "\x7f" or character < " "]
    if not wide:
        return 0.0
    return sum(_weight(character, han) for character in wide) / len(wide)


@lru_cache(maxsize=65_536)
def _weight(character: str, han: str) -> float:
    code = ord(character)
    if character in "\t\n\r\f\x1b":
        return 0.5
    if 0x4E00 <= code <= 0x9FFF:
        return _han_weight(character, han)
    if 0xAC00 <= code <= 0xD7A3:
        return 1.0 if character in _COMMON_HANGUL else 0.3
    if 0x3041 <= code <= 0x30FE:
        return 0.9
    if 0x3000 <= code <= 0x3020 or 0xFF01 <= code <= 0xFF5E or 0x2010 <= code <= 0x2026:
        return 0.9
    if unicodedata.category(character) in ("Cc", "Cn", "Co", "Cs") or code == 0xFFFD:
        return _IMPOSSIBLE
    return 0.1


def _han_weight(character: str, han: str) -> float:
    if not han:
        return 0.1
    if character in _COMMON_HAN:
        return 1.0
    try:
        lead = character.encode(han)[0]
    except UnicodeEncodeError:
        return 0.0
    low, high = _LEVEL_ONE[han]
    return 0.6 if low <= lead <= high else 0.15
