"""Two small regressions, fitted by Newton's method on standardised features."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

_STEPS = 50
_TOLERANCE = 1e-8
_RIDGE = 3e-3
"""Penalty a row on the square of a standardised weight: enough for a stable solution where
features go together, too little to change the order of anything."""

Objective = Callable[[Values], tuple[float, Values, Values]]
"""Gives the loss, its gradient and its curvature."""


def fit_logistic(features: Values, labels: Values, weights: Values) -> tuple[float, Values]:
    """Return bias and weights of a logistic regression.

    Args:
        features: shape (rows, columns).
        labels: 0 or 1 a row.
        weights: how much each row counts.
    """
    scaled, mean, spread = _standardised(features)
    rows = np.hstack((np.ones((len(scaled), 1)), scaled))
    penalty = np.full(rows.shape[1], _RIDGE * weights.sum())
    penalty[0] = 0.0

    def objective(beta: Values) -> tuple[float, Values, Values]:
        odds = rows @ beta
        loss = weights @ (np.logaddexp(0.0, odds) - labels * odds) + penalty @ beta**2 / 2
        chance = np.exp(-np.logaddexp(0.0, -odds))
        gradient = rows.T @ (weights * (chance - labels)) + penalty * beta
        curvature = (rows * (weights * chance * (1.0 - chance))[:, None]).T @ rows
        return float(loss), gradient, curvature + np.diag(penalty)

    beta = _newton(objective, rows.shape[1])
    own = beta[1:] / spread
    return float(beta[0] - own @ mean), own


def fit_choice(groups: Sequence[tuple[Values, Values]]) -> Values:
    """Return weights that let the right row of each group stand out (conditional logit).

    Differences of ``features @ weights`` within a group are then log ratios of the
    chances to be right.

    Args:
        groups: a question each: features, shape (rows, columns), and a label of 0 or 1 a
            row; groups without a 1 are left out.
    """
    used = [(rows, labels / labels.sum()) for rows, labels in groups if labels.sum() > 0]
    _, mean, spread = _standardised(np.concatenate([rows for rows, _ in used]))
    ready = [((rows - mean) / spread, share) for rows, share in used]
    columns = len(mean)
    penalty = _RIDGE * len(ready)

    def objective(beta: Values) -> tuple[float, Values, Values]:
        loss = penalty * float(beta @ beta) / 2
        gradient, curvature = penalty * beta, penalty * np.eye(columns)
        for rows, share in ready:
            odds = rows @ beta
            whole = np.logaddexp.reduce(odds)
            loss += float(whole - share @ odds)
            chance = np.exp(odds - whole)
            expected = chance @ rows
            gradient = gradient + expected - share @ rows
            curvature = curvature + (rows * chance[:, None]).T @ rows
            curvature -= np.outer(expected, expected)
        return loss, gradient, curvature

    return _newton(objective, columns) / spread


def _newton(objective: Objective, columns: int) -> Values:
    beta = np.zeros(columns)
    loss, gradient, curvature = objective(beta)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, gradient)
        beta, before = beta - step, loss
        loss, gradient, curvature = objective(beta)
        while loss > before and np.abs(step).max() > _TOLERANCE:
            step = step / 2
            beta = beta + step
            loss, gradient, curvature = objective(beta)
        if np.abs(step).max() < _TOLERANCE:
            break
    return beta


def _standardised(features: Values) -> tuple[Values, Values, Values]:
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread > 0.0, spread, 1.0)
    return (features - mean) / spread, mean, spread
