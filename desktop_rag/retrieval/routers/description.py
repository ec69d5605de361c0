"""A router that reads what its retrievers say of themselves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from desktop_rag.domain.query import Query
from desktop_rag.embedding.model import EmbeddingModel
from desktop_rag.retrieval.protocols import ContentRetriever
from desktop_rag.retrieval.routers.fallback import FallbackStrategy, fall_back

MIN_COSINE = 0.55
"""Of a description with a question about it. bge-small-en-v1.5 gives .45 to .55 to sentences
that have nothing to do with each other."""


class DescriptionQueryRouter:
    """Asks the retrievers whose descriptions are nearest to the question.

    The part of LangChain4j's model router that needs no language model: descriptions and
    question are compared by their vectors.

    Args:
        retrievers: with a description each ("contracts with suppliers, 2019 to today").
        model: embeds descriptions and questions.
        min_cosine: a description must be so near, -1..1.
        most: at most so many retrievers, the nearest first, > 0.
        fallback: what to do where none is near.

    Raises:
        ValueError: there are no retrievers, a description is blank, or a number is out of
            its range.
    """

    def __init__(
        self,
        retrievers: Mapping[ContentRetriever, str],
        model: EmbeddingModel,
        min_cosine: float = MIN_COSINE,
        most: int = 1,
        fallback: FallbackStrategy = FallbackStrategy.DO_NOT_ROUTE,
    ) -> None:
        if not retrievers or any(not text.strip() for text in retrievers.values()):
            raise ValueError("a router needs retrievers, each with a description")
        if most <= 0 or not -1.0 <= min_cosine <= 1.0:
            raise ValueError(f"most > 0 and -1 <= min_cosine <= 1, not {most} and {min_cosine}")
        self._retrievers = list(retrievers)
        self._model = model
        self._vectors = model.embed(list(retrievers.values()))
        self._min_cosine = min_cosine
        self._most = most
        self._fallback = fallback

    def route(self, query: Query) -> list[ContentRetriever]:
        """Return the nearest retrievers, ties in the order given.

        Raises:
            NoRouteError: none is near, and the fallback is FAIL.
        """
        cosines = self._vectors @ self._model.embed_query(query.text)
        order = np.argsort(-cosines, kind="stable")[: self._most]
        near = [self._retrievers[at] for at in order if cosines[at] >= self._min_cosine]
        if near:
            return near
        return fall_back(self._fallback, self._retrievers, "no description is near the question")
