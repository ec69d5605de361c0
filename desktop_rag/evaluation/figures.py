"""The figures of a collection, from what came back to its questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import numpy as np

from desktop_rag.domain.answer import Outcome
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.asking import PASSAGES, QUOTES, Asked, Kind
from desktop_rag.evaluation.calibration import calibration, false_answers
from desktop_rag.evaluation.datasets import Dataset
from desktop_rag.evaluation.libraries import Figures
from desktop_rag.evaluation.spans import score_passages

_AREAS = {Kind.UNANSWERABLE: "answerable_auc", Kind.OFF_TOPIC: "off_topic_auc"}
_PREFIXES = {Kind.UNANSWERABLE: "", Kind.OFF_TOPIC: "off_topic_"}


def figures_of(dataset: Dataset, asked: Sequence[Asked]) -> Figures:
    """Return all figures that a collection allows; docs/evaluating.md says what each means."""
    own = of_kind(asked, Kind.ANSWERABLE)
    figures = {**search_figures(dataset, own), **_of_times(own)}
    figures["catalog_questions"] = sum(one.about_library for one in asked)
    if dataset.spans:
        figures |= _of_passages(dataset, own)
    if dataset.answers:
        figures |= answer_figures(dataset, own)
    for kind in (Kind.UNANSWERABLE, Kind.OFF_TOPIC):
        figures |= _of_confidence(dataset, own, of_kind(asked, kind), kind)
    return figures


def of_kind(asked: Sequence[Asked], kind: Kind) -> list[Asked]:
    """Return those of one kind."""
    return [one for one in asked if one.question.kind is kind]


def search_figures(dataset: Dataset, asked: Sequence[Asked]) -> Figures:
    """Return how well the right documents are found, 0..1 each."""
    measures: dict[str, tuple[Callable[..., float], int]] = {
        "ndcg@10": (metrics.ndcg, 10),
        "mrr@10": (metrics.reciprocal_rank, 10),
        "recall@10": (metrics.recall, 10),
        "recall@100": (metrics.recall, 100),
    }
    figures: Figures = {"queries": len(asked)}
    for name, (measure, k) in measures.items():
        values = [measure(one.ranked, dataset.judgements[one.question.row], k) for one in asked]
        figures[name] = fmean(values) if values else 0.0
    return figures


def answer_figures(dataset: Dataset, asked: Sequence[Asked]) -> Figures:
    """Return how often quotes hold an answer, and how long a quote is (characters)."""
    with_answers = [one for one in asked if one.question.row in dataset.answers]
    lengths = [len(quote) for one in with_answers for quote in one.quotes]
    figures: Figures = {
        f"answer_hit@{k}": fmean(hit(dataset, one, k) for one in with_answers)
        for k in (1, QUOTES)
        if with_answers
    }
    figures["quote_chars_mean"] = fmean(lengths) if lengths else 0.0
    return figures


def hit(dataset: Dataset, asked: Asked, k: int) -> bool:
    """Tell whether one of the first ``k`` quotes holds an answer."""
    return metrics.answer_hit(asked.quotes[:k], dataset.answers.get(asked.question.row, ()))


def _of_confidence(
    dataset: Dataset, own: Sequence[Asked], others: Sequence[Asked], kind: Kind
) -> Figures:
    """Return how well the confidence tells the two sides apart; nothing without them."""
    sure, unsure = _confidences(own), _confidences(others)
    if not sure or not unsure:
        return {}
    prefix = _PREFIXES[kind]
    figures: Figures = {
        _AREAS[kind]: metrics.area_under_curve(sure, unsure),
        f"{prefix}false_answers@90": false_answers(sure, unsure),
        "answerable_not_found": _not_found(own),
        f"{kind}_not_found": _not_found(others),
    }
    truths: dict[str, list[bool] | None] = {"": None}
    if dataset.answers:
        truths["quoted_"] = [hit(dataset, one, QUOTES) for one in own]
    for name, right in truths.items():
        found = calibration(sure, unsure, right)
        figures[f"{prefix}{name}calibration_error"] = found.error
        figures[f"{prefix}{name}brier"] = found.brier
        figures[f"{prefix}{name}brier_constant"] = found.constant
    return figures


def _confidences(asked: Sequence[Asked]) -> list[float]:
    return [one.confidence for one in asked if one.confidence is not None]


def _not_found(asked: Sequence[Asked]) -> float:
    return fmean(one.outcome is Outcome.NOT_FOUND for one in asked)


def _of_passages(dataset: Dataset, asked: Sequence[Asked]) -> Figures:
    """Return the means of ``SpanScore``, and how many characters were found."""
    if not asked:
        return {}
    scores = [score_passages(one.passages, dataset.spans[one.question.row]) for one in asked]
    lengths = [sum(part.end - part.start for part in one.passages) for one in asked]
    return {
        f"character_recall@{PASSAGES}": fmean(score.recall for score in scores),
        f"character_precision@{PASSAGES}": fmean(score.precision for score in scores),
        f"character_iou@{PASSAGES}": fmean(score.iou for score in scores),
        f"mean_characters@{PASSAGES}": fmean(lengths),
    }


def _of_times(asked: Sequence[Asked]) -> Figures:
    if not asked:
        return {}
    milliseconds = np.array([one.seconds for one in asked]) * 1000.0
    middle, slow = np.percentile(milliseconds, (50, 95))
    return {"query_p50_ms": float(middle), "query_p95_ms": float(slow)}
