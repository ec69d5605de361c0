"""Fits and measures the check of written sentences, and writes ``resources/checking.json``.

    python -m tests.benchmarks.check_citations SHARED_DATA [--fit] [--show KIND]

Sentences are made of questions and answers (``made_claims``): true ones, and ones with a
number, a name or a negation changed. With ``--fit`` the weights come from squad2_dev_half;
the figures are of xquad_en and cmrc2018, of which nothing is fitted.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from desktop_rag.answering.checking.features import CHECK_FEATURES, ClaimReader, Findings
from desktop_rag.answering.checking.verdict import FILE, Verdicts, load_verdicts
from desktop_rag.answering.judgement import LogisticModel
from desktop_rag.domain.content import Content
from desktop_rag.domain.segment import Place, TextSegment
from desktop_rag.embedding.spaces import open_spaces
from desktop_rag.evaluation.datasets import Dataset, load_dataset
from desktop_rag.evaluation.logistic import fit_logistic
from desktop_rag.evaluation.metrics import area_under_curve
from desktop_rag.foundation.language import language_of
from desktop_rag.foundation.paths import models_dir, resources_dir
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from desktop_rag.text.analysis import analyse
from tests.benchmarks.made_claims import KINDS, TRUE, Claim, made_claims, of_others

FITTED_ON = "squad2_dev_half"
JUDGED_ON = ("xquad_en", "cmrc2018")
FIT_CLAIMS = 300
CLAIMS = 50

_SUPPORTED = 0.9
"""Of the true sentences that were fitted on, so many are called supported or weak."""

_SURE = 0.75
"""Of the true sentences that were fitted on, so many are called supported."""


class CollectionTerms:
    """How rare terms are in a collection, as in a library of it."""

    def __init__(self, dataset: Dataset) -> None:
        self._documents = len(dataset.documents)
        self._found = Counter(
            term for text in dataset.documents.values() for term in set(analyse(text))
        )

    def term_statistics(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return each term's idf, 0 for unknown ones."""
        rest = self._documents + 0.5
        return {
            one: math.log(1 + (rest - self._found[one]) / (self._found[one] + 0.5))
            for one in terms
            if one in self._found
        }


def held(
    dataset: Dataset, claims: Iterable[Claim], vectors: TokenVectors
) -> list[tuple[Claim, Findings]]:
    """Return what the check finds out about each claim, in its own document."""
    reader = ClaimReader(CollectionTerms(dataset), vectors)
    return [
        (claim, reader.read(claim.text, language_of(claim.text), [content(dataset, claim)], [0]))
        for claim in claims
    ]


def content(dataset: Dataset, claim: Claim) -> Content:
    """Return a claim's document as one passage."""
    text = dataset.documents[claim.document]
    place = Place(0, len(text), language=language_of(text))
    return Content(TextSegment(text, place=place))


def areas(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the area under the curve of the true ones against each other kind, and all."""
    others = [kind for kind in KINDS if kind != TRUE]
    found = {kind: area_under_curve(scores[TRUE], scores[kind]) for kind in others}
    every = [score for kind in others for score in scores[kind]]
    return {**found, "all": area_under_curve(scores[TRUE], every)}


def by_kind(verdicts: Verdicts, found: Sequence[tuple[Claim, Findings]]) -> dict[str, list[float]]:
    """Return the probabilities that sentences hold, by kind."""
    scores: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for claim, findings in found:
        if claim.kind in scores:
            scores[claim.kind].append(verdicts.probability(findings))
    return scores


def fit(found: Sequence[tuple[Claim, Findings]]) -> dict[str, object]:
    """Return the weights and thresholds as they are stored."""
    rows = np.array([findings.row for _, findings in found])
    labels = np.array([float(claim.kind == TRUE) for claim, _ in found])
    counts = np.where(labels > 0, 4.0, 1.0)
    bias, weights = fit_logistic(rows, labels, counts)
    odds = LogisticModel(bias, weights).log_odds(rows[labels > 0])
    chances = np.sort(1.0 / (1.0 + np.exp(-odds)))
    return {
        "weights": {"bias": bias, **dict(zip(CHECK_FEATURES, weights.tolist(), strict=True))},
        "supported_from": float(np.quantile(chances, 1 - _SURE)),
        "weak_from": float(np.quantile(chances, 1 - _SUPPORTED)),
    }


def main() -> None:
    """Fit if asked to, then judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--show", default="")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit("there is no data to measure with")
    spaces = open_spaces(models_dir())
    with ThreadPoolExecutor(2) as threads:
        vectors = TokenVectors(spaces, threads)
        if options.fit:
            dataset = load_dataset(options.data / FITTED_ON)
            claims = made_claims(dataset, FIT_CLAIMS)
            found = held(dataset, [*claims, *of_others(claims)], vectors)
            shared = [
                f.of("sentence_coverage") + f.of("elsewhere") for c, f in found if c.kind == TRUE
            ]
            print("share of terms, first percent:", np.quantile(shared, 0.01))
            stored = {"source": "Fitted by tests/benchmarks/check_citations.py.", **fit(found)}
            text = json.dumps(stored, indent=2) + "\n"
            (resources_dir() / FILE).write_text(text, encoding="utf-8")
            load_verdicts.cache_clear()
            print(FITTED_ON, areas(by_kind(load_verdicts(), found)))
        judge(options.data, vectors, options.show)
    spaces.close()


def judge(data: Path, vectors: TokenVectors, show: str) -> None:
    """Print the figures of collections that nothing was fitted on."""
    verdicts = load_verdicts()
    whole: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for name in JUDGED_ON:
        dataset = load_dataset(data / name)
        found = held(dataset, made_claims(dataset, CLAIMS), vectors)
        scores = by_kind(verdicts, found)
        print(name, {kind: f"{area:.3f}" for kind, area in areas(scores).items()})
        _print_supports(verdicts, found)
        for kind in KINDS:
            whole[kind] += scores[kind]
        for claim, findings in found:
            if claim.kind == show:
                row = dict(zip(CHECK_FEATURES, findings.row.round(2).tolist(), strict=True))
                print(f"{verdicts.probability(findings):.2f}", claim.text[:150], row)
    print("both", {kind: f"{area:.3f}" for kind, area in areas(whole).items()})


def _print_supports(verdicts: Verdicts, found: Sequence[tuple[Claim, Findings]]) -> None:
    for kind in KINDS:
        counted = Counter(verdicts.support(one).value for claim, one in found if claim.kind == kind)
        print(f"  {kind:8}", dict(counted))


if __name__ == "__main__":
    main()
