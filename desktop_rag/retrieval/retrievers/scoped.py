"""A retriever that looks in a part of the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop_rag.domain.content import Content
from desktop_rag.domain.filter import Filter, all_of
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.protocols import ContentRetriever


class ScopedContentRetriever:
    """Asks another retriever for what also matches a condition, before its best are taken.

    A collection with its description becomes an option of a router this way. The question's
    own filter must hold as well. In Spring AI it takes the place of the retriever's
    (langchain4j-facts 11); better on purpose, a question narrows a part and never leaves it.

    Args:
        retriever: the one that is asked.
        condition: of the part, or a function of the question that gives it; None for no
            condition.
    """

    def __init__(
        self,
        retriever: ContentRetriever,
        condition: Filter | Callable[[Query], Filter | None] | None,
    ) -> None:
        self._retriever = retriever
        self._condition = condition

    def retrieve(self, query: Query) -> list[Content]:
        """Return what the retriever finds in its part."""
        part = self._condition
        condition = part(query) if callable(part) else part
        context = replace(query.context, filter=all_of(condition, query.context.filter))
        return self._retriever.retrieve(replace(query, context=context))
