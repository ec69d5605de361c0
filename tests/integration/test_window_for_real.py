"""The program with its window on a real X server: it answers other commands and ends cleanly."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.services.client import RequestClient

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif("DISPLAY" not in os.environ, reason="there is no X server"),
]

SECONDS = 60


def program(data_dir: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "desktop_rag", "--data-dir", str(data_dir), *arguments]


def run(data_dir: Path, *arguments: str) -> Any:
    done = subprocess.run(
        program(data_dir, *arguments, "--json"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def wait_until_shown(data_dir: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while not RequestClient.show(data_dir, ()):
        assert time.monotonic() < deadline, "the window did not come"
        time.sleep(0.1)


@pytest.fixture
def window(data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The program with its window open."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
    with subprocess.Popen(program(data_dir), env=environment, stderr=subprocess.PIPE) as process:
        try:
            wait_until_shown(data_dir)
            yield process
        finally:
            process.kill()


def test_the_open_window_answers_commands_and_ends_cleanly(
    window: subprocess.Popen[bytes], data_dir: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "我的 notes"
    folder.mkdir()
    (folder / "keys.txt").write_text("The spare key is under the blue flowerpot.", "utf-8")
    report = run(data_dir, "index", str(folder))
    assert report["files"]["added"] == 1
    answer = run(data_dir, "ask", "Where is the spare key?")
    assert "blue flowerpot" in answer["answer"]
    second = subprocess.run(program(data_dir), timeout=SECONDS, check=False)
    assert second.returncode == 0, "a second window brings the first one forward, and ends"
    window.send_signal(signal.SIGTERM)
    assert window.wait(SECONDS) == 0
    assert window.stderr is not None
    assert window.stderr.read() == b""
    assert run(data_dir, "status")["ready"] == 1
