"""Figures of a confidence, against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.evaluation.calibration import calibration, false_answers


def test_both_sides_weigh_a_half_whatever_their_number():
    few = calibration([0.8], [0.3])
    assert few.brier == pytest.approx((0.2**2 + 0.3**2) / 2)
    assert few.constant == 0.25
    assert calibration([0.8] * 3, [0.3] * 7) == pytest.approx(few)


def test_a_wrong_answer_to_an_answerable_question_is_not_true():
    found = calibration([0.8, 0.6], [0.2], [True, False])
    assert found.constant == pytest.approx(0.25 * 0.75)
    assert found.brier == pytest.approx(0.2**2 / 4 + 0.6**2 / 4 + 0.2**2 / 2)


def test_the_error_is_that_of_bins_of_equal_mass():
    assert calibration([1.0], [0.0]).error == 0.0
    assert calibration([0.9], [0.3]).error == pytest.approx((0.1 + 0.3) / 2)
    assert calibration([0.5] * 4, [0.5] * 9).error == pytest.approx(0.0)
    assert calibration([0.7] * 4, [0.7] * 9).error == pytest.approx(0.2)


def test_a_confidence_that_is_the_probability_has_no_error():
    random = np.random.default_rng(2)
    probable = random.random(40_000)
    true = random.random(len(probable)) < probable
    found = calibration(list(probable[true]), list(probable[~true]))
    assert found.error < 0.01
    assert found.brier == pytest.approx(1 / 6, abs=0.01)


def test_the_order_of_the_questions_makes_no_difference():
    random = np.random.default_rng(4)
    sure, unsure = random.choice([0.1, 0.4, 0.6, 0.9], (2, 101))
    first = calibration(list(sure), list(unsure))
    assert calibration(list(sure[::-1]), sorted(unsure)) == pytest.approx(first)


def test_false_answers_at_nine_tenths_answered():
    sure = [0.05, *(0.5 + n / 100 for n in range(9))]
    assert false_answers(sure, [0.5, 0.49, 0.04, 0.6]) == 0.5
    assert false_answers(sure, [0.04, 0.05], answered=1.0) == 0.5
    assert false_answers([0.9], [0.1]) == 0.0


def test_one_side_is_not_enough():
    with pytest.raises(ValueError, match="with and without"):
        calibration([], [0.5])
    with pytest.raises(ValueError, match="with and without"):
        false_answers([0.5], [])
    with pytest.raises(ValueError, match="right or wrong"):
        calibration([0.5], [0.5], [True, True])
    with pytest.raises(ValueError, match="answered"):
        false_answers([0.5], [0.5], answered=0.0)
