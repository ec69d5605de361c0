"""Late interaction, and the token vectors that ranking and answering share."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import Place, TextSegment
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.retrieval.scoring.late_interaction import LateInteractionScoringModel, best_match
from desktop_rag.retrieval.scoring.read_passage import read_passage
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from tests.helpers.small_library import WordSpaces


@pytest.fixture
def executor():
    with ThreadPoolExecutor(2) as pool:
        yield pool


def test_the_best_match_is_the_mean_of_the_questions_best_cosines():
    question = np.array([[1, 0], [0, 1]], dtype=np.float32)
    passage = np.array([[0.6, 0.8], [1, 0]], dtype=np.float32)
    assert best_match(question, passage) == pytest.approx((1.0 + 0.8) / 2)
    assert best_match(question, passage[:0]) == 0.0


def test_passages_that_hold_the_questions_words_score_highest(executor):
    model = LateInteractionScoringModel(TokenVectors(WordSpaces(), executor))
    scores = model.score_all(
        ["the sky is blue", "付款期限为三十天", "rent is due monthly"], "rent due"
    )
    assert scores[2] == pytest.approx(1.0, abs=1e-5)
    assert max(scores[:2]) < 0.5
    chinese = model.score_all(["the sky is blue", "付款期限为三十天"], "付款")
    assert chinese[1] > chinese[0]
    assert model.score_all([], "rent") == []


def test_each_passage_is_computed_once_and_the_oldest_are_forgotten(executor):
    spaces = WordSpaces()
    vectors = TokenVectors(spaces, executor, remembered=2)
    runs = spaces.for_language("en").runs
    first = vectors.of([("en", "a b"), ("en", "c"), ("en", "a b")])
    assert [len(matrix) for matrix in first] == [2, 1, 2]
    assert sorted(runs) == ["a b", "c"]
    vectors.of([("en", "a b"), ("en", "d")])
    assert sorted(runs) == ["a b", "c", "d"]
    vectors.of([("en", "c")])
    assert sorted(runs) == ["a b", "c", "c", "d"]


def test_a_cancel_is_heard_while_vectors_are_computed(executor):
    cancel, release = CancelToken(), threading.Event()
    spaces = WordSpaces()
    model = spaces.for_language("en")
    compute = model.token_vectors

    def slow(text: str):
        cancel.cancel()
        release.wait()
        return compute(text)

    model.token_vectors = slow  # type: ignore[method-assign]
    with pytest.raises(Cancelled):
        TokenVectors(spaces, executor).of([("en", "a"), ("en", "b")], cancel)
    release.set()


def test_an_error_of_the_model_is_not_hidden(executor):
    class Broken(WordSpaces):
        def for_language(self, language):
            raise RuntimeError("closed")

    with pytest.raises(RuntimeError, match="closed"):
        TokenVectors(Broken(), executor).of([("en", "a")])


def test_remembered_is_checked_when_built(executor):
    with pytest.raises(ValueError, match="remembered"):
        TokenVectors(WordSpaces(), executor, remembered=0)


def test_a_passage_is_read_with_its_context_and_its_sentences_can_be_found_again():
    text = "The ﬁrst one.  The second\nis long. Third?"
    place = Place(10, 10 + len(text), heading_path=("Part", "Terms"))
    passage = read_passage(TextSegment(text, Metadata({"title": "Lease"}), place))
    assert passage.context == "Lease › Terms"
    assert passage.text == "Lease › Terms\nThe first one. The second is long. Third?"
    assert [text[start:end] for start, end in passage.spans] == [
        "The ﬁrst one.",
        "The second\nis long.",
        "Third?",
    ]
    assert passage.folded == ("The first one.", "The second is long.", "Third?")


def test_a_passage_without_title_and_heading_has_no_context():
    passage = read_passage(TextSegment("合同。付款期限。"))
    assert (passage.context, passage.language) == ("", "zh")
    assert passage.text == "合同。 付款期限。"
