"""Dates in questions about the library, and the dates that files have."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from desktop_rag.domain.catalog import CatalogFile, DateMeaning, DateRange
from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.metadata import Metadata
from desktop_rag.retrieval.catalog.file_dates import days_of
from desktop_rag.retrieval.catalog.parser import CatalogQuestions
from tests.helpers.catalog_library import TODAY

QUESTIONS = CatalogQuestions(lambda: TODAY)


def days(first: str | None, last: str | None) -> DateRange:
    read = date.fromisoformat
    return DateRange(read(first) if first else None, read(last) if last else None)


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("from 2023", "2023-01-01", "2023-12-31"),
        ("from March 2023", "2023-03-01", "2023-03-31"),
        ("in March", "2024-03-01", "2024-03-31"),
        ("in June", "2023-06-01", "2023-06-30"),
        ("of 3 May 2024", "2024-05-03", "2024-05-03"),
        ("from May 3rd, 2024", "2024-05-03", "2024-05-03"),
        ("dated 2024-02", "2024-02-01", "2024-02-29"),
        ("from Q2 2023", "2023-04-01", "2023-06-30"),
        ("from the third quarter of 2023", "2023-07-01", "2023-09-30"),
        ("since 2023", "2023-01-01", None),
        ("after 2022", "2023-01-01", None),
        ("before May 2023", None, "2023-04-30"),
        ("until May 2023", None, "2023-05-31"),
        ("from 2020 to 2022", "2020-01-01", "2022-12-31"),
        ("between March 2023 and May 2023", "2023-03-01", "2023-05-31"),
        ("from today", "2024-05-15", "2024-05-15"),
        ("from yesterday", "2024-05-14", "2024-05-14"),
        ("from this week", "2024-05-13", "2024-05-19"),
        ("from last week", "2024-05-06", "2024-05-12"),
        ("from last month", "2024-04-01", "2024-04-30"),
        ("from last quarter", "2024-01-01", "2024-03-31"),
        ("from last year", "2023-01-01", "2023-12-31"),
        ("from the past week", "2024-05-09", "2024-05-15"),
        ("from the last three months", "2024-02-15", "2024-05-15"),
        ("since last Friday", "2024-05-10", None),
    ],
)
def test_english_dates(words: str, first: str | None, last: str | None) -> None:
    asked = QUESTIONS.parse(f"list the files {words}")
    assert asked is not None
    assert asked.dates == days(first, last)


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("2023年", "2023-01-01", "2023-12-31"),
        ("2023年3月", "2023-03-01", "2023-03-31"),
        ("2024年5月3日", "2024-05-03", "2024-05-03"),
        ("2023年第二季度", "2023-04-01", "2023-06-30"),
        ("2023年下半年", "2023-07-01", "2023-12-31"),
        ("三月", "2024-03-01", "2024-03-31"),
        ("十二月", "2023-12-01", "2023-12-31"),
        ("今年", "2024-01-01", "2024-12-31"),
        ("去年", "2023-01-01", "2023-12-31"),
        ("去年5月", "2023-05-01", "2023-05-31"),
        ("今天", "2024-05-15", "2024-05-15"),
        ("前天", "2024-05-13", "2024-05-13"),
        ("本周", "2024-05-13", "2024-05-19"),
        ("上周", "2024-05-06", "2024-05-12"),
        ("上个月", "2024-04-01", "2024-04-30"),
        ("最近三个月", "2024-02-15", "2024-05-15"),
        ("过去十天", "2024-05-06", "2024-05-15"),
        ("2022年以来", "2022-01-01", None),
        ("2022年以后", "2023-01-01", None),
        ("2022年以前", None, "2021-12-31"),
        ("2020年到2022年", "2020-01-01", "2022-12-31"),
        ("2023年3月至5月", "2023-03-01", "2023-05-31"),
    ],
)
def test_chinese_dates(words: str, first: str | None, last: str | None) -> None:
    asked = QUESTIONS.parse(f"列出{words}的文件")
    assert asked is not None
    assert asked.dates == days(first, last)


@pytest.mark.parametrize(
    "question",
    [
        "list the files from 2024-13",
        "list the files from 30 February 2024",
        "list the files from 2024 to 2020",
        "列出2024年13月的文件",
        "列出2024年到2020年的文件",
    ],
)
def test_a_date_that_is_none_makes_no_question_about_the_library(question: str) -> None:
    assert QUESTIONS.parse(question) is None


def file(name: str, changed: str = "2021-07-01", **metadata: str) -> CatalogFile:
    noon = int(datetime.fromisoformat(f"{changed}T12:00:00").timestamp() * 1e9)
    return CatalogFile(
        1, f"/library/{name}", FileStatus.READY, "pdf", "", 1, noon, noon, Metadata(metadata)
    )


@pytest.mark.parametrize(
    ("of", "whole"),
    [
        (file("plain.pdf"), "2021-07-01"),
        (file("plain.pdf", date="2020-02-03T10:00:00Z"), "2020-02-03"),
        (file("plain.pdf", created="2019-01"), "2019-01"),
        (file("plain.pdf", date="May 3, 2018"), "2018-05-03"),
        (file("plain.pdf", date="2018年5月3日"), "2018-05-03"),
        (file("plain.pdf", date="some day"), "2021-07-01"),
        (file("report 2017.pdf"), "2017"),
        (file("report 2021.pdf"), "2021-07-01"),
        (file("report 2017.pdf", date="2017-04-05"), "2017-04-05"),
        (file("report 2017.pdf", date="2018-01-10"), "2017"),
        (file("2017-03 minutes.pdf"), "2017-03"),
        (file("scan_20170305.pdf"), "2017-03-05"),
        (file("2017年3月5日纪要.pdf"), "2017-03-05"),
        (file("2017年合同.pdf"), "2017"),
        (file("order 12017345.pdf"), "2021-07-01"),
    ],
)
def test_a_file_is_of_the_day_in_its_name_or_that_it_states_or_of_its_change(
    of: CatalogFile, whole: str
) -> None:
    found = days_of(of, DateMeaning.STATED)
    assert found is not None
    assert found.whole == whole


def test_a_file_without_a_time_that_a_calendar_has_is_of_no_day() -> None:
    odd = CatalogFile(1, "/a", FileStatus.READY, "", mtime_ns=2**62, ctime_ns=0)
    assert days_of(odd, DateMeaning.CHANGED) in (None, days_of(odd, DateMeaning.ARRIVED))
    assert days_of(CatalogFile(1, "/a", FileStatus.READY, ""), DateMeaning.STATED) is None


def test_a_range_ends_after_it_begins() -> None:
    with pytest.raises(ValueError, match="before it begins"):
        days("2024-01-02", "2024-01-01")
    assert days("2024-01-01", None).holds(TODAY)
    assert not days(None, "2024-01-01").holds(TODAY)
    assert days("2024-01-01", "2024-12-31").covers(days("2024-02-01", "2024-02-29"))
    assert not days("2024-01-01", "2024-12-31").covers(days(None, "2024-02-29"))
    assert days("2024-01-05", "2024-02-29").whole is None
