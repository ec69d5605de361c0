"""The log: where it is, what is in it, and what never is."""

from __future__ import annotations

import logging
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.foundation import logs
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.logs import Logs, install_crash_hook

SECRET = "the patient has measles"


@pytest.fixture
def log(data_dir: Path) -> Iterator[Logs]:
    with Logs(data_dir) as opened:
        yield opened


def logger() -> logging.Logger:
    return logging.getLogger("desktop_rag.some.room")


def text_of(log: Logs) -> str:
    return log.path.read_text("utf-8")


def test_records_are_in_the_data_folder(log: Logs, data_dir: Path) -> None:
    logger().info("读完 %d files", 3)
    logger().debug("not this")
    assert log.path.parent == data_dir / "logs"
    assert "读完 3 files" in text_of(log)
    assert "not this" not in text_of(log)


def test_names_that_are_not_utf8_can_be_logged(log: Logs) -> None:
    logger().warning("cannot read %s", "caf\udce9.txt")
    assert "caf\\udce9.txt" in text_of(log)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_the_folder_is_its_owners_alone(log: Logs) -> None:
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700


def test_old_files_rotate_away(log: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log._handler, "maxBytes", 500)
    for number in range(60):
        logger().info("a line of some length with the number %d", number)
    names = sorted(path.name for path in log.path.parent.glob("desktop-rag.log*"))
    assert names == ["desktop-rag.log", *(f"desktop-rag.log.{n}" for n in range(1, 5))]
    assert "number 59" in text_of(log)


@pytest.mark.parametrize(
    "error", [ValueError(SECRET), KeyError(SECRET), UnicodeEncodeError("ascii", SECRET, 0, 1, "x")]
)
def test_messages_that_may_quote_a_document_are_left_out(log: Logs, error: Exception) -> None:
    try:
        raise error
    except type(error):
        logger().exception("parsing failed")
    assert SECRET not in text_of(log)
    assert type(error).__name__ in text_of(log)
    assert "test_logs.py" in text_of(log)


def raise_with_cause() -> None:
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        raise FileNotFoundError(2, "No such file", "minutes.pdf") from error


def test_causes_are_there_in_order(log: Logs) -> None:
    try:
        raise_with_cause()
    except FileNotFoundError:
        logger().exception("reading failed")
    text = text_of(log)
    assert text.index("ValueError") < text.index("which led to:") < text.index("minutes.pdf")
    assert SECRET not in text


def test_an_error_that_causes_itself_ends(log: Logs) -> None:
    error = OSError("odd")
    error.__cause__ = error
    logger().error("seen", exc_info=error)
    assert text_of(log).count("OSError: odd") == 1


def test_closing_twice_and_opening_again(data_dir: Path) -> None:
    first = Logs(data_dir)
    first.close()
    first.close()
    with Logs(data_dir) as second:
        logger().info("once")
        assert text_of(second).count("once") == 1


def test_uncaught_errors_reach_the_log_and_the_window(log: Logs) -> None:
    shown: list[BaseException] = []
    restore = install_crash_hook(shown.append)
    error = KnownError("Odd", "Nobody caught this.")
    try:
        sys.excepthook(type(error), error, None)
        thread = threading.Thread(target=raise_with_cause, name="worker-7")
        thread.start()
        thread.join()
    finally:
        restore()
    assert [type(seen) for seen in shown] == [KnownError, FileNotFoundError]
    assert "worker-7" in text_of(log)
    assert text_of(log).count("Unexpected error") == 2


def test_interrupting_is_no_crash(log: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    passed_on: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *rest: passed_on.append(kind))
    restore = install_crash_hook(lambda error: pytest.fail("shown"))
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    restore()
    assert passed_on == [KeyboardInterrupt]
    assert text_of(log) == ""


def test_a_crash_in_native_code_leaves_its_stacks(data_dir: Path) -> None:
    program = (
        "import faulthandler, pathlib, sys; from desktop_rag.foundation.logs import Logs;"
        "logs = Logs(pathlib.Path(sys.argv[1])); faulthandler._sigsegv()"
    )
    run = subprocess.run([sys.executable, "-c", program, str(data_dir)], check=False)
    assert run.returncode != 0
    written = (data_dir / logs.LOG_FOLDER / logs.NATIVE_CRASH_FILE).read_text("utf-8")
    assert "Segmentation fault" in written
