"""What a child process does to itself before it works: limits, priority, its end."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import BinaryIO

_NICENESS = 10
_PR_SET_PDEATHSIG = 1
"""Linux's prctl(2): the signal to get when the thread that started this process ends."""


def protected_stdout() -> BinaryIO:
    """Return a stream to the owner, and let whatever prints print to stderr instead.

    Libraries in C write to file descriptor 1 as they like; one such line would break the
    stream of frames.
    """
    sys.stdout.flush()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return output


def stop_with_owner() -> None:
    """On Linux, be killed when the owner is gone, also in the middle of C code.

    Elsewhere the end of stdin tells (see ``Session``). An interrupt from the terminal is
    the owner's to handle.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def lower_priority() -> None:
    """Let everything else on this computer go first."""
    if sys.platform == "win32":
        import psutil  # needed on Windows alone

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(_NICENESS)


def limit_memory(megabytes: int) -> int:
    """On Linux, let the process take so much more address space than it has now.

    Returns:
        ``megabytes``, for messages. Elsewhere the owner watches the memory.
    """
    if sys.platform == "linux":
        import resource  # POSIX alone

        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + megabytes * 1024 * 1024
        _, most = resource.getrlimit(resource.RLIMIT_AS)  # a program that it starts needs more
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    return megabytes
