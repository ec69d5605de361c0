"""Finds what of Qt a test left running: timers, threads and pools."""

from __future__ import annotations

import gc

import shiboken6
from PySide6.QtCore import QObject, QThread, QThreadPool, QTimer


def running_of_qt() -> list[QObject]:
    """Return the timers that tick, and the threads and pools that work, known to Python."""
    found = (one for one in gc.get_objects() if isinstance(one, (QTimer, QThread, QThreadPool)))
    pools = [QThreadPool.globalInstance()]
    alive = [one for one in (*found, *pools) if shiboken6.isValid(one)]
    return [one for one in alive if _is_running(one)]


def _is_running(one: QObject) -> bool:
    if isinstance(one, QTimer):
        return one.isActive()
    if isinstance(one, QThreadPool):
        return one.activeThreadCount() > 0
    return isinstance(one, QThread) and one.isRunning() and one is not QThread.currentThread()
