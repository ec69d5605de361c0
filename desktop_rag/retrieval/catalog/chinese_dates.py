"""Dates in Chinese questions: 2024年, 今年3月, 上周, 最近三个月, 2022年到2023年, 5月以前."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from desktop_rag.domain.catalog import DateRange
from desktop_rag.retrieval.catalog import spans
from desktop_rag.retrieval.catalog.grammar import ReadDate, Rule

_DIGITS = "零一二三四五六七八九"
NUMBER = r"\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
_YEAR = r"(?:19|20)\d\d"
_SMALL = r"\d{1,2}|十[一二]?|[一二三四五六七八九]"
_ABSOLUTE = (
    rf"{_YEAR}-\d{{1,2}}(?:-\d{{1,2}})?|"
    rf"(?:{_YEAR}\s*年度?|今年|去年|前年)(?:\s*(?:{_SMALL})\s*月份?(?:\s*\d{{1,2}}\s*[日号])?|"
    rf"第?[一二三四1-4]季度|[上下]半年)?|(?:{_SMALL})\s*月份?(?:\s*\d{{1,2}}\s*[日号])?"
)
_DAYS = {"今天": 0, "今日": 0, "昨天": 1, "昨日": 1, "前天": 2}
_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month",
          "季度": "quarter", "年": "year"}  # fmt: skip
_RELATIVE = (
    "(?P<day>今天|今日|昨天|昨日|前天)|"
    "(?P<which>本|这个?|上一?个?|上个?)(?P<unit>周|星期|礼拜|月|季度)|"
    rf"(?:最近|近|过去|这)的?(?P<count>{NUMBER})个?(?P<unit2>天|日|周|星期|礼拜|月|季度|年)(?:内|里|以内|之内)?"
)
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_PARTS = re.compile(
    rf"(?P<year>{_YEAR}|今年|去年|前年)?(?:\s*年度?)?(?:\s*(?P<month>{_SMALL})\s*月份?)?"
    r"(?:\s*(?P<day>\d{1,2})\s*[日号])?(?:第?(?P<quarter>[一二三四1-4])季度)?(?:(?P<half>[上下])半年)?"
)


def number(words: str) -> int:
    """Return what digits or Chinese numerals up to 99 say; 1 for nothing."""
    if not words:
        return 1
    if words.isdigit():
        return int(words)
    words = words.replace("两", "二")
    tens, ten, ones = words.rpartition("十")
    if not ten:
        return _DIGITS.index(ones)
    return (_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(ones) if ones else 0)


def absolute(words: str, today: date) -> DateRange | None:
    """Return the days that a date means: a day, month, quarter, half or year."""
    if found := _ISO.fullmatch(words.strip()):
        year, month, day = (int(part) if part else None for part in found.groups())
        return spans.of_date(year or 0, month, day)
    parts = _PARTS.fullmatch(words.strip())
    if parts is None:
        return None
    year = _year(parts["year"] or "", today)
    if parts["quarter"]:
        return spans.of_unit("quarter", date(year, 3 * number(parts["quarter"]), 1))
    if parts["half"]:
        first = parts["half"] == "上"
        return DateRange(
            date(year, 1 if first else 7, 1), date(year, 6, 30) if first else date(year, 12, 31)
        )
    month = number(parts["month"]) if parts["month"] else None
    if month and not parts["year"] and month > today.month:
        year -= 1
    return spans.of_date(year, month, int(parts["day"]) if parts["day"] else None)


def _year(words: str, today: date) -> int:
    back = {"": 0, "今年": 0, "去年": 1, "前年": 2}.get(words)
    return int(words) if back is None else today.year - back


def _named(groups: Mapping[str, str], today: date) -> DateRange | None:
    if "date" in groups:
        return absolute(groups["date"], today)
    if "day" in groups:
        return spans.of_unit("day", today, _DAYS[groups["day"]])
    unit = _UNITS[groups.get("unit") or groups["unit2"]]
    if "count" in groups:
        return spans.up_to_now(unit, number(groups["count"]), today)
    return spans.of_unit(unit, today, 1 if groups["which"].startswith("上") else 0)


def _between(groups: Mapping[str, str], today: date) -> DateRange | None:
    first, end = groups["date"], groups["end"]
    if not re.match(f"{_YEAR}|[今去前]年", end):
        year = re.match(_YEAR, first)
        end = f"{year.group()}年{end}" if year else end
    span, last = absolute(first, today), absolute(end, today)
    return None if span is None or last is None else spans.from_to(span, last)


_since = spans.shaped(_named, spans.since)
_after = spans.shaped(_named, spans.after)
_before = spans.shaped(_named, spans.before)


def _rule(expression: str, read: ReadDate, data: str = "") -> Rule:
    return Rule("D", re.compile(rf"(?:{expression})(?:之间|期间)?的?"), data=data, read=read)


_POINT = rf"(?:(?P<date>{_ABSOLUTE})|{_RELATIVE})"
RELATIVE = "relative"
DATE_RULES = (
    _rule(
        rf"[从自]?(?P<date>{_ABSOLUTE}|{_YEAR})\s*(?:到|至|-|–|~)\s*(?P<end>{_ABSOLUTE})", _between
    ),
    _rule(rf"[从自]?{_POINT}(?:以来|起|至今|开始)", _since),
    _rule(rf"{_POINT}(?:以后|之后|后)", _after),
    _rule(rf"{_POINT}(?:以前|之前|前)", _before),
    _rule(f"(?:在|于)?(?:{_RELATIVE})", _named, RELATIVE),
    _rule(rf"(?:在|于|日期(?:是|为)?)?(?P<date>{_ABSOLUTE})", _named),
)  # fmt: skip
"""Tried in this order; the longer ones first."""
