"""Ctrl+C and SIGTERM: the work is told to stop, and the process ends in time."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from desktop_rag.foundation.cancellation import CancelToken

Result = TypeVar("Result")

EXIT_BASE = 128
"""A process that ends because of a signal has 128 + its number as exit code (POSIX shells)."""

_LOOK_SECONDS = 0.1

_STOP_SECONDS = 4.5
"""The promise is five. The store survives an end at any moment; this is the last resort."""


class Interrupts:
    """Whether the user asked to stop, and with which signal."""

    def __init__(self) -> None:
        self.signal: int | None = None

    @property
    def exit_code(self) -> int:
        """The exit code that tells of the signal."""
        return EXIT_BASE + (self.signal or signal.SIGINT)

    def note(self, number: int, _frame: FrameType | None) -> None:
        """Remember the signal; a second one ends the process at once.

        It runs between any two steps of the main thread, so it takes no lock.
        """
        if self.signal is not None:
            os._exit(EXIT_BASE + number)
        self.signal = number


@contextmanager
def noticed_interrupts() -> Iterator[Interrupts]:
    """Note SIGINT, SIGTERM and SIGHUP instead of what they usually do."""
    interrupts = Interrupts()
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    former = {number: signal.signal(number, interrupts.note) for number in numbers}
    try:
        yield interrupts
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def run_interruptibly(work: Callable[[CancelToken], Result], interrupts: Interrupts) -> Result:
    """Run ``work`` in a thread of its own and cancel its token when a signal comes.

    The main thread stays free for signals, whatever the work waits for. Work that
    doesn't stop in time is left, and the process ends.

    Raises:
        Cancelled: the work stopped because of a signal.
        Exception: whatever else the work raises.
    """
    cancel = CancelToken()
    with ThreadPoolExecutor(1, thread_name_prefix="command") as pool:
        future = pool.submit(work, cancel)
        while not _finished(future):
            if interrupts.signal is not None:
                cancel.cancel()
                _wait_or_exit(future, interrupts)
        return future.result()


def _finished(future: Future[Result]) -> bool:
    return bool(wait([future], timeout=_LOOK_SECONDS).done)


def _wait_or_exit(future: Future[Result], interrupts: Interrupts) -> None:
    deadline = time.monotonic() + _STOP_SECONDS
    while not _finished(future):
        if time.monotonic() > deadline:
            sys.stderr.flush()
            os._exit(interrupts.exit_code)
