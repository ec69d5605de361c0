"""Fits the models of the extractive answerer and writes ``resources/answering.json``.

    python -m tests.benchmarks.fit_answering SHARED_DATA [--output FILE]

English on squad2_dev_half, Chinese on cmrc2018: one half of the questions to fit on, the
other to judge; only coefficients are kept. It takes about half an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from desktop_rag.answering.evidence import SENTENCE_FEATURES
from desktop_rag.answering.judgement import (
    CONFIDENCE_FEATURES,
    FILE,
    Judgement,
    LogisticModel,
    load_judgements,
)
from desktop_rag.bootstrap import open_services
from desktop_rag.evaluation.cases import Case, CaseKind, Sizes, gather
from desktop_rag.evaluation.datasets import load_dataset
from desktop_rag.evaluation.fitting import confidences_by_kind, fit, judge, stored
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import resources_dir
from tests.benchmarks.reliability import drawing, points

COLLECTIONS = {"en": "squad2_dev_half", "zh": "cmrc2018"}
OFF_TOPIC = {"en": ("cran", "med", "cisi", "scifact_train"), "zh": ("xquad_zh",)}
SOURCE = (
    "Fitted by tests/benchmarks/fit_answering.py: English on half of the questions of "
    "squad2_dev_half, Chinese on half of cmrc2018; see evaluation/fitting.py."
)


def off_topic(data: Path, names: Sequence[str]) -> list[str]:
    """Questions of other collections, the same number of each."""
    questions = [list(load_dataset(data / name).queries.values()) for name in names]
    return [text for one in questions for text in one[:200]]


def make_readable(path: Path) -> None:
    """Write models that know nothing, where what is there is not of today's features."""
    try:
        load_judgements()
    except KnownError:
        nothing = LogisticModel(0.0, np.zeros(len(SENTENCE_FEATURES)))
        unsure = LogisticModel(0.0, np.zeros(len(CONFIDENCE_FEATURES)))
        empty = stored(Judgement(nothing, unsure, 1.0, 0.0))
        path.write_text(json.dumps({"languages": dict.fromkeys(COLLECTIONS, empty)}))


def draw(language: str, judgement: Judgement, cases: Sequence[Case], folder: Path) -> None:
    """Draw how far the confidence can be believed, for each kind of unanswerable question."""
    by_kind = confidences_by_kind(judgement, cases)
    sure = by_kind[CaseKind.ANSWERABLE]
    away = by_kind[CaseKind.OFF_TOPIC] + by_kind[CaseKind.TAKEN_AWAY]
    lines = {"others off topic or taken away": points(sure, away)}
    if by_kind[CaseKind.ADVERSARIAL]:
        lines["others adversarial"] = points(sure, by_kind[CaseKind.ADVERSARIAL])
    (folder / f"reliability-{language}.svg").write_text(drawing(lines), encoding="utf-8")


def main() -> None:
    """Fit, print the figures of the half kept for judging, and write."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.fit_answering")
    parser.add_argument("data", type=Path, help="the folder with the collections")
    parser.add_argument("--output", type=Path, default=resources_dir() / FILE)
    parser.add_argument("--images", type=Path, default=Path("docs/images"))
    parser.add_argument("--questions", type=int, default=Sizes.questions)
    parser.add_argument("--small-libraries", type=int, default=Sizes.small_libraries)
    options = parser.parse_args()
    make_readable(resources_dir() / FILE)
    sizes = Sizes(options.questions, options.small_libraries)
    languages = {}
    for language, name in COLLECTIONS.items():
        with tempfile.TemporaryDirectory(prefix="fit-") as folder:
            cases = gather(
                open_services,
                load_dataset(options.data / name),
                off_topic(options.data, OFF_TOPIC[language]),
                Path(folder),
                sizes,
                lambda line: print(line, file=sys.stderr),
            )
        judgement = fit(cases)
        print(json.dumps({"language": language, **judge(judgement, cases)}, indent=2))
        draw(language, judgement, cases, options.images)
        languages[language] = stored(judgement)
    written = json.dumps({"source": SOURCE, "languages": languages}, indent=2)
    options.output.write_text(written + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
