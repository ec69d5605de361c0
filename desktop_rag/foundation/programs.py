"""The programs that a process of ours has started, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable

import psutil


def programs_of(pid: int) -> list[psutil.Process]:
    """Return all that a process has started and that still runs; [] when it is gone."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def kill_programs(programs: Iterable[psutil.Process]) -> None:
    """Kill programs.

    One that leads a group is killed with its group, at once: a program that just then
    starts another one leaves none behind.
    """
    for program in programs:
        with contextlib.suppress(psutil.Error, OSError):
            if os.name != "nt" and os.getpgid(program.pid) == program.pid:
                os.killpg(program.pid, signal.SIGKILL)
            program.kill()
