"""The program with its window, ended by the system while it reads and answers."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.client import OwnerGone, RequestClient
from tests.helpers.program import DesktopRag

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

CLOSINGS = int(os.environ.get("DESKTOP_RAG_CLOSINGS", "2"))
"""How often the window is closed in the middle of things; a soak test sets 50."""

_SECONDS = 100
_FILES = 60
_QUESTION = "In which week was the pump P-7 checked?"


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + _SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "reports"
    made.mkdir()
    for number in range(_FILES):
        lines = (f"The pump P-{number} was checked in week {number + n}." for n in range(15))
        (made / f"{number}.txt").write_text("\n\n".join(lines))
    return made


def ask_until_closed(data_dir: Path) -> None:
    """Ask again and again, so that the end comes in the middle of an answer."""
    with suppress(OwnerGone, Cancelled, KnownError):
        while (client := RequestClient.connect(data_dir)) is not None:
            with client:
                client.request("ask", {"question": _QUESTION})


@pytest.mark.timeout(180 + 30 * CLOSINGS)
def test_f1_ended_while_it_reads_and_answers_it_leaves_in_order_and_goes_on(
    tmp_path: Path, folder: Path
) -> None:
    program = DesktopRag(tmp_path / "data")
    moments = random.Random(1)
    for _ in range(CLOSINGS):
        with program.running() as window:
            until(lambda: RequestClient.show(program.data_dir, (str(folder),)))
            guest = threading.Thread(target=ask_until_closed, args=(program.data_dir,))
            guest.start()
            time.sleep(moments.uniform(0, 1))
            window.signal(signal.SIGTERM)
            code, complaints = window.finish()
            guest.join(_SECONDS)
        assert not guest.is_alive()
        assert (code, complaints) == (0, "")
    log = (program.data_dir / "logs" / "desktop-rag.log").read_text("utf-8")
    assert "already deleted" not in log
    assert "Traceback" not in log

    with program.running() as window:
        until(lambda: RequestClient.show(program.data_dir, ()))
        until(lambda: program.json("status")["ready"] == _FILES)
        assert "The pump P-7 was checked" in program.json("ask", _QUESTION)["answer"]
        window.signal(signal.SIGTERM)
        assert window.finish() == (0, "")
    assert program.json("verify")["ok"]
