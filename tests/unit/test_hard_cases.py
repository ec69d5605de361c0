"""The page of hard cases names tests that are there, and leaves no case out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "hard-cases.md").read_text(encoding="utf-8")

CASES = {
    *(f"A{n}" for n in (1, 2, 4, 5, 6, 7, 8, 10)),
    *(f"B{n}" for n in (1, 2, 3, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17)),
    *(f"C{n}" for n in range(1, 7)),
    *(f"D{n}" for n in range(1, 6)),
    *("E1", "E2", "E4", "F1", "F2"),
    *(f"G{n}" for n in range(1, 7)),
}

_NAMED = re.compile(r"`(tests/[^`:]+)::([^`]+)`")
_ROW = re.compile(r"^\| (?!Fact |---)(.+) \|$", re.MULTILINE)

NAMED = sorted(set(_NAMED.findall(PAGE)))


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED}))
def test_every_test_that_is_named_exists(path: str) -> None:
    assert (ROOT / path).is_file()
    parsed = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    there = {node.name for node in parsed.body if isinstance(node, ast.FunctionDef)}

    assert {name for own, name in NAMED if own == path} - there == set()


def test_every_case_is_on_the_page_once() -> None:
    cases = re.findall(r"^\| ([A-G]\d+) \|", PAGE, re.MULTILINE)

    assert len(cases) == len(set(cases))
    assert set(cases) == CASES


def test_every_line_names_a_test() -> None:
    rows = [row for row in _ROW.findall(PAGE) if not row.startswith("| Given")]

    assert len(rows) > len(CASES)
    assert [row for row in rows if not _NAMED.search(row)] == []
