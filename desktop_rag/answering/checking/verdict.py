"""Whether a sentence holds, of what was found out about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from desktop_rag.answering.checking.features import CHECK_FEATURES, Findings
from desktop_rag.answering.judgement import LogisticModel
from desktop_rag.domain.answer import Support
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import resources_dir

FILE = "checking.json"
"""In the resources; written by ``tests/benchmarks/check_citations.py``."""

_LEAST_SHARED = 0.2
"""Share of a sentence's terms, by idf, that its source has at least if it says the same: of
300 true sentences of squad2_dev_half one in a hundred has less."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A fitted model: the probability that a sentence says what its passages say.

    ``supported_from`` and ``weak_from`` are the probabilities at which the verdict changes.
    """

    model: LogisticModel
    supported_from: float
    weak_from: float

    def probability(self, findings: Findings) -> float:
        """Return 0..1."""
        odds = float(self.model.log_odds(findings.row[None, :])[0])
        return float(1.0 / (1.0 + np.exp(-odds)))

    def support(self, findings: Findings) -> Support:
        """Return the verdict; with a number that is nowhere in the source it is always no."""
        probability = self.probability(findings)
        shared = findings.of("sentence_coverage") + findings.of("elsewhere")
        if findings.missing_number or shared < _LEAST_SHARED:
            return Support.UNSUPPORTED
        if probability >= self.supported_from and not findings.missing:
            return Support.SUPPORTED
        return Support.WEAK if probability >= self.weak_from else Support.UNSUPPORTED

    def worst(self, findings: Findings) -> str:
        """Return what speaks most against a sentence: doubtful, turned or little."""
        against = dict(zip(CHECK_FEATURES, -self.model.weights * findings.row, strict=True))
        doubtful = max(against["number_doubt"], against["name_doubt"])
        little = self.model.weights[0] * (1.0 - findings.of("sentence_coverage"))
        found = {"doubtful": doubtful, "turned": against["turned"], "little": float(little)}
        if not findings.doubtful:
            del found["doubtful"]
        return max(found, key=lambda name: found[name])


@cache
def load_verdicts() -> Verdicts:
    """Return the fitted model.

    Raises:
        KnownError: the file is missing or damaged.
    """
    path = resources_dir() / FILE
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        model = LogisticModel.of(stored["weights"], CHECK_FEATURES)
        return Verdicts(model, float(stored["supported_from"]), float(stored["weak_from"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnownError(
            "A file of the program is damaged",
            f"“{path.name}” can't be used. Install the program again.",
            str(path),
        ) from error
