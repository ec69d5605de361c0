"""Two ways to make one ranked list of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.metadata import Metadata

Key = tuple[str, Metadata]

RRF_K = 60
"""Cormack, Clarke and Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet …"."""


def checked_k(k: int) -> int:
    """Return ``k``; ValueError below 1."""
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    return k


class FusedList:
    """Sums scores by passage; the first instance seen is kept, with the notes of all."""

    def __init__(self) -> None:
        self._contents: dict[Key, Content] = {}
        self._scores: dict[Key, float] = {}

    def add(self, content: Content, score: float) -> None:
        """Add to the passage's score."""
        key = content.key
        known = self._contents.get(key)
        self._contents[key] = content if known is None else _with_notes_of(known, content)
        self._scores[key] = self._scores.get(key, 0.0) + score

    def ranked(self, bonus: Callable[[Content], float] | None = None) -> list[Content]:
        """Return the passages, best first, ties in the order first seen, with SCORE noted.

        ``bonus`` is added to each passage's score.
        """
        scores = dict(self._scores)
        if bonus is not None:
            for key, content in self._contents.items():
                scores[key] += bonus(content)
        keys = sorted(scores, key=lambda key: -scores[key])
        return [self._contents[key].noted(ContentKey.SCORE, scores[key]) for key in keys]


def reciprocal_rank_fusion(
    lists: Iterable[Sequence[Content]],
    k: int = RRF_K,
    weight_of: Callable[[Content], float] | None = None,
) -> list[Content]:
    """Return the lists fused by the sum of weight / (k + rank), rank from 1.

    A passage that is several times in one list collects each of its ranks
    (langchain4j-facts 5). ``weight_of`` gives a content's weight, by its retriever for
    example; None: 1 for all.

    Raises:
        ValueError: ``k`` is below 1.
    """
    checked_k(k)
    fused = FusedList()
    for contents in lists:
        for rank, content in enumerate(contents, start=1):
            weight = 1.0 if weight_of is None else weight_of(content)
            fused.add(content, weight / (k + rank))
    return fused.ranked()


def scaled(scores: Sequence[float]) -> list[float]:
    """Return the scores scaled to 0..1 by their minimum and maximum; equal ones give 1."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if high <= low:
        return [1.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]


def _with_notes_of(known: Content, other: Content) -> Content:
    if not other.metadata or other.metadata.items() <= known.metadata.items():
        return known
    return Content(known.segment, MappingProxyType({**other.metadata, **known.metadata}))
