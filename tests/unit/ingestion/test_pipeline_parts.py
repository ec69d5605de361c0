from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.ingestion.content import hash_file, hash_if_readable
from desktop_rag.ingestion.estimate import Estimate
from desktop_rag.ingestion.gate import Gate
from desktop_rag.ingestion.ledger import os_problem
from desktop_rag.ingestion.reading_stage import LibraryLimits
from desktop_rag.ingestion.settling import PATIENCE_SECONDS, QUIET_SECONDS, SettlingPaths
from desktop_rag.ingestion.work import distinct_texts
from tests.helpers.library_parts import prepared


def test_the_hash_is_of_the_content_alone(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"x" * 3_000_000)
    (tmp_path / "c").write_bytes(b"x" * 2_999_999 + b"y")
    first, second, third = (hash_file(str(tmp_path / name)) for name in "abc")
    assert first == second != third
    assert len(first) == 32


def test_hashing_never_waits_for_a_pipe_and_can_be_cancelled(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    hash_file(str(tmp_path / "pipe"))
    (tmp_path / "a").write_bytes(b"x")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        hash_file(str(tmp_path / "a"), token)
    assert hash_if_readable(str(tmp_path / "gone")) is None


def test_an_estimate_says_nothing_at_first_and_then_the_truth() -> None:
    estimate = Estimate()
    estimate.observe(0, 100.0)
    assert estimate.seconds_left(1000, 101.0) is None
    for second in range(1, 11):
        estimate.observe(10 * second, 100.0 + second)
    assert estimate.seconds_left(900, 110.0) == pytest.approx(90.0)


def test_an_estimate_follows_a_change_of_speed_and_forgets_pauses() -> None:
    estimate = Estimate()
    for second in range(11):
        estimate.observe(10 * second, float(second))
    estimate.rest(500.0)
    for second in range(1, 200):
        estimate.observe(100 + 100 * second, 500.0 + second)
    left = estimate.seconds_left(10_000, 699.0)
    assert left == pytest.approx(100.0, rel=0.01)
    estimate.observe(0, 700.0)
    assert estimate.seconds_left(30_000, 700.0) is None


def test_the_gate_is_open_unless_paused_stalled_or_closed() -> None:
    gate = Gate()
    told: list[bool] = []
    gate.listen(lambda: told.append(gate.open))
    gate.pause()
    gate.resume()
    gate.stall(KnownError("Disk full", "Make room."))
    assert gate.seconds_to_retry is not None
    assert gate.problem is not None
    gate.end_stall()
    gate.close()
    assert told == [False, True, False, True, False]
    assert gate.seconds_to_retry is None


def test_paths_come_to_rest() -> None:
    paths = SettlingPaths()
    paths.note(1, "a", False, 10.0)
    paths.note(1, "b", False, 10.0)
    paths.note(1, "a", True, 10.4)
    assert paths.next_due() == pytest.approx(10.0 + QUIET_SECONDS)
    assert paths.take_due(10.6) == {1: {"b": False}}
    assert paths.holds(1, "a")
    assert paths.take_due(11.0) == {1: {"a": True}}
    assert paths.next_due() is None
    assert not len(paths)


def test_a_path_that_never_rests_is_due_all_the_same() -> None:
    paths = SettlingPaths()
    for tenth in range(int(PATIENCE_SECONDS * 10) + 1):
        paths.note(1, "log", False, tenth / 10)
    assert paths.take_due(PATIENCE_SECONDS) == {1: {"log": False}}


def test_what_a_refusal_of_the_system_is_called() -> None:
    assert os_problem(PermissionError(13, "no"), "/a/b.txt").title == "Permission denied"
    other = os_problem(OSError(5, "Input/output error"), "/a/b.txt")
    assert other.title == "Could not be read"
    assert "b.txt" in other.message


def test_limits_are_checked() -> None:
    with pytest.raises(ValueError, match="file_mb"):
        LibraryLimits(file_mb=0)


def test_distinct_texts_keep_their_order() -> None:
    texts = distinct_texts(prepared("one\n\ntwo\n\none"))
    assert [segment.text for segment in texts.values()] == ["one", "two"]
