"""The transformer that changes nothing."""

from __future__ import annotations

from desktop_rag.domain.query import Query


class DefaultQueryTransformer:
    """Searches the question as it is."""

    def transform(self, query: Query) -> list[Query]:
        """Return the query alone."""
        return [query]
