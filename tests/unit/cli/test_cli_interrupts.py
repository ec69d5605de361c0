from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

from desktop_rag.cli.interrupts import Interrupts, noticed_interrupts, run_interruptibly
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


def test_work_runs_apart_from_the_thread_that_takes_signals():
    thread = run_interruptibly(lambda _cancel: threading.current_thread(), Interrupts())

    assert thread is not threading.main_thread()


def test_errors_of_the_work_pass_through():
    def fail(_cancel: CancelToken) -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        run_interruptibly(fail, Interrupts())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_the_work_and_names_the_exit_code(number):
    before = signal.getsignal(number)

    def wait(cancel: CancelToken) -> None:
        os.kill(os.getpid(), number)
        assert cancel.wait(10)
        cancel.check()

    with noticed_interrupts() as interrupts:
        with pytest.raises(Cancelled):
            run_interruptibly(wait, interrupts)
        assert interrupts.exit_code == 128 + number

    assert signal.getsignal(number) is before


def test_a_second_signal_ends_the_process(monkeypatch):
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    interrupts = Interrupts()

    interrupts.note(signal.SIGINT, None)
    assert codes == []
    interrupts.note(signal.SIGINT, None)
    assert codes == [130]


def test_work_that_does_not_stop_is_left(monkeypatch):
    release = threading.Event()
    codes: list[int] = []

    def leave(code: int) -> None:
        codes.append(code)
        release.set()

    monkeypatch.setattr("desktop_rag.cli.interrupts._STOP_SECONDS", 0.01)
    monkeypatch.setattr(os, "_exit", leave)
    interrupts = Interrupts()
    interrupts.note(signal.SIGINT, None)

    run_interruptibly(lambda _cancel: release.wait(10), interrupts)

    assert codes[0] == 130
