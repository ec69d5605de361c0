"""Lowering the calling thread's priority, so that background work yields to the user."""

from __future__ import annotations

import ctypes
import os
import sys
import threading

_NICENESS = 10
"""Halfway to the least favoured (19): yields at once to anything interactive."""

_THREAD_PRIORITY_BELOW_NORMAL = -1
"""Of the Windows interface ``SetThreadPriority``."""

_QOS_CLASS_UTILITY = 0x11
"""Of macOS ``<sys/qos.h>``: long work that the user follows without waiting for it."""


def lower_thread_priority() -> None:
    """Lower the priority of the calling thread alone; where that is not allowed, nothing."""
    if sys.platform == "linux":
        _nice(threading.get_native_id())
    elif sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentThread.restype = ctypes.c_void_p
        kernel.SetThreadPriority.argtypes = [ctypes.c_void_p, ctypes.c_int]
        kernel.SetThreadPriority(kernel.GetCurrentThread(), _THREAD_PRIORITY_BELOW_NORMAL)
    elif sys.platform == "darwin":
        ctypes.CDLL(None).pthread_set_qos_class_self_np(_QOS_CLASS_UTILITY, 0)


def _nice(thread: int) -> None:
    """On Linux each thread has a niceness of its own, named by its kernel id."""
    try:
        current = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, max(current, _NICENESS))
    except OSError:  # a sandbox may forbid it; the work is the same, only less polite
        return
