"""The README's lines of Python do what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent.parent / "README.md"


def test_three_lines_open_a_library_add_a_folder_and_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    (tmp_path / "papers").mkdir()
    text = "A trace is a straight path through a program that was seen to run often."
    (tmp_path / "papers" / "traces.txt").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    try:
        exec(code, names)
    finally:
        close = getattr(names.get("kb"), "close", None)
        assert callable(close)
        close()
    assert "a straight path through a program" in capsys.readouterr().out
