"""A retrieved passage with the scores it collected on its way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment


class ContentKey(StrEnum):
    """What a retriever or an aggregator may note on a content.

    ``ALSO_IN``: the numbers of other documents with the same passage, separated by
    spaces. ``FOUND_START`` and ``FOUND_END``: where in its document the passage stands that
    was found, in a content that holds a larger one.
    """

    SCORE = "score"
    EMBEDDING_ID = "embedding_id"
    RERANKED_SCORE = "reranked_score"
    COSINE = "cosine"
    RETRIEVER = "retriever"
    ALSO_IN = "also_in"
    FOUND_START = "found_start"
    FOUND_END = "found_end"


ContentValue = float | int | str
_NOTHING: Mapping[ContentKey, ContentValue] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Content:
    """A segment as found by a retriever.

    ``metadata`` holds scores and is not part of ``key``, by which fusion recognises
    the same passage found twice (langchain4j-facts 5).
    """

    segment: TextSegment
    metadata: Mapping[ContentKey, ContentValue] = field(
        default_factory=lambda: _NOTHING, compare=False
    )

    @property
    def key(self) -> tuple[str, Metadata]:
        """What makes two contents the same passage: text and segment metadata."""
        return (self.segment.text, self.segment.metadata)

    @property
    def score(self) -> float:
        """The latest score: re-ranked if there is one, else the retriever's, else 0."""
        value = self.metadata.get(
            ContentKey.RERANKED_SCORE, self.metadata.get(ContentKey.SCORE, 0.0)
        )
        return float(value)

    def noted(self, key: ContentKey, value: ContentValue) -> Content:
        """Return a copy with one more note; what was noted before is kept."""
        return Content(self.segment, MappingProxyType({**self.metadata, key: value}))
