"""Closing the window in the middle of reading and of an answer, over and over."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

import desktop_rag

SECONDS = 5.0

CLOSING = """
import logging, os, sys
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from desktop_rag.bootstrap import open_services
from desktop_rag.gui.app import make_application, run
from desktop_rag.gui.window import MainWindow

data, folder, wait = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def window():
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))

def act():
    found = window()
    if not found.chat_controller.is_open:
        return QTimer.singleShot(20, act)
    found.verbs.add([folder])
    found.chat_controller.ask("Which pump was checked in week 7?")
    found.search.setText("pump")
    QTimer.singleShot(wait, close)

def close():
    print("closing", flush=True)
    window().close()

make_application()
QTimer.singleShot(100, act)
sys.exit(run(data, (), open_services))
"""


@pytest.fixture
def closings(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--soak-closings"))


def test_closing_is_quick_and_quiet_whatever_goes_on(closings: int, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(300):
        words = f"Report {number}. " + f"The pump P-{number} was checked in week {number}. " * 40
        (folder / f"report-{number}.txt").write_text(words, encoding="utf-8")
    chance = random.Random(11)
    times = [
        closed(tmp_path / f"data-{round_ % 5}", folder, chance.randint(0, 2_500))
        for round_ in range(closings)
    ]
    print(
        f"closed {closings} times: median {statistics.median(times):.2f} s, max {max(times):.2f} s"
    )
    assert max(times) < SECONDS
    for log in tmp_path.glob("data-*/logs/desktop-rag.log"):
        assert complaints_in(log) == []


def complaints_in(log: Path) -> list[str]:
    """Return warnings and errors, but for the offscreen platform's own about sizes."""
    lines = log.read_text("utf-8").splitlines()
    bad = [line for line in lines if any(w in line for w in (" WARNING ", " ERROR ", "Traceback"))]
    return [line for line in bad if "propagateSizeHints" not in line]


def closed(data: Path, folder: Path, wait: int) -> float:
    """Start, close after so many milliseconds of work, and return what closing took."""
    command = [sys.executable, "-c", CLOSING, str(data), str(folder), str(wait)]
    root = Path(desktop_rag.__file__).parent.parent
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "closing\n"
        began = time.monotonic()
        _, complaints = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, complaints
    assert complaints == ""
    return time.monotonic() - began
