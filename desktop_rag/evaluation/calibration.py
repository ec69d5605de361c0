"""How far a confidence can be believed, as if half of the questions had an answer."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

BINS = 10


class Calibration(NamedTuple):
    """Figures of a confidence, each 0..1.

    ``error``: the expected calibration error, the mean difference between confidence and
    truth over bins of equal mass (Naeini and others, 2015). ``brier``: the mean square
    of confidence minus truth (Brier, 1950). ``constant``: what that would be if the
    confidence were always the share of what is true.
    """

    error: float
    brier: float
    constant: float


def calibration(
    answerable: Sequence[float], others: Sequence[float], right: Sequence[bool] | None = None
) -> Calibration:
    """Compare confidences with what was true, both sides weighing a half.

    Args:
        answerable: confidences in answers to questions that have one.
        others: confidences where there is nothing to answer.
        right: whether each of the first was true; None where all were.

    Equal confidences stay in one bin, that of their middle, so that the order of the
    questions makes no difference.

    Raises:
        ValueError: one side is empty, or ``right`` is not as long as ``answerable``.
    """
    _check(answerable, others)
    true = [True] * len(answerable) if right is None else list(right)
    if len(true) != len(answerable):
        raise ValueError("each answerable question needs to be right or wrong")
    confidence = np.array([*answerable, *others])
    truth = np.array([*map(float, true), *([0.0] * len(others))])
    halves = [(0.5 / len(side), len(side)) for side in (answerable, others)]
    weight = np.concatenate([np.full(count, each) for each, count in halves])
    share = float(weight @ truth)
    return Calibration(
        error=_bin_error(confidence, truth, weight),
        brier=float(weight @ (confidence - truth) ** 2),
        constant=share * (1.0 - share),
    )


def false_answers(
    answerable: Sequence[float], others: Sequence[float], answered: float = 0.9
) -> float:
    """Return the share of questions without an answer that would get one.

    The threshold is the highest that still answers the share ``answered`` of the
    answerable questions, whatever the product's own.

    Raises:
        ValueError: one side is empty, or ``answered`` is not within 0..1.
    """
    _check(answerable, others)
    if not 0.0 < answered <= 1.0:
        raise ValueError(f"answered must be greater than 0 and at most 1, not {answered}")
    best_first = sorted(answerable, reverse=True)
    threshold = best_first[ceil(answered * len(best_first) - 1e-9) - 1]
    return sum(one >= threshold for one in others) / len(others)


def _check(answerable: Sequence[float], others: Sequence[float]) -> None:
    if not answerable or not others:
        raise ValueError("confidences of questions with and without an answer are needed")


def _bin_error(
    confidence: np.typing.NDArray[np.float64],
    truth: np.typing.NDArray[np.float64],
    weight: np.typing.NDArray[np.float64],
) -> float:
    _values, value = np.unique(confidence, return_inverse=True)
    mass = np.bincount(value, weight)
    middle = np.cumsum(mass) - mass / 2
    bins = np.minimum((middle * BINS).astype(int), BINS - 1)[value]
    return float(np.abs(np.bincount(bins, weight * (confidence - truth))).sum())
