"""What kind of thing a question asks for, and whether a sentence holds one."""

from __future__ import annotations

import re
from enum import StrEnum


class AnswerType(StrEnum):
    """Kinds of answer that can be told by their looks."""

    NAME = "name"
    DATE = "date"
    NUMBER = "number"
    MEASURE = "measure"
    REASON = "reason"


_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_COUNT_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    "sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|"
    "third|quarter|first|second"
)
_UNIT_WORDS = (
    "seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?|decades?|"
    "centur(?:y|ies)|mm|cm|km|m|ft|kg|inch(?:es)?|f(?:oo|ee)t|yards?|miles?|"
    "(?:kilo|centi|milli)?met(?:re|er)s?|(?:kilo)?grams?|tons?|tonnes?|pounds?|degrees?"
)
_HAN_NUMBER = r"(?:\d[\d,.]*|[一二两三四五六七八九十百千万亿零半数几]+)"
_HAN_UNITS = (
    "秒|分钟|小时|个?工作日|天|日|周|个?星期|个?月|年|世纪|"
    "米|公里|千米|厘米|毫米|英尺|公斤|千克|吨|度"
)

_ASKED = (
    (
        AnswerType.DATE,
        re.compile(
            r"\bwhen\b|\b(?:what|which)\s+(?:\w+\s+)?(?:years?|dates?|day|month|century|decade|era)\b"
            r"|\bhow\s+(?:long\s+ago|recently)\b|何时|什么时候|什么时间|哪一?年|哪[天日月]|几[年月日号]|年份|日期",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerType.MEASURE,
        re.compile(
            r"\bhow\s+(?:long|far|old|tall|high|deep|wide|heavy|often|soon|quickly)\b"
            r"|\bhow\s+many\s+(?:days|weeks|months|years|hours|minutes|seconds|miles|met(?:re|er)s)\b"
            r"|多久|多长|多高|多深|多重|多宽|多远|多少[天日周年]|多少个(?:月|小时|星期)|几[天周]|几个(?:月|小时)|期限",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerType.NUMBER,
        re.compile(
            r"\bhow\s+(?:many|much|big|large|fast)\b"
            r"|\bwhat\s+(?:percent(?:age)?|number|amount|proportion|fraction|share)\b"
            r"|多少|几[个位次人名部座家种届岁]|多[大快]|百分之几|第几",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerType.REASON,
        re.compile(r"\bwhy\b|\bwhat\s+(?:caused|reasons?)\b|为什么|为何|原因|缘故", re.IGNORECASE),
    ),
    (
        AnswerType.NAME,
        re.compile(
            r"\b(?:who|whom|whose|where)\b|\b(?:what|which)\s+(?:\w+\s+)?(?:person|country|city|"
            r"state|company|organi[sz]ation|university|school|river|language|king|queen|president)\b",
            re.IGNORECASE,
        ),
    ),
)

_HELD = {
    AnswerType.DATE: re.compile(
        rf"\b\d{{3,4}}s?\b|\b(?:{_MONTH})\b|\bcentur(?:y|ies)\b|\bdecades?\b|\d+\s*[年月日]|世纪|年代",
        re.IGNORECASE,
    ),
    AnswerType.NUMBER: re.compile(
        rf"\d|\b(?:{_COUNT_WORDS})\b|[一二两三四五六七八九十百千万亿]", re.IGNORECASE
    ),
    AnswerType.MEASURE: re.compile(
        rf"\b(?:\d[\d,.]*|{_COUNT_WORDS}|few|several|every|each)[\s-]+(?:{_UNIT_WORDS})\b"
        rf"|\b(?:daily|weekly|monthly|quarterly|yearly|annually)\b|{_HAN_NUMBER}\s*(?:{_HAN_UNITS})",
        re.IGNORECASE,
    ),
    AnswerType.REASON: re.compile(
        r"\bbecause\b|\bdue\s+to\b|\bso\s+that\b|\bcaused?\b|\bsince\b|\bas\s+a\s+result\b"
        r"|\bin\s+order\s+to\b|\breasons?\b|\bled\s+to\b|\bto\s+(?:avoid|prevent|ensure|make|help)\b"
        r"|因为|由于|因此|所以|导致|为了|以致|原因",
        re.IGNORECASE,
    ),
    AnswerType.NAME: re.compile(r"(?<!^)\b[A-Z][\w'’-]+"),
}
_LATIN = re.compile(r"[A-Za-z]")


def asked_for(question: str) -> AnswerType | None:
    """Return the kind of answer a question asks for, None where it can't be told."""
    return next((kind for kind, asks in _ASKED if asks.search(question)), None)


def holds(sentence: str, kind: AnswerType | None, question: str) -> float:
    """Return 1 if the sentence holds such a thing that is not in the question, -1 if not.

    0 where nothing is expected, or where names can't be told by capital letters.
    """
    if kind is None or (kind is AnswerType.NAME and not _LATIN.search(sentence)):
        return 0.0
    known = question.lower()
    found = (one.group().lower() for one in _HELD[kind].finditer(sentence))
    return 1.0 if any(one not in known for one in found) else -1.0
