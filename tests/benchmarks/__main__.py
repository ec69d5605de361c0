"""``make bench``: indexing against the bare runtime, indexing again, and asking.

Prints one JSON object. ``indexing_ratio`` is the time of ``index`` over the time that ONNX
Runtime alone needs for the very same inputs; ``again_ratio`` that of a second ``index`` over
the first; questions go to a running owner, each asked once, without re-ranking. ``reading``
is what ``tests.benchmarks.reading`` prints, ``window`` what ``tests.benchmarks.window`` does,
``models`` what ``tests.benchmarks.models`` does.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks import corpus, models, program, reading, runtime, window

_SMALL_FILES = 10_000
_PAGES = 600
_WINDOW_FILES, _ROUNDS = 500, 3
_WARM_UP = 5
"""Questions that load the models and are not counted: an owner has been asked before."""


def measure(folder: Path, limit: int | None, questions: int) -> dict[str, Any]:
    """Index, index again, run the bare runtime on the same inputs, and ask."""
    texts, asked = corpus.load(limit)
    files, library = folder / "files", folder / "library"
    corpus.write(files, texts)
    first = program.run(library, "index", str(files))
    again = program.run(library, "index", str(files))
    alone = runtime.seconds_alone(library)
    with program.owner(library):
        times = [program.ask(library, question) for question in asked[: questions + _WARM_UP]]
    del times[:_WARM_UP]
    return {
        "files": len(texts),
        "segments": first.result["segments"],
        "index_seconds": round(first.seconds, 2),
        "runtime_alone_seconds": round(alone, 2),
        "indexing_ratio": round(first.seconds / alone, 3),
        "again_seconds": round(again.seconds, 2),
        "again_ratio": round(again.seconds / first.seconds, 4),
        "owner_peak_mb": round(first.peak_mb),
        "owner_end_mb": round(first.end_mb),
        "question_p50_ms": round(1000 * statistics.median(times), 1),
        "question_p95_ms": round(1000 * statistics.quantiles(times, n=20)[-1], 1),
    }


def documents_memory() -> dict[str, Any]:
    """Return the owner's memory while, and after, it indexes the shared documents."""
    shared = corpus.shared_dir()
    if shared is None:
        return {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        run = program.run(Path(folder, "library"), "index", str(shared / "documents"))
    return {
        "documents_seconds": round(run.seconds, 2),
        "documents_owner_peak_mb": round(run.peak_mb),
        "documents_owner_end_mb": round(run.end_mb),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--limit", type=int, help="index this many files only")
    parser.add_argument("--questions", type=int, default=200, help="ask this many questions")
    parser.add_argument("--library", type=Path, help="a large library for the window to open")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        figures = measure(Path(folder), options.limit, options.questions)
    figures |= documents_memory()
    figures["window"] = window.figures(_WINDOW_FILES, _ROUNDS, options.library)
    figures["models"] = models.figures()
    figures["reading"] = reading.figures(options.limit or _SMALL_FILES, _PAGES)
    json.dump(figures, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
