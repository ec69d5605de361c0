from __future__ import annotations

import io
import os
import struct

import pytest

from desktop_rag.cli import progress
from desktop_rag.cli.console import Console
from desktop_rag.cli.progress import ReadingProgress, progress_line

if os.name != "nt":
    import fcntl
    import termios


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def message(done: int, left: float | None = 240.0, **more: object) -> dict[str, object]:
    reading = {
        "state": "reading",
        "files_done": done,
        "files_total": 9800,
        "seconds_left": left,
        "current": None,
        "page": None,
        "pages": None,
        "notes": [],
    }
    return {"reading": reading | more}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (240.0, "Reading 3,210 of 9,800 files · about 4 min"),
        (0.2, "Reading 3,210 of 9,800 files · about 1 s"),
        (7200.0, "Reading 3,210 of 9,800 files · about 2.0 h"),
        (None, "Reading 3,210 of 9,800 files"),
    ],
)
def test_a_line_tells_how_far_and_how_long(seconds, words):
    assert progress_line(message(3210, seconds)["reading"]) == words


def test_a_terminal_gets_a_bar_with_the_estimate_and_keeps_none_of_it():
    out, err = io.StringIO(), Screen()

    with ReadingProgress(Console(False, out, err)) as shown:
        shown.update(message(3210))
        shown.update({"event": {"step": "searching"}})

    assert "3210/9800 files" in err.getvalue()
    assert "about 4 min" in err.getvalue()
    assert out.getvalue() == ""
    assert err.getvalue().rstrip(" ").endswith("\r")


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_a_terminal_that_tells_no_size_gets_a_bar_too():
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 0, 0, 0, 0))
    with os.fdopen(theirs, "w", encoding="utf-8") as err:
        with ReadingProgress(Console(False, io.StringIO(), err)) as shown:
            shown.update(message(3210))
        drawn = b""
        while b"about 4 min" not in drawn:
            drawn += os.read(ours, 4096)
    os.close(ours)

    assert b"Reading 3210/9800 files" in drawn


def test_elsewhere_there_is_a_line_now_and_then(monkeypatch):
    now = iter([0.0, 1.0, 6.0, 6.0, 7.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    err = io.StringIO()

    with ReadingProgress(Console(True, io.StringIO(), err)) as shown:
        for done in (1, 2, 3):
            shown.update(message(done))

    assert err.getvalue() == "Reading 2 of 9,800 files · about 4 min\n"


def test_a_note_is_told_once():
    err = io.StringIO()

    with ReadingProgress(Console(False, io.StringIO(), err)) as shown:
        for _ in range(3):
            shown.update(message(1, notes=["Paused: the disk is full."]))

    assert err.getvalue() == "Paused: the disk is full.\n"


def test_a_page_that_is_recognised_is_named():
    page = {"state": "recognising", "current": "/docs/scan.pdf", "page": 3, "pages": 9}
    reading = message(2, None, **page)
    err = Screen()

    with ReadingProgress(Console(False, io.StringIO(), err)) as shown:
        shown.update(reading)

    assert progress_line(reading["reading"]) == "Recognising page 3 of 9 of /docs/scan.pdf"
    assert "Recognising page 3 of 9 ·" in err.getvalue()


def test_counting_is_told_now_and_then(monkeypatch):
    now = iter([0.0, 1.0, 6.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    err = io.StringIO()

    with ReadingProgress(Console(False, io.StringIO(), err)) as shown:
        for number in (500, 41_000):
            shown.update({"counted": number})

    assert err.getvalue() == "Counting: 41,000 files so far\n"
