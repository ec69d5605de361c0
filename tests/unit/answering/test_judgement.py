"""The fitted models as they are shipped, and what they must be."""

from __future__ import annotations

import json

import numpy as np
import pytest

from desktop_rag.answering import judgement as module
from desktop_rag.answering.evidence import SENTENCE_FEATURES, Evidence, Sentence
from desktop_rag.answering.judgement import (
    CONFIDENCE_FEATURES,
    Judgement,
    LogisticModel,
    confidence_features,
    load_judgements,
)
from desktop_rag.domain.answer import Outcome
from desktop_rag.foundation.errors import KnownError


def evidence(*rows: float) -> Evidence:
    """Sentences whose first feature is given and whose others are 0."""
    features = np.zeros((len(rows), len(SENTENCE_FEATURES)))
    features[:, 0] = rows
    sentences = tuple(Sentence(0, (n, n + 1)) for n in range(len(rows)))
    return Evidence(sentences, features, "en")


def model(names, **values: float) -> LogisticModel:
    return LogisticModel.of(dict.fromkeys(names, 0.0) | {"bias": 0.0} | values, names)


def judged(answer_from: float = 0.7, maybe_from: float = 0.4) -> Judgement:
    return Judgement(
        model(SENTENCE_FEATURES, passage_match=2.0, bias=1.0),
        model(CONFIDENCE_FEATURES, gap=1.0),
        answer_from,
        maybe_from,
    )


def test_scores_are_log_odds_and_the_gap_counts():
    found = evidence(0.5, 2.0, 1.0)
    scores = judged().scores(found)
    assert scores.tolist() == [2.0, 5.0, 3.0]
    row = dict(zip(CONFIDENCE_FEATURES, confidence_features(found, scores), strict=True))
    assert (row["best_passage_match"], row["score"], row["gap"]) == (2.0, 5.0, 2.0)
    assert judged().confidence_in(found, scores) == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_one_sentence_has_no_gap():
    one = evidence(1.0)
    assert judged().confidence_in(one, judged().scores(one)) == 0.5


@pytest.mark.parametrize(
    ("confidence", "outcome"),
    [
        (1.0, Outcome.ANSWER),
        (0.7, Outcome.ANSWER),
        (0.69, Outcome.MAYBE),
        (0.4, Outcome.MAYBE),
        (0.39, Outcome.NOT_FOUND),
        (0.0, Outcome.NOT_FOUND),
    ],
)
def test_outcomes_change_at_the_thresholds(confidence, outcome):
    assert judged().outcome(confidence) is outcome


def test_thresholds_and_names_are_checked():
    with pytest.raises(ValueError, match="thresholds"):
        judged(answer_from=0.2, maybe_from=0.3)
    with pytest.raises(ValueError, match="coefficients"):
        LogisticModel.of({"bias": 1.0}, ("passage_match",))


def test_the_shipped_models_are_there_for_both_languages():
    assert set(load_judgements()) == {"en", "zh"}


@pytest.mark.parametrize("content", [None, "{", "{}", '{"languages": {"en": {"sentence": {}}}}'])
def test_a_damaged_file_is_a_known_error(tmp_path, monkeypatch, content):
    if content is not None:
        (tmp_path / "answering.json").write_text(content)
    monkeypatch.setattr(module, "resources_dir", lambda: tmp_path)
    load_judgements.cache_clear()
    try:
        with pytest.raises(KnownError, match="damaged"):
            load_judgements()
    finally:
        load_judgements.cache_clear()


def test_the_file_says_where_its_numbers_come_from():
    stored = json.loads((module.resources_dir() / module.FILE).read_text(encoding="utf-8"))
    assert "squad2_dev_half" in stored["source"]
