"""What a child process does to itself before it works: limits, priority, its end."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import BinaryIO

_NICENESS = 10
_LOWEST_NICENESS = 19
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


def lower_priority(*, lowest: bool = False) -> None:
    """Let everything else on this computer go first; ``lowest`` is below reading, too."""
    if sys.platform == "win32":
        import psutil  # needed on Windows alone

        usual = psutil.BELOW_NORMAL_PRIORITY_CLASS
        psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS if lowest else usual)
    else:
        os.nice(_LOWEST_NICENESS if lowest else _NICENESS)


def limit_memory(megabytes: int) -> int:
    """Let the process take so much more memory than it has now.

    Linux refuses more address space, Windows more committed memory (a job object), so that
    the allocation fails; on macOS the owner looks at the process instead.

    Returns:
        ``megabytes``, for messages.
    """
    if sys.platform == "linux":
        import resource  # POSIX alone

        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + megabytes * 1024 * 1024
        _, most = resource.getrlimit(resource.RLIMIT_AS)  # a program that it starts needs more
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    elif sys.platform == "win32":
        import psutil  # needed on Windows alone

        from desktop_rag.worker.job_object import enter_job

        enter_job(psutil.Process().memory_info().private + megabytes * 1024 * 1024)
    return megabytes
