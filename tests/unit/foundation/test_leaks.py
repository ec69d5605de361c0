"""The net that catches threads and processes left behind by tests."""

from __future__ import annotations

import subprocess
import sys
import threading

from tests.helpers.leaks import Running, wait_for_leaks


def test_a_thread_left_running_is_named() -> None:
    before = Running.now()
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="forgotten")
    thread.start()
    try:
        assert wait_for_leaks(before, grace=0.0) == ["thread 'forgotten'"]
    finally:
        stop.set()
        thread.join()
    assert wait_for_leaks(before) == []


def test_a_child_process_left_running_is_named() -> None:
    before = Running.now()
    command = [sys.executable, "-c", "input('forgotten child')"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
        (left,) = wait_for_leaks(before, grace=0.0)
        assert left.startswith(f"process {child.pid} ")
        assert child.stdin is not None
        child.stdin.close()
        child.wait()
    assert wait_for_leaks(before) == []


def test_a_thread_that_is_ending_is_waited_for() -> None:
    before = Running.now()
    threading.Timer(0.05, lambda: None).start()
    assert wait_for_leaks(before) == []
