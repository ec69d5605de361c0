"""Figures, against values worked out by hand."""

from __future__ import annotations

from math import log2

import pytest

from desktop_rag.evaluation import metrics


def test_ndcg_has_linear_gain():
    relevant = {"a": 2, "b": 1, "c": 0}
    gained = 1 / log2(2) + 2 / log2(4)
    ideal = 2 / log2(2) + 1 / log2(3)
    assert metrics.ndcg(["b", "x", "a"], relevant, 10) == pytest.approx(gained / ideal)
    assert metrics.ndcg(["a", "b"], relevant, 10) == pytest.approx(1.0)
    assert metrics.ndcg(["x", "b", "a"], relevant, 1) == 0.0
    assert metrics.ndcg([], {}, 10) == 0.0


def test_the_ideal_is_cut_at_k_as_well():
    relevant = {str(n): 1 for n in range(20)}
    assert metrics.ndcg([str(n) for n in range(10)], relevant, 10) == pytest.approx(1.0)


def test_reciprocal_rank_and_recall():
    relevant = {"a": 1, "b": 1, "c": 0}
    assert metrics.reciprocal_rank(["x", "c", "b"], relevant, 10) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(["x", "b"], relevant, 1) == 0.0
    assert metrics.recall(["a", "x"], relevant, 10) == 0.5
    assert metrics.recall(["a"], {}, 10) == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Quick, brown-fox!", "quick brownfox"),
        ("A theory of an an-swer", "theory of answer"),
        ("《战国无双３》，由光荣开发。", "战国无双3由光荣开发"),
        ("$5 million", "5 million"),
    ],
)
def test_text_is_compared_as_squad_compares_it(text, expected):
    assert metrics.normalised(text) == expected


def test_a_hit_needs_the_answer_within_the_first_300_characters_of_a_quote():
    assert metrics.answer_hit(["no", "It is in the France."], ["France"])
    assert not metrics.answer_hit(["x" * 299 + " France"], ["France"])
    assert not metrics.answer_hit([], ["France"])
    assert not metrics.answer_hit(["anything"], ["the"])


def test_the_area_under_the_curve_counts_ties_half():
    assert metrics.area_under_curve([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert metrics.area_under_curve([0.5], [0.5]) == 0.5
    assert metrics.area_under_curve([0.1, 0.9], [0.5]) == 0.5
    with pytest.raises(ValueError, match="positives and negatives"):
        metrics.area_under_curve([], [0.5])
