"""Sweeps the sizes of segments and parents over the shared collections.

    python -m tests.benchmarks.sizes [--sizes 40,64,96] [--sets cran,med] [--questions 300]

Prints a line of JSON for every size and collection: the figures of ``evaluate`` without
re-ranking, for the first so many questions. About five minutes a size on two idle cores.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from unittest.mock import patch

from desktop_rag import bootstrap
from desktop_rag.evaluation.measuring import Choices, evaluate
from desktop_rag.ingestion.reading import ReadLimits, WorkerReader
from desktop_rag.ingestion.splitters.sizes import SegmentSizes
from tests.benchmarks.corpus import shared_dir

SETS = "cran,med,cisi,squad2_dev_half,xquad_en,cmrc2018,xquad_zh,chunk_eval"
SIZES = "40:450,64:450,64:300,96:450,128:450"


def figures(folder: Path, sizes: SegmentSizes, questions: int) -> dict[str, object]:
    """Evaluate one collection with these sizes."""

    def reader(limits: ReadLimits) -> WorkerReader:
        return WorkerReader(limits, sizes)

    with patch.object(bootstrap, "WorkerReader", reader):
        choices = Choices(limit=questions, rerank=False)
        return evaluate(folder, bootstrap.open_services, choices)


def main() -> None:
    """Sweep and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sizes", description=__doc__)
    parser.add_argument("--sizes", default=SIZES, help="segment:parent, in tokens")
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--questions", type=int, default=300)
    options = parser.parse_args()
    shared = shared_dir()
    if shared is None:
        raise SystemExit("there are no shared collections")
    for pair in options.sizes.split(","):
        target, parent = map(int, pair.split(":"))
        for name in options.sets.split(","):
            found = figures(shared / "data" / name, SegmentSizes(target, parent), options.questions)
            print(json.dumps({"target": target, "parent": parent, **found}), flush=True)


if __name__ == "__main__":
    main()
