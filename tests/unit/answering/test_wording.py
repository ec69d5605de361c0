"""Sentences around the quotes."""

from __future__ import annotations

import pytest

from desktop_rag.answering.wording import coverage_note, not_found, quoted
from desktop_rag.domain.answer import LibraryCoverage


@pytest.mark.parametrize(
    ("coverage", "english", "chinese"),
    [
        (LibraryCoverage(5, 5), "", ""),
        (LibraryCoverage(0, 0), "There are no files in the library yet.", "资料库中还没有文件。"),
        (
            LibraryCoverage(3, 5),
            "2 of 5 files have not been read yet; the answer may be incomplete.",
            "5 个文件中有 2 个尚未读取，答案可能不完整。",
        ),
        (
            LibraryCoverage(3210, 9800, failed=6589),
            "1 of 9,800 files has not been read yet; the answer may be incomplete. "
            "6,589 of 9,800 files could not be read.",
            "9,800 个文件中有 1 个尚未读取，答案可能不完整。9,800 个文件中有 6,589 个无法读取。",
        ),
    ],
)
def test_what_the_answer_could_not_see(coverage, english, chinese):
    assert coverage_note(coverage, "en") == english
    assert coverage_note(coverage, "zh") == chinese


def test_quotes_are_one_line_each():
    assert quoted("two\nlines  here", 3) == "“two lines here” [3]"
    assert not_found("fr") == "Not found in your documents."
