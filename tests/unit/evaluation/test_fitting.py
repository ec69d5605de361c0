"""Fitting on made-up evidence: the right features win, and what is written can be read."""

from __future__ import annotations

import json

import numpy as np
import pytest

from desktop_rag.answering.evidence import SENTENCE_FEATURES, Evidence, Sentence
from desktop_rag.answering.judgement import CONFIDENCE_FEATURES, LogisticModel
from desktop_rag.domain.answer import Outcome
from desktop_rag.evaluation.cases import Case, CaseKind
from desktop_rag.evaluation.fitting import fit, judge, stored

MATCH = SENTENCE_FEATURES.index("sentence_match")
PASSAGE = SENTENCE_FEATURES.index("passage_match")


def made_up_cases(count: int) -> list[Case]:
    """The right sentence has the best match; answerable questions have near passages."""
    random = np.random.default_rng(5)
    cases = []
    for number in range(count):
        kind = list(CaseKind)[number % 4]
        features = random.normal(size=(5, len(SENTENCE_FEATURES)))
        features[:, PASSAGE] += 4.0 if kind is CaseKind.ANSWERABLE else 0.0
        right = int(random.integers(5))
        features[right, MATCH] += 5.0
        holds = (np.arange(5) == right) * float(kind is CaseKind.ANSWERABLE)
        sentences = tuple(Sentence(0, (n, n + 1)) for n in range(5))
        evidence = Evidence(sentences, features, "en")
        cases.append(Case(kind, evidence, holds, holds, number % 8 >= 4, False))
    return cases


def test_what_is_fitted_tells_right_from_wrong():
    cases = made_up_cases(800)
    judgement = fit(cases)
    assert np.argmax(np.abs(judgement.sentence.weights)) == MATCH
    figures = judge(judgement, cases)
    assert figures["hit@1"] > 0.9
    assert figures["hit@3"] == pytest.approx(1.0, abs=0.02)
    assert figures["quote_chars_mean"] == 1.0
    assert figures["auc_off_topic"] > 0.95
    assert figures["off_topic_not_found"] > 0.8
    assert figures["answerable_not_found"] < 0.15
    assert judgement.outcome(1.0) is Outcome.ANSWER


def test_what_is_stored_can_be_read_again():
    judgement = fit(made_up_cases(400))
    read = json.loads(json.dumps(stored(judgement)))
    sentence = LogisticModel.of(read["sentence"], SENTENCE_FEATURES)
    assert sentence.weights == pytest.approx(judgement.sentence.weights, abs=1e-4)
    confidence = LogisticModel.of(read["confidence"], CONFIDENCE_FEATURES)
    assert confidence.bias == pytest.approx(judgement.confidence.bias, abs=1e-4)
    assert 0.0 < read["maybe_from"] <= read["answer_from"] < 1.0


def test_one_kind_of_case_is_not_enough():
    with pytest.raises(ValueError, match="answerable"):
        fit([case for case in made_up_cases(40) if case.kind is CaseKind.ANSWERABLE])
