"""Relative score fusion: the scores themselves are fused, not the ranks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.aggregators.fusion import FusedList, Key, scaled
from desktop_rag.retrieval.protocols import RetrievedContents

DEPTH = 100
"""How many contents of a list its scale is taken from."""

_NO_DOCUMENT = -1
_SECOND = 0.4

Weights = Callable[[Query], Mapping[str, float]]
"""For a query, the weight of each retriever by the name it notes; 1 for others."""


@dataclass(frozen=True, slots=True)
class Support:
    """How much the other passages of a document speak for one of its passages.

    A passage gets ``share`` of its document's evidence in each list: the best scaled
    score there and ``_SECOND`` of the second best. ``curve`` is the power that scaled
    scores are raised to; below 1, middling scores count for more. Passages without a
    ``document_id`` get no support. Measured with 0.3 and 0.8, nDCG@10 without and with, the
    other settings as they are: cran .556 and .561, med .801 and .802, cisi .443 and .453,
    squad2_dev_half .933 and .931, xquad_en .992 and .991 (400 questions).

    Raises:
        ValueError: ``share`` is negative or ``curve`` is not positive.
    """

    share: float = 0.0
    curve: float = 1.0

    def __post_init__(self) -> None:
        if self.share < 0.0 or self.curve <= 0.0:
            raise ValueError(f"support needs share >= 0 and curve > 0, not {self}")

    def of(self, scores: Sequence[float]) -> float:
        """Return what a list says of a document by its passages' scores there."""
        best = sorted(scores, reverse=True)[:2]
        return self.share * (best[0] + _SECOND * sum(best[1:])) if best else 0.0


NO_SUPPORT = Support()


class RelativeScoreFusionAggregator:
    """Scales each retriever's scores to 0..1 and sums them by weight.

    The scale is the minimum and maximum of a list's first ``depth`` scores; equal
    scores or a single hit give 1, and what comes after the first ``depth`` gives 0.
    Several queries count alike: a passage's score is the mean over the queries.
    Against reciprocal rank fusion this gains .01 to .03 of nDCG@10 on five sets
    (measured with whole passages).

    Raises:
        ValueError: ``depth`` is not positive.
    """

    def __init__(
        self,
        weights: Weights | None = None,
        depth: int = DEPTH,
        support: Support = NO_SUPPORT,
    ) -> None:
        if depth <= 0:
            raise ValueError(f"depth must be greater than 0, not {depth}")
        self._weights = weights or _all_alike
        self._depth = depth
        self._support = support

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first."""
        if len(retrieved) == 1:
            query, lists = next(iter(retrieved.items()))
            return self._fused(query, lists)
        across = FusedList()
        for query, lists in retrieved.items():
            for content in self._fused(query, lists):
                across.add(content, content.score / len(retrieved))
        return across.ranked()

    def _fused(self, query: Query, lists: Sequence[Sequence[Content]]) -> list[Content]:
        weights = self._weights(query)
        fused = FusedList()
        evidence: defaultdict[int, float] = defaultdict(float)
        for contents in lists:
            best = _each_once(contents)
            of_document: defaultdict[int, list[float]] = defaultdict(list)
            for content, scaled_score in zip(best, self._scaled(best), strict=True):
                score = scaled_score * weights.get(_retriever(content), 1.0)
                fused.add(content, score)
                of_document[_document(content)].append(score)
            for document, scores in of_document.items():
                evidence[document] += self._support.of(scores)
        evidence[_NO_DOCUMENT] = 0.0
        return fused.ranked(lambda content: evidence[_document(content)])

    def _scaled(self, contents: Sequence[Content]) -> list[float]:
        scores = scaled([content.score for content in contents[: self._depth]])
        curved = [score**self._support.curve for score in scores]
        return curved + [0.0] * (len(contents) - len(curved))


def _each_once(contents: Sequence[Content]) -> list[Content]:
    first: dict[Key, Content] = {}
    for content in contents:
        first.setdefault(content.key, content)
    return list(first.values())


def _retriever(content: Content) -> str:
    return str(content.metadata.get(ContentKey.RETRIEVER, ""))


def _document(content: Content) -> int:
    document = content.segment.metadata.get("document_id")
    return document if isinstance(document, int) else _NO_DOCUMENT


def _all_alike(_query: Query) -> Mapping[str, float]:
    return {}
