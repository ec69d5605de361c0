"""A scoring model that reads each passage together with the question."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Protocol

from desktop_rag.foundation.cancellation import CancelToken


class PairScorer(Protocol):
    """Judges one pair of texts."""

    def score(self, question: str, text: str) -> float:
        """Return how well a text fits a question."""
        ...


class CrossEncoderScoringModel:
    """Scores passages side by side in an executor's threads, one pair a run.

    Args:
        scorer: judges a pair; see ``embedding.cross_encoder``.
        executor: runs the pairs; it stays the caller's to shut down.
        cancel: stops the scoring between two passages.
    """

    def __init__(
        self, scorer: PairScorer, executor: Executor, cancel: CancelToken | None = None
    ) -> None:
        self._scorer = scorer
        self._executor = executor
        self._cancel = cancel or CancelToken()

    def score_all(self, texts: Sequence[str], query: str) -> list[float]:
        """Return one score a text, in order.

        Raises:
            Cancelled: the token was set.
            KnownError: the model cannot be used.
        """

        def score(text: str) -> float:
            self._cancel.check()
            return self._scorer.score(query, text)

        return list(self._executor.map(score, texts))
