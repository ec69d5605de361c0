"""Hours of edits and questions on a small library: nothing grows.

``make soak ARGS='-k flat --soak-hours 0.2'`` takes twelve minutes. A line of JSON a minute
says what the process that owns the library has.
"""

from __future__ import annotations

import contextlib
import json
import random
import statistics
import time
from pathlib import Path

import psutil
import pytest

from desktop_rag.services.client import RequestClient
from tests.helpers.disk_history import DiskHistory
from tests.helpers.program import DesktopRag, Running

_WARM_UP = 0.25
"""Of the time: until then memory may grow, as models, caches and pools come to their size."""

_MOST_FILES = 60
_MOST_GROWTH = 1.05
_QUESTIONS = (
    "What does the register say about sentence {}?",
    "sentence {}",
    "第{}句在哪里？",
    "Who wrote down sentence {} and when?",
)


def test_memory_files_and_database_stay_as_they_are(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    seconds = 3600.0 * request.config.getoption("--soak-hours")
    history = DiskHistory(tmp_path / "disk", tmp_path / "outside", seed=1)
    program = DesktopRag(tmp_path / "data")
    samples: list[dict[str, float]] = []
    with program.running("watch", history.root) as running:
        running.wait_until_owner(program.data_dir)
        began = time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            _use(program, history)
            if passed >= 60 * (len(samples) + 1):
                samples.append(_sample(running, program.data_dir, passed))
                print(json.dumps(samples[-1]), flush=True)
    _hold(samples)


def _use(program: DesktopRag, history: DiskHistory) -> None:
    """Change something, ask something, and wait a little, as people do."""
    while len(history.files()) > _MOST_FILES:
        history.delete()
    history.step()
    client = RequestClient.connect(program.data_dir)
    assert client is not None
    question = history.chance.choice(_QUESTIONS).format(history.chance.randrange(300))
    with client:
        client.request("ask", {"question": question})
    time.sleep(random.uniform(0.2, 1.5))


def _sample(running: Running, data_dir: Path, seconds: float) -> dict[str, float]:
    process = psutil.Process(running.process.pid)
    children = process.children(recursive=True)
    return {
        "seconds": round(seconds),
        "owner_mb": process.memory_info().rss >> 20,
        "children_mb": sum(child.memory_info().rss for child in children) >> 20,
        "children": len(children),
        "open_files": process.num_fds(),
        "threads": process.num_threads(),
        "data_mb": _bytes_in(data_dir) >> 20,
    }


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # replaced just now
            total += path.stat().st_size
    return total


def _hold(samples: list[dict[str, float]]) -> None:
    """Compare the first fifth after the warm-up with the last one."""
    steady = samples[int(len(samples) * _WARM_UP) :]
    fifth = max(1, len(steady) // 5)
    for name, slack in (("owner_mb", 0), ("open_files", 4), ("threads", 2), ("data_mb", 4)):
        first = statistics.median(sample[name] for sample in steady[:fifth])
        last = statistics.median(sample[name] for sample in steady[-fifth:])
        assert last <= first * _MOST_GROWTH + slack, (name, first, last)
