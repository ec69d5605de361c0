"""Finds what a test left running: threads and child processes."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import psutil

GRACE_SECONDS = 5.0
"""How long what was told to end may take; nothing waits when nothing was left."""


@dataclass(frozen=True)
class Running:
    """What ran at one moment: threads by identity, child processes by id and start."""

    threads: frozenset[threading.Thread]
    children: frozenset[psutil.Process]

    @classmethod
    def now(cls) -> Running:
        # a dummy stands for a thread of Qt's pool that once ran Python; nobody can end it
        threads = frozenset(
            thread
            for thread in threading.enumerate()
            if not isinstance(thread, threading._DummyThread)
        )
        return cls(threads, frozenset(psutil.Process().children(recursive=True)))

    def left_after(self, before: Running) -> list[str]:
        """Say, one line each, what runs in this moment and did not before."""
        threads = [f"thread {thread.name!r}" for thread in self.threads - before.threads]
        children = [f"process {_describe(child)}" for child in self.children - before.children]
        return sorted(threads) + sorted(filter(None, children))


def wait_for_leaks(before: Running, grace: float = GRACE_SECONDS) -> list[str]:
    """Return what is left after at most ``grace`` seconds, [] as soon as nothing is."""
    deadline = time.monotonic() + grace
    while (left := Running.now().left_after(before)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _describe(child: psutil.Process) -> str:
    try:
        return f"{child.pid} ({child.status()}): {' '.join(child.cmdline())}"
    except psutil.NoSuchProcess:
        return ""
