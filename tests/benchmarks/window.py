"""The window's own figures: how late its timer is while there is work, and how soon it is up.

    python -m tests.benchmarks.window [--library DIR] [--files 500] [--rounds 3]

``late_*_ms``: a timer of 20 ms in the window's thread, while that many files are indexed and
questions are answered one after the other. ``window_*_s``: from the start of the process to the
first picture of the window; "cold" is after the program's files were dropped from the page
cache. ``answer_s``: from the start to the first answer, from the library in DIR (see
``tests.benchmarks.scale``) if there is one. Prints one JSON object. Without a screen Qt's
offscreen platform is used.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import desktop_rag
from tests.benchmarks import corpus

_SITE = Path(os.__file__).parent.parent
_QUESTION = "What is the influence of temperature on the result?"


def figures(files: int, rounds: int, library: Path | None) -> dict[str, Any]:
    """Measure everything; the best of ``rounds`` for what is to be warm."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        texts, _ = corpus.load(files)
        corpus.write(folder / "files", texts)
        stalls = drive(folder / "stalls", "stalls", str(folder / "files"))
        starts = [drive(folder / "start", "start")["window_s"] for _ in range(rounds + 1)][1:]
        forget_files()
        cold = drive(folder / "start", "start")["window_s"]
        found = {**stalls, "window_warm_s": min(starts), "window_cold_s": cold}
        if library is not None:
            shutil.copytree(library, folder / "large")
            drive(folder / "large", "answer")  # whatever a first start with it has to do once
            asked = [drive(folder / "large", "answer") for _ in range(rounds)]
            found["answer_s"] = min(each["answer_s"] for each in asked)
            found["answer_window_s"] = min(each["window_s"] for each in asked)
    return found


def drive(data_dir: Path, what: str, *arguments: str) -> dict[str, Any]:
    """Run the window in a process of its own; return what it measured."""
    data_dir.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ)
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    environment["BENCH_STARTED"] = repr(time.time())
    command = [sys.executable, "-m", "tests.benchmarks.window_drive", str(data_dir), what]
    run = subprocess.run(
        [*command, *arguments], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    measured: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return measured


def forget_files() -> None:
    """Drop the program and all its libraries from the page cache, as after a fresh boot."""
    if not hasattr(os, "posix_fadvise"):
        return
    roots = [_SITE, Path(sys.prefix), Path(desktop_rag.__file__).parent.parent / "models"]
    for root in dict.fromkeys([*roots, Path(desktop_rag.__file__).parent]):
        for path in root.rglob("*"):
            if path.is_file() and not path.is_symlink():
                descriptor = os.open(path, os.O_RDONLY)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, help="a library of 100,000 passages")
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    json.dump(figures(options.files, options.rounds, options.library), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
