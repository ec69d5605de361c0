"""Routers that choose: by rules, by what retrievers say of themselves, and when in doubt."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.domain.query import Query
from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.routers.description import DescriptionQueryRouter
from desktop_rag.retrieval.routers.fallback import FallbackStrategy, NoRouteError
from desktop_rag.retrieval.routers.rules import Rule, RuleQueryRouter


class Retriever:
    """Told apart by its identity alone."""

    def retrieve(self, query: Query) -> list[object]:
        raise AssertionError("a router asks nobody")


class LetterModel:
    """Texts are near to each other as they share letters."""

    def embed(self, texts: list[str], cancel: CancelToken | None = None) -> Matrix:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vector:
        counts = np.array([text.count(chr(97 + at)) for at in range(26)], dtype=np.float32)
        return counts / max(1.0, float(np.linalg.norm(counts)))


A, B = Retriever(), Retriever()


def rules(fallback: FallbackStrategy = FallbackStrategy.DO_NOT_ROUTE) -> RuleQueryRouter:
    return RuleQueryRouter(
        [
            Rule(lambda query: "invoice" in query.text, [A]),
            Rule(lambda query: "mail" in query.text, [B, A]),
        ],
        fallback,
    )


def descriptions(
    fallback: FallbackStrategy = FallbackStrategy.DO_NOT_ROUTE, **more: int | float
) -> DescriptionQueryRouter:
    return DescriptionQueryRouter(
        {A: "aaaa bb", B: "bbbb cccc"}, LetterModel(), fallback=fallback, **more
    )


def test_every_rule_that_applies_counts_and_each_retriever_once() -> None:
    assert rules().route(Query("an invoice")) == [A]
    assert rules().route(Query("a mail with an invoice")) == [A, B]


def test_the_nearest_description_is_asked() -> None:
    assert descriptions().route(Query("aaa")) == [A]
    assert descriptions().route(Query("ccc")) == [B]
    assert descriptions(most=2, min_cosine=0.1).route(Query("bbb")) == [B, A]


@pytest.mark.parametrize("router", [rules, descriptions])
def test_when_in_doubt_it_does_as_it_was_told(router: object) -> None:
    question = Query("zzz")
    assert router(FallbackStrategy.DO_NOT_ROUTE).route(question) == []
    assert router(FallbackStrategy.ROUTE_TO_ALL).route(question) == [A, B]
    with pytest.raises(NoRouteError):
        router(FallbackStrategy.FAIL).route(question)


def test_what_makes_no_router_is_refused() -> None:
    with pytest.raises(ValueError, match="rule"):
        RuleQueryRouter([])
    with pytest.raises(ValueError, match="description"):
        DescriptionQueryRouter({A: " "}, LetterModel())
    with pytest.raises(ValueError, match="most"):
        DescriptionQueryRouter({A: "a"}, LetterModel(), most=0)
