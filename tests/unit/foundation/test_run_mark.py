from __future__ import annotations

from pathlib import Path

from desktop_rag.foundation.run_mark import PREVIOUS_CRASH_FILE, RunMark


def test_a_run_that_ended_leaves_no_mark(tmp_path: Path) -> None:
    mark = RunMark(tmp_path)
    assert mark.begin() is False
    mark.end()
    assert RunMark(tmp_path).begin() is False


def test_a_run_that_broke_off_is_noticed_by_the_next(tmp_path: Path) -> None:
    RunMark(tmp_path).begin()
    (tmp_path / "logs" / "native-crash.log").write_text("Fatal Python error")
    again = RunMark(tmp_path)
    assert again.begin() is True
    assert (tmp_path / "logs" / PREVIOUS_CRASH_FILE).read_text() == "Fatal Python error"
    assert not (tmp_path / "logs" / "native-crash.log").exists()
    again.end()
    assert RunMark(tmp_path).begin() is False
    assert not (tmp_path / "logs" / PREVIOUS_CRASH_FILE).exists()
