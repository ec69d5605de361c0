"""The two regressions recover what made the data."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.evaluation.logistic import fit_choice, fit_logistic

TRUE = np.array([2.0, -1.0, 0.0])


def test_logistic_regression_recovers_the_weights():
    random = np.random.default_rng(7)
    features = random.normal(size=(20_000, 3)) * (1.0, 3.0, 0.1)
    chance = 1 / (1 + np.exp(-(features @ TRUE - 0.5)))
    labels = (random.random(len(chance)) < chance).astype(float)
    bias, weights = fit_logistic(features, labels, np.ones(len(labels)))
    assert bias == pytest.approx(-0.5, abs=0.1)
    assert weights[:2] == pytest.approx(TRUE[:2], rel=0.15)
    assert abs(weights[2]) < 0.6


def test_weights_of_rows_count_as_repetition():
    features = np.array([[0.0], [1.0], [1.0], [2.0]])
    labels = np.array([0.0, 0.0, 1.0, 1.0])
    weighted = fit_logistic(features, labels, np.array([1.0, 3.0, 1.0, 1.0]))
    rows = [0, 1, 1, 1, 2, 3]
    repeated = fit_logistic(features[rows], labels[rows], np.ones(6))
    assert weighted[1] == pytest.approx(repeated[1], rel=0.1)


def test_the_choice_model_recovers_the_weights():
    random = np.random.default_rng(3)
    groups = []
    for _ in range(3_000):
        rows = random.normal(size=(6, 3))
        utility = rows @ TRUE + random.gumbel(size=6)
        groups.append((rows, (np.arange(6) == utility.argmax()).astype(float)))
    groups.append((np.ones((2, 3)), np.zeros(2)))
    assert fit_choice(groups) == pytest.approx(TRUE, abs=0.15)
