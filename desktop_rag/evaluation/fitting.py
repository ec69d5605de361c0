"""Fits the extractive answerer's models and judges them on what they were not fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from desktop_rag.answering.evidence import SENTENCE_FEATURES
from desktop_rag.answering.judgement import (
    CONFIDENCE_FEATURES,
    Judgement,
    LogisticModel,
    confidence_features,
)
from desktop_rag.domain.answer import Outcome
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.cases import Case, CaseKind
from desktop_rag.evaluation.logistic import Values, fit_choice, fit_logistic

_SHARES = {
    CaseKind.ANSWERABLE: 3.0,
    CaseKind.ADVERSARIAL: 0.5,
    CaseKind.TAKEN_AWAY: 1.0,
    CaseKind.OFF_TOPIC: 1.5,
}
"""What each kind counts as a whole, however many questions there are of it: as much that
is answered as is not. Few people ask what was written to mislead. Calibration error where the
others are off topic or taken away, and where they are adversarial: .042 and .23 so, .08 and .16
with all alike, .07 and .33 without adversarial ones (squad2_dev_half)."""

_MISSED = 0.05
"""Of the answerable questions, this share may be told that nothing was found."""

_SURE = 0.4
"""Of the answerable questions, this share may be told "maybe" or nothing."""

_SURE_ENOUGH = 0.8
"""An answer this probable is an answer, however many questions have a more probable one."""


def fit(cases: Sequence[Case]) -> Judgement:
    """Fit on the cases that are not kept for judging.

    Sentences by a conditional logit over each question's sentences, the confidence by a
    logistic regression over questions.

    Raises:
        ValueError: there are no answerable cases, or nothing but those.
    """
    used = [case for case in cases if not case.judging]
    answerable = [case for case in used if case.kind is CaseKind.ANSWERABLE]
    if not answerable or len(answerable) == len(used):
        raise ValueError("fitting needs cases that are answerable and cases that are not")
    groups = [(case.evidence.features, case.holds) for case in answerable]
    sentence = LogisticModel(0.0, fit_choice(groups))
    rows = np.array([_row(case, sentence) for case in used])
    labels = np.array([float(case.kind is CaseKind.ANSWERABLE) for case in used])
    bias, weights = fit_logistic(rows, labels, _weights(used))
    confidence = LogisticModel(bias, weights)
    unsure = Judgement(sentence, confidence, 1.0, 0.0)
    maybe_from, answer_from = np.quantile(_confidences(unsure, answerable), (_MISSED, _SURE))
    answer_from = min(float(answer_from), max(_SURE_ENOUGH, float(maybe_from)))
    return Judgement(sentence, confidence, answer_from, float(maybe_from))


def judge(judgement: Judgement, cases: Sequence[Case]) -> dict[str, float]:
    """Return figures of the cases kept for judging.

    ``hit@1`` and ``hit@3`` of the answerable ones, with the mean characters of a quote;
    for each other kind the area under the curve against them; for every kind the shares of
    outcomes.
    """
    judged = [case for case in cases if case.judging]
    by_kind = {kind: [case for case in judged if case.kind is kind] for kind in CaseKind}
    answerable = by_kind[CaseKind.ANSWERABLE]
    figures = {f"hit@{k}": fmean(_hit(judgement, case, k) for case in answerable) for k in (1, 3)}
    figures["quote_chars_mean"] = fmean(
        length for case in answerable for length in _lengths(judgement, case, 3)
    )
    sure = _confidences(judgement, answerable)
    for kind, of_kind in by_kind.items():
        if not of_kind:
            continue
        confidences = _confidences(judgement, of_kind)
        if kind is not CaseKind.ANSWERABLE:
            figures[f"auc_{kind}"] = metrics.area_under_curve(sure, confidences)
        outcomes = [judgement.outcome(one) for one in confidences]
        for outcome in (Outcome.ANSWER, Outcome.NOT_FOUND):
            figures[f"{kind}_{outcome}"] = outcomes.count(outcome) / len(outcomes)
    return figures


def confidences_by_kind(judgement: Judgement, cases: Sequence[Case]) -> dict[CaseKind, list[float]]:
    """Return the confidences of the cases kept for judging in the library of all documents."""
    judged = [case for case in cases if case.judging and not case.small]
    return {
        kind: _confidences(judgement, [case for case in judged if case.kind is kind])
        for kind in CaseKind
    }


def stored(judgement: Judgement) -> dict[str, object]:
    """Return a judgement as ``answering.judgement`` reads it."""
    return {
        "sentence": _named(judgement.sentence, SENTENCE_FEATURES),
        "confidence": _named(judgement.confidence, CONFIDENCE_FEATURES),
        "answer_from": round(judgement.answer_from, 4),
        "maybe_from": round(judgement.maybe_from, 4),
    }


def _named(model: LogisticModel, names: Sequence[str]) -> Mapping[str, float]:
    values = (round(float(value), 4) for value in model.weights)
    return {"bias": round(model.bias, 4), **dict(zip(names, values, strict=True))}


def _row(case: Case, sentence: LogisticModel) -> Values:
    return confidence_features(case.evidence, sentence.log_odds(case.evidence.features))


def _weights(cases: Sequence[Case]) -> Values:
    kinds = [case.kind for case in cases]
    return np.array([_SHARES[kind] * len(cases) / kinds.count(kind) for kind in kinds])


def _confidences(judgement: Judgement, cases: Sequence[Case]) -> list[float]:
    return [
        judgement.confidence_in(case.evidence, judgement.scores(case.evidence)) for case in cases
    ]


def _hit(judgement: Judgement, case: Case, k: int) -> float:
    return float(case.hits[_best(judgement, case, k)].any())


def _lengths(judgement: Judgement, case: Case, k: int) -> list[int]:
    spans = [case.evidence.sentences[at].span for at in _best(judgement, case, k)]
    return [last - first for first, last in spans]


def _best(judgement: Judgement, case: Case, k: int) -> list[int]:
    order: list[int] = np.argsort(-judgement.scores(case.evidence), kind="stable")[:k].tolist()
    return order
