"""The fitted models of the extractive answerer: which sentence, and how sure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.answering.evidence import SENTENCE_FEATURES, Evidence
from desktop_rag.domain.answer import Outcome
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import resources_dir

FILE = "answering.json"
"""In the resources; written by ``tests/benchmarks/fit_answering.py``."""

CONFIDENCE_FEATURES = (
    *(f"best_{name}" for name in SENTENCE_FEATURES),
    "score",
    "gap",
    "top_passage_match",
    "top_sentence_match",
    "top_window_match",
    "top_coverage",
    "top_passage_coverage",
)
"""The best sentence's features and its score (log odds), the gap to the second best, and
the maxima over all sentences."""

_MAXIMA = tuple(
    SENTENCE_FEATURES.index(name)
    for name in (
        "passage_match",
        "sentence_match",
        "window_match",
        "coverage",
        "passage_coverage",
    )
)

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """Log odds = bias + weights · features."""

    bias: float
    weights: Values

    def log_odds(self, features: Values) -> Values:
        """Return one value a row of ``features``, shape (rows, weights)."""
        odds: Values = self.bias + features @ self.weights
        return odds

    @classmethod
    def of(cls, values: Mapping[str, float], names: tuple[str, ...]) -> LogisticModel:
        """Build from named values; ValueError unless they are ``bias`` and ``names``."""
        if set(values) != {"bias", *names}:
            raise ValueError(f"coefficients must be named {', '.join(('bias', *names))}")
        return cls(float(values["bias"]), np.array([values[name] for name in names], dtype=float))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The models of one language: of sentences, and of the confidence in the best one.

    ``answer_from`` and ``maybe_from`` are the confidences at which the outcome changes.
    """

    sentence: LogisticModel
    confidence: LogisticModel
    answer_from: float
    maybe_from: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.maybe_from <= self.answer_from <= 1.0:
            raise ValueError("thresholds must be 0 <= maybe_from <= answer_from <= 1")

    def scores(self, evidence: Evidence) -> Values:
        """Return each sentence's log odds of holding the answer."""
        return self.sentence.log_odds(evidence.features)

    def confidence_in(self, evidence: Evidence, scores: Values) -> float:
        """Return the probability (0..1) that the best sentence answers."""
        row = confidence_features(evidence, scores)
        odds = float(self.confidence.log_odds(row[None, :])[0])
        return float(1.0 / (1.0 + np.exp(-odds)))

    def outcome(self, confidence: float) -> Outcome:
        """Return what may be said with this confidence."""
        if confidence >= self.answer_from:
            return Outcome.ANSWER
        return Outcome.MAYBE if confidence >= self.maybe_from else Outcome.NOT_FOUND


def confidence_features(evidence: Evidence, scores: Values) -> Values:
    """Return the row of ``CONFIDENCE_FEATURES``; at least one sentence is needed."""
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    gap = float(scores[best] - scores[order[1]]) if len(order) > 1 else 0.0
    maxima = evidence.features[:, _MAXIMA].max(axis=0)
    return np.concatenate((evidence.features[best], (scores[best], gap), maxima))


@cache
def load_judgements() -> Mapping[str, Judgement]:
    """Return the fitted models by language ("en", "zh").

    Raises:
        KnownError: the file is missing or damaged.
    """
    path = resources_dir() / FILE
    try:
        return _parsed(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnownError(
            "A file of the program is damaged",
            f"“{path.name}” can't be used. Install the program again.",
            str(path),
        ) from error


def _parsed(path: Path) -> Mapping[str, Judgement]:
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {
        language: Judgement(
            LogisticModel.of(values["sentence"], SENTENCE_FEATURES),
            LogisticModel.of(values["confidence"], CONFIDENCE_FEATURES),
            float(values["answer_from"]),
            float(values["maybe_from"]),
        )
        for language, values in stored["languages"].items()
    }
