"""The page on parts of one's own: its lines are short, and do what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "extending.md"
EXAMPLES = re.findall(
    r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL
)
FILES = {
    "lease.txt": "The rent is 900 dollars a month. The lessee must not keep dogs.",
    "pumps.txt": "The pump P-100 has a warranty of two years from delivery.",
}


def test_every_example_says_what_it_prints() -> None:
    assert len(EXAMPLES) == PAGE.read_text("utf-8").count("```python")


@pytest.mark.parametrize("code", [code for code, _ in EXAMPLES])
def test_every_example_is_short(code: str) -> None:
    assert len([line for line in code.splitlines() if line.strip()]) < 20
    assert max(map(len, code.splitlines())) <= 100


def test_the_examples_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "papers").mkdir()
    for name, text in FILES.items():
        (tmp_path / "papers" / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code, printed in EXAMPLES:
        exec(code, names)
        assert capsys.readouterr().out == printed, code
