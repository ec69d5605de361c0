"""The page of hard cases names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "hard-cases.md"

_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_test_that_is_named_exists() -> None:
    named = set(_TEST.findall(PAGE.read_text(encoding="utf-8")))
    there = {
        (path, node.name)
        for path in {path for path, _ in named}
        if (ROOT / path).exists()
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }

    assert len(named) > 80
    assert named - there == set()


def test_every_case_has_a_test() -> None:
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if re.match(r"\| [A-G]\d+ \|", line):
            assert _TEST.search(line), line
