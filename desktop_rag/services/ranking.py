"""What re-ranks: the user's cross-encoder if it works, else the program's own way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.embedding.cross_encoder import CrossEncoder
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.retrieval.protocols import ScoringModel
from desktop_rag.retrieval.scoring.cross_encoder import CrossEncoderScoringModel
from desktop_rag.retrieval.scoring.late_interaction import LateInteractionScoringModel
from desktop_rag.retrieval.scoring.read_passage import read_passage
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors

Tell = Callable[[str], None]


class Reranker:
    """Makes the scoring model of a question.

    Args:
        vectors: token vectors, for the program's own way.
        executor: runs a cross-encoder's pairs.
    """

    def __init__(self, vectors: TokenVectors, executor: Executor) -> None:
        self._vectors = vectors
        self._executor = executor
        self._encoder: CrossEncoder | None = None

    def use(self, folder: str) -> None:
        """Re-rank with the cross-encoder in a folder; "" for the program's own way."""
        self._encoder = CrossEncoder(Path(folder)) if folder.strip() else None

    def scoring_model(self, cancel: CancelToken | None, tell: Tell) -> ScoringModel:
        """Return what scores one question's passages; ``tell`` hears why it is not the user's."""
        own = LateInteractionScoringModel(self._vectors, cancel)
        if self._encoder is None:
            return own
        return _WithFallback(self._encoder, self._executor, own, cancel, tell)


class _WithFallback:
    def __init__(
        self,
        encoder: CrossEncoder,
        executor: Executor,
        otherwise: ScoringModel,
        cancel: CancelToken | None,
        tell: Tell,
    ) -> None:
        self._encoder = encoder
        self._theirs = CrossEncoderScoringModel(encoder, executor, cancel)
        self._otherwise = otherwise
        self._tell = tell

    def score_all(self, texts: Sequence[str], query: str) -> list[float]:
        try:
            self._encoder.load()
            return self._theirs.score_all(texts, query)
        except KnownError as error:
            self._tell(str(error))
            return self._otherwise.score_all(texts, query)


def read_text(content: Content) -> str:
    """Return the text of a passage that is judged."""
    return read_passage(content.segment).text


def asked_of(query: Query, content: Content) -> str:
    """Return the text that a passage is judged against, in the passage's language."""
    return query.in_language(read_passage(content.segment).language)
