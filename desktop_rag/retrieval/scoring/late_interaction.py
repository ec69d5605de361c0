"""Late interaction: every token of the question finds its best token in the passage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop_rag.embedding.model import Matrix
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from desktop_rag.text.folding import fold_for_model


def best_match(question: Matrix, passage: Matrix) -> float:
    """Return the mean over the question's tokens of the best cosine in the passage.

    0 where either has no tokens.
    """
    if not len(question) or not len(passage):
        return 0.0
    return float(np.mean(np.max(question @ passage.T, axis=1)))


class LateInteractionScoringModel:
    """A scoring model from the token outputs of the embedding models themselves.

    Each passage is read by its language's model, and so is the question for it
    (Khattab and Zaharia 2020, "ColBERT", with a model that was not trained for it:
    measured, it still orders the best candidates better than the passages' vectors).

    Args:
        vectors: gives the token vectors.
        cancel: stops the scoring between two passages.
    """

    def __init__(self, vectors: TokenVectors, cancel: CancelToken | None = None) -> None:
        self._vectors = vectors
        self._cancel = cancel

    def score_all(self, texts: Sequence[str], query: str) -> list[float]:
        """Return one score a text, in order, -1..1.

        Raises:
            Cancelled: the token was set.
        """
        passages = [(language_of(text), text) for text in texts]
        matrices = self._vectors.of(passages, self._cancel)
        questions = {
            language: self._question(query, language)
            for language in dict.fromkeys(language for language, _ in passages)
        }
        return [
            best_match(questions[language], matrix)
            for (language, _), matrix in zip(passages, matrices, strict=True)
        ]

    def _question(self, query: str, language: str) -> Matrix:
        text = fold_for_model(query, language)
        return self._vectors.model(language).query_token_vectors(text)
