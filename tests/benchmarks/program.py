"""The product, run as its users run it, with its time and memory."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from desktop_rag.services.client import RequestClient

_LOOK_SECONDS = 0.1
_START_SECONDS = 60


@dataclass(frozen=True)
class Run:
    """What a command printed, how long it took from start to end, and its own memory.

    ``peak_mb`` is the most it had resident, ``end_mb`` what it had at the last look.
    """

    result: dict[str, Any]
    seconds: float
    peak_mb: float
    end_mb: float


def command(data_dir: Path, *arguments: str) -> list[str]:
    """Return the words that run a command on a library."""
    return [sys.executable, "-m", "desktop_rag", "--data-dir", str(data_dir), *arguments]


def run(data_dir: Path, *arguments: str) -> Run:
    """Run a command to its end; memory is that of its process, without child processes."""
    start, peak, last = time.perf_counter(), 0, 0
    with subprocess.Popen(
        command(data_dir, *arguments, "--json"), stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        watched = psutil.Process(process.pid)
        while process.poll() is None:
            with contextlib.suppress(psutil.NoSuchProcess):
                last = watched.memory_info().rss or last
                peak = max(peak, last)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK_SECONDS)
        assert process.stdout is not None
        output = process.stdout.read()
    seconds = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed: {output}")
    return Run(json.loads(output), seconds, peak / 2**20, last / 2**20)


@contextlib.contextmanager
def owner(data_dir: Path) -> Iterator[None]:
    """Keep a process that owns the library running."""
    with subprocess.Popen(
        command(data_dir, "watch", "--json"), stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            _wait_for_owner(data_dir)
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def ask(data_dir: Path, question: str) -> float:
    """Let the owner answer a question without re-ranking; return the seconds it took."""
    start = time.perf_counter()
    client = RequestClient.connect(data_dir)
    if client is None:
        raise SystemExit("the owner went away")
    with client:
        client.request("ask", {"question": question, "rerank": False})
    return time.perf_counter() - start


def _wait_for_owner(data_dir: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while (client := RequestClient.connect(data_dir)) is None:
        if time.monotonic() > deadline:
            raise SystemExit("the owner did not start")
        time.sleep(_LOOK_SECONDS)
    client.close()
