"""All lists behind each other, as Spring AI joins documents (langchain4j-facts 11)."""

from __future__ import annotations

from desktop_rag.domain.content import Content
from desktop_rag.retrieval.aggregators.fusion import Key
from desktop_rag.retrieval.protocols import RetrievedContents


class ConcatenationContentAggregator:
    """Keeps each passage once, as it was found first, and sorts by score.

    A content without a score counts as 0; ties keep the order of queries and retrievers.
    For retrievers whose scores mean the same; others are better fused.
    """

    def aggregate(self, retrieved: RetrievedContents) -> list[Content]:
        """Return one list, best first."""
        first: dict[Key, Content] = {}
        for lists in retrieved.values():
            for contents in lists:
                for content in contents:
                    first.setdefault(content.key, content)
        return sorted(first.values(), key=lambda content: -content.score)
